package dev.sekisho.loadtest;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.zip.GZIPOutputStream;
import javax.net.ssl.SSLContext;

/** A server on loopback for scripts of the tests. */
public final class TargetServer implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpServer server;
    private final String scheme;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final LongAdder requests = new LongAdder();
    private final CountDownLatch closing = new CountDownLatch(1);

    private TargetServer(HttpServer server, String scheme) {
        this.server = server;
        this.scheme = scheme;
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    public static TargetServer start() {
        try {
            return new TargetServer(HttpServer.create(anyPort(), 0), "http");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static TargetServer startTls(SSLContext tls) {
        try {
            HttpsServer https = HttpsServer.create(anyPort(), 0);
            https.setHttpsConfigurator(new HttpsConfigurator(tls));
            return new TargetServer(https, "https");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    /** Its address, by IP. */
    public String url() {
        return scheme + "://127.0.0.1:" + port();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /** Requests so far. */
    public long requests() {
        return requests.sum();
    }

    private void handle(HttpExchange exchange) throws IOException {
        requests.increment();
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            switch (exchange.getRequestURI().getPath()) {
                case "/ok" -> respond(exchange, 200, "ok".getBytes(StandardCharsets.UTF_8));
                case "/echo" -> respond(exchange, 200, body);
                case "/describe" -> respond(exchange, 200, describe(exchange, body));
                case "/redirect" -> redirect(exchange);
                case "/set-cookie" -> {
                    exchange.getResponseHeaders().add("Set-Cookie", "session=abc; Path=/; HttpOnly");
                    exchange.getResponseHeaders().add("Set-Cookie", "elsewhere=1; Path=/other");
                    respond(exchange, 200, new byte[0]);
                }
                case "/chunked" -> {
                    exchange.sendResponseHeaders(200, 0);
                    try (OutputStream out = exchange.getResponseBody()) {
                        for (String part : new String[] {"one ", "two ", "three"}) {
                            out.write(part.getBytes(StandardCharsets.UTF_8));
                            out.flush();
                        }
                    }
                }
                case "/gzip" -> {
                    exchange.getResponseHeaders().set("Content-Encoding", "gzip");
                    respond(exchange, 200, zip("zipped"));
                }
                case "/slow" -> {
                    awaitClosing();
                    respond(exchange, 200, new byte[0]);
                }
                default -> respond(exchange, 404, "not found".getBytes(StandardCharsets.UTF_8));
            }
        }
    }

    private void awaitClosing() {
        try {
            closing.await(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void redirect(HttpExchange exchange) throws IOException {
        int status = 302;
        String to = "/ok";
        String query = exchange.getRequestURI().getRawQuery();
        for (String pair : query.split("&", -1)) {
            if (pair.startsWith("status=")) {
                status = Integer.parseInt(pair.substring(7));
            } else if (pair.startsWith("to=")) {
                to = URLDecoder.decode(pair.substring(3), StandardCharsets.UTF_8);
            }
        }
        exchange.getResponseHeaders().set("Location", URI.create(to).toString());
        respond(exchange, status, new byte[0]);
    }

    private static byte[] describe(HttpExchange exchange, byte[] body) throws IOException {
        ObjectNode json = JSON.createObjectNode();
        json.put("method", exchange.getRequestMethod());
        json.put("body", new String(body, StandardCharsets.UTF_8));
        ObjectNode headers = json.putObject("headers");
        exchange.getRequestHeaders()
                .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), String.join(", ", values)));
        return JSON.writeValueAsBytes(json);
    }

    private static byte[] zip(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
            zip.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    private static void respond(HttpExchange exchange, int status, byte[] body) throws IOException {
        if (!exchange.getResponseHeaders().containsKey("Content-Type")) {
            exchange.getResponseHeaders().set("Content-Type", "text/plain");
        }
        boolean head = exchange.getRequestMethod().equals("HEAD");
        exchange.sendResponseHeaders(status, head || body.length == 0 ? -1 : body.length);
        if (!head && body.length > 0) {
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        closing.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
