package dev.sekisho.operator;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Answers {@code GET /healthz}, {@code /readyz} and {@code /metrics}. */
final class HealthServer implements AutoCloseable {
    private final HttpServer server;

    /**
     * @param port where to listen; 0 for any
     * @param alive whether the process is worth keeping
     * @param ready whether it does its work, or would at once if the leader left
     * @param metrics the metrics in Prometheus' text format
     */
    HealthServer(int port, BooleanSupplier alive, BooleanSupplier ready, Supplier<String> metrics) throws IOException {
        server = HttpServer.create(new InetSocketAddress(port), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            var path = exchange.getRequestURI().getPath();
            switch (path) {
                case "/healthz" -> answer(exchange, alive.getAsBoolean() ? 200 : 503, "text/plain", "");
                case "/readyz" -> answer(exchange, ready.getAsBoolean() ? 200 : 503, "text/plain", "");
                case "/metrics" -> answer(exchange, 200, "text/plain; version=0.0.4; charset=utf-8", metrics.get());
                default -> answer(exchange, 404, "text/plain", "");
            }
        });
    }

    int port() {
        return server.getAddress().getPort();
    }

    void start() {
        server.start();
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private static void answer(HttpExchange exchange, int status, String type, String body) throws IOException {
        try (exchange) {
            boolean get = exchange.getRequestMethod().equals("GET");
            var text = body.isEmpty() ? (status == 200 ? "ok\n" : "not ok\n") : body;
            var bytes = (get ? text : "").getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(get ? status : 405, bytes.length == 0 ? -1 : bytes.length);
            if (bytes.length > 0) {
                exchange.getResponseBody().write(bytes);
            }
        }
    }
}
