package dev.sekisho.idp.http;

import dev.sekisho.idp.observe.Health;
import dev.sekisho.idp.observe.Listener;
import dev.sekisho.idp.observe.Metrics;
import io.helidon.common.tls.Tls;
import io.helidon.http.DirectHandler;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http.DirectHandlers;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/** An open listener. */
public final class HttpListener implements AutoCloseable {
    /**
     * Beyond this Helidon closes at once, and a peer that is still sending may see a reset instead of the 413. Up to it,
     * what exceeds {@link Call#MAX_BODY} is read and dropped before the 413. A chunk is held in memory, so not more.
     */
    private static final int ABRUPT_BODY = 16 * 1024 * 1024;

    /** {@link Connections} ends idle connections, earlier. */
    private static final Duration IDLE = Duration.ofDays(1);

    private static final Duration SWEEP = Duration.ofSeconds(1);

    private static final int BACKLOG = 1024;
    private static final int MAX_REQUEST_LINE = 16 * 1024;
    private static final int MAX_HEADERS = 32 * 1024;

    private final WebServer server;
    private final Connections connections;

    private HttpListener(WebServer server, Connections connections) {
        this.server = server;
        this.connections = connections;
    }

    /**
     * Where to listen and how much to take.
     *
     * @param port 0 takes a free one
     * @param drainTimeout how long {@link #close()} waits for requests in flight
     */
    public record Options(
            Listener name,
            String address,
            int port,
            int maxConnections,
            int maxConcurrentRequests,
            Duration drainTimeout) {}

    /**
     * Opens a listener.
     *
     * @param tls absent: plain HTTP
     */
    public static HttpListener open(
            Options options, Optional<SSLContext> tls, Call.Handler handler, Metrics metrics, Health health) {
        var http = Http1ConnectionSelector.builder()
                .config(Http1Config.builder()
                        .maxPrologueLength(MAX_REQUEST_LINE)
                        .maxHeadersSize(MAX_HEADERS)
                        .sendKeepAliveHeader(false)
                        .build())
                .build();
        var connections = new Connections(
                http, options.name().label(), Patience.of(options.name()), options.maxConnections(), SWEEP);
        var gate = new Gate(options.name(), connections, handler, metrics, health);
        var config = WebServerConfig.builder()
                .name(options.name().label())
                .host(options.address())
                .port(options.port())
                .shutdownHook(false)
                .backlog(BACKLOG)
                .maxPayloadSize(ABRUPT_BODY)
                .maxTcpConnections(options.maxConnections())
                .maxConcurrentRequests(options.maxConcurrentRequests())
                .idleConnectionTimeout(IDLE)
                .shutdownGracePeriod(options.drainTimeout())
                .connectionOptions(o -> o.tcpNoDelay(true))
                .directHandlers(directHandlers(gate))
                .protocolsDiscoverServices(false)
                .addConnectionSelector(connections)
                .routing(routing -> routing.any(gate));
        tls.ifPresent(context -> config.tls(Tls.builder().sslContext(context).build()));
        return new HttpListener(config.build().start(), connections);
    }

    private static DirectHandlers directHandlers(Gate gate) {
        var handlers = DirectHandlers.builder();
        for (var type : DirectHandler.EventType.values()) {
            handlers.addHandler(type, gate::refused);
        }
        return handlers.build();
    }

    /** The port it listens on. */
    public int port() {
        return server.port();
    }

    /** Stops accepting, waits for the requests in flight up to the drain timeout, and closes every connection. */
    @Override
    public void close() {
        connections.endSilent();
        server.stop();
        connections.close();
    }
}
