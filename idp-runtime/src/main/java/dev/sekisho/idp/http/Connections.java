package dev.sekisho.idp.http;

import io.helidon.common.buffers.BufferData;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A listener's connections. It ends those that keep it waiting for too long, and, when places become few, the one that
 * has been silent for longest: Helidon's sockets have no read timeout, and it accepts nobody while its places are taken.
 */
final class Connections implements ServerConnectionSelector, AutoCloseable {
    /** Those that never sent a request go first. */
    private static final Comparator<Peer> MOST_DISPENSABLE =
            Comparator.comparing(Peer::phase).thenComparing(Peer::since);

    private final ServerConnectionSelector http;
    private final Patience patience;
    private final int comfortable;
    private final Map<Thread, Peer> peers = new ConcurrentHashMap<>();
    private final ScheduledExecutorService sweeper;

    /**
     * Connections of a listener.
     *
     * @param http makes the connections
     * @param most how many Helidon accepts; an eighth of them is kept free where possible
     * @param period how often it looks for those that take too long
     */
    Connections(ServerConnectionSelector http, String name, Patience patience, int most, Duration period) {
        this.http = http;
        this.patience = patience;
        this.comfortable = most - Math.max(1, most / 8);
        this.sweeper = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name("connections-" + name).daemon(true).factory());
        var unused =
                sweeper.scheduleWithFixedDelay(this::sweep, period.toNanos(), period.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int bytesToIdentifyConnection() {
        return http.bytesToIdentifyConnection();
    }

    @Override
    public Support supports(BufferData data) {
        return http.supports(data);
    }

    @Override
    public Set<String> supportedApplicationProtocols() {
        return http.supportedApplicationProtocols();
    }

    @Override
    public ServerConnection connection(ConnectionContext context) {
        return new Watched(http.connection(context), this);
    }

    /** The calling thread's connection begins. */
    Peer begin() {
        var peer = new Peer(Thread.currentThread(), patience);
        peers.put(peer.thread(), peer);
        if (peers.size() > comfortable) {
            dispensable(peer).ifPresent(Peer::endIfSilent);
        }
        return peer;
    }

    private Optional<Peer> dispensable(Peer newcomer) {
        return peers.values().stream()
                .filter(peer -> peer != newcomer && peer.phase().isSilent())
                .min(MOST_DISPENSABLE);
    }

    /** The calling thread's connection has ended. */
    void over() {
        peers.remove(Thread.currentThread());
    }

    /** The calling thread's connection. */
    Peer current() {
        var peer = peers.get(Thread.currentThread());
        if (peer == null) {
            throw new IllegalStateException("this thread serves no connection");
        }
        return peer;
    }

    int size() {
        return peers.size();
    }

    private void sweep() {
        long now = System.nanoTime();
        peers.values().forEach(peer -> peer.endIfLate(now));
    }

    /** Ends the connections that have no request under way. */
    void endSilent() {
        peers.values().forEach(Peer::endIfSilent);
    }

    @Override
    public void close() {
        sweeper.shutdownNow();
    }
}
