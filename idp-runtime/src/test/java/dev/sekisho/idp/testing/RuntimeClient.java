package dev.sekisho.idp.testing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sekisho.idp.IdpRuntime;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;

/** Talks HTTP to a runtime. */
public final class RuntimeClient implements AutoCloseable {
    private static final JsonMapper JSON = new JsonMapper();

    private final IdpRuntime runtime;
    private final HttpClient http;

    RuntimeClient(IdpRuntime runtime, SSLContext tls) {
        this.runtime = runtime;
        this.http = HttpClient.newBuilder()
                .sslContext(tls)
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(10))
                .build();
    }

    /** An answer. */
    public record Reply(int status, java.net.http.HttpHeaders headers, String body) {
        public JsonNode json() {
            try {
                return JSON.readTree(body);
            } catch (JsonProcessingException e) {
                throw new AssertionError("no JSON: " + body, e);
            }
        }

        public String header(String name) {
            return headers.firstValue(name).orElse("");
        }

        public String error() {
            return json().path("error").asText();
        }
    }

    public URI publicUri(String path) {
        return URI.create("http://127.0.0.1:" + runtime.publicPort() + path);
    }

    public URI managementUri(String path) {
        return URI.create("https://127.0.0.1:" + runtime.managementPort() + path);
    }

    public URI metricsUri(String path) {
        return URI.create("http://127.0.0.1:" + runtime.metricsPort() + path);
    }

    public Reply send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> response =
                    http.send(request.timeout(Duration.ofSeconds(30)).build(), BodyHandlers.ofString());
            return new Reply(response.statusCode(), response.headers(), response.body());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    public Reply get(String path) {
        return send(HttpRequest.newBuilder(publicUri(path)));
    }

    public Reply metrics(String path) {
        return send(HttpRequest.newBuilder(metricsUri(path)));
    }

    /** A management call with the right token. */
    public Reply manage(String method, String path, String body) {
        return send(HttpRequest.newBuilder(managementUri("/management/v1/tenants/" + path))
                .header("Authorization", "Bearer " + Environment.MANAGEMENT_TOKEN)
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body)));
    }

    public Reply put(Declaration declaration) {
        return manage("PUT", declaration.tenantId(), declaration.json());
    }

    /** A token request with client_secret_basic. */
    public Reply token(String tenant, String clientId, String secret, String form) {
        return send(tokenRequest(tenant, form).header("Authorization", basic(clientId, secret)));
    }

    public HttpRequest.Builder tokenRequest(String tenant, String form) {
        return HttpRequest.newBuilder(publicUri("/" + tenant + "/v1/tokens"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(form));
    }

    public static String basic(String clientId, String secret) {
        var both = encode(clientId) + ":" + encode(secret);
        return "Basic " + Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.UTF_8));
    }

    public static String form(Map<String, String> parameters) {
        return parameters.entrySet().stream()
                .map(e -> encode(e.getKey()) + "=" + encode(e.getValue()))
                .collect(Collectors.joining("&"));
    }

    public static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        http.close();
    }
}
