package dev.sekisho.loadtest.scenarios;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;

/** The identity provider's answers as far as the scenarios look at them, and wrong ones on demand. */
final class FakeIdp implements AutoCloseable {
    /** What it does with requests after the first few, which are those of setup(). */
    enum Mood {
        GOOD,
        NO_TOKEN,
        NO_KEYS,
        NOT_JSON,
        UNAVAILABLE
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Map<String, LongAdder> requests = new ConcurrentHashMap<>();
    private final Set<String> tenants = new ConcurrentSkipListSet<>();
    private volatile Mood mood = Mood.GOOD;
    private volatile long goodRequests = Long.MAX_VALUE;
    private volatile String unknownTenant = "";

    FakeIdp() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** After that many good answers it gets into a mood. */
    void mood(Mood newMood, long afterRequests) {
        mood = newMood;
        goodRequests = afterRequests;
    }

    long requests() {
        return requests.values().stream().mapToLong(LongAdder::sum).sum();
    }

    long requests(String endpoint) {
        return requests.getOrDefault(endpoint, new LongAdder()).sum();
    }

    /** A tenant that it does not have. */
    void unknownTenant(String tenant) {
        unknownTenant = tenant;
    }

    Set<String> tenants() {
        return Set.copyOf(tenants);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String form = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String[] path = exchange.getRequestURI().getPath().substring(1).split("/", 2);
            tenants.add(path[0]);
            boolean good = requests() < goodRequests || mood == Mood.GOOD;
            requests.computeIfAbsent(path[1], key -> new LongAdder()).increment();
            if (path[0].equals(unknownTenant)) {
                respond(exchange, 404, "{}");
                return;
            }
            if (!good && mood == Mood.UNAVAILABLE) {
                respond(exchange, 503, "<html>no</html>");
                return;
            }
            if (!good && mood == Mood.NOT_JSON) {
                respond(exchange, 200, "<html>yes</html>");
                return;
            }
            switch (path[1]) {
                case ".well-known/openid-configuration" ->
                    respond(
                            exchange,
                            200,
                            "{\"issuer\":\"https://idp.example/" + path[0]
                                    + "\",\"token_endpoint\":\"t\",\"jwks_uri\":\"j\"}");
                case "v1/jwks" ->
                    respond(
                            exchange,
                            200,
                            good || mood != Mood.NO_KEYS ? "{\"keys\":[{\"kid\":\"1\"}]}" : "{\"keys\":[]}");
                case "v1/tokens" -> token(exchange, form, good || mood != Mood.NO_TOKEN);
                default -> respond(exchange, 404, "{}");
            }
        }
    }

    private static void token(HttpExchange exchange, String form, boolean withToken) throws IOException {
        if (!form.equals("client_id=loadtest&client_secret=s%26cret&grant_type=client_credentials")) {
            respond(exchange, 401, "{\"error\":\"invalid_client\"}");
            return;
        }
        respond(
                exchange,
                200,
                withToken
                        ? "{\"access_token\":\"a.b.c\",\"token_type\":\"Bearer\",\"expires_in\":300}"
                        : "{\"token_type\":\"Bearer\",\"expires_in\":0}");
    }

    private static void respond(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
