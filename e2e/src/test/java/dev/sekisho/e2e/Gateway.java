package dev.sekisho.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jwt.SignedJWT;
import dev.sekisho.e2e.load.Target;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.text.ParseException;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/** Speaks HTTPS to one base URL and trusts one authority. */
final class Gateway {
    /** The scope that the tests' clients have and ask for. */
    static final String SCOPE = "api.read";

    private static final JsonMapper JSON = new JsonMapper();

    private final String baseUrl;
    private final HttpClient http;
    private final SSLContext tls;

    Gateway(String baseUrl, String caPem) {
        this.baseUrl = baseUrl;
        this.tls = trusting(caPem);
        this.http = HttpClient.newBuilder()
                .sslContext(tls)
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(5))
                .build();
    }

    /** An answer. */
    record Reply(int status, HttpHeaders headers, String body) {
        JsonNode json() {
            try {
                return JSON.readTree(body);
            } catch (JsonProcessingException e) {
                throw new AssertionError("not JSON, with status " + status + ": " + body, e);
            }
        }

        String error() {
            return json().path("error").asText();
        }

        String contentType() {
            return headers.firstValue("content-type").orElse("");
        }
    }

    Reply get(String path) throws IOException {
        return get(path, Map.of());
    }

    Reply get(String path, Map<String, String> headers) throws IOException {
        return send(request(path, headers).GET().build());
    }

    Reply postForm(String path, Map<String, String> form, Map<String, String> headers) throws IOException {
        var body = form.entrySet().stream()
                .map(e -> encode(e.getKey()) + "=" + encode(e.getValue()))
                .collect(Collectors.joining("&"));
        return send(request(path, headers)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(body))
                .build());
    }

    /** A token request with client_secret_basic (RFC 6749, section 2.3.1). */
    Reply token(String tenantId, String clientId, String secret) throws IOException {
        var credentials = encode(clientId) + ":" + encode(secret);
        return postForm(
                "/" + tenantId + "/v1/tokens",
                Map.of("grant_type", "client_credentials", "scope", SCOPE),
                Map.of(
                        "Authorization",
                        "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8))));
    }

    /** The same request, for a load of them. */
    Target tokenTarget(String tenantId, String clientId, String secret) {
        var url = URI.create(baseUrl);
        var credentials = encode(clientId) + ":" + encode(secret);
        var body = "grant_type=client_credentials&scope=" + encode(SCOPE);
        var request = """
            POST /%s/v1/tokens HTTP/1.1
            Host: %s
            Authorization: Basic %s
            Content-Type: application/x-www-form-urlencoded
            Content-Length: %d

            """.formatted(
                        tenantId,
                        url.getAuthority(),
                        Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8)),
                        body.length());
        return new Target(url.getHost(), url.getPort(), this::secure, request.replace("\n", "\r\n") + body);
    }

    private Socket secure(Socket bare, String host, int port) throws IOException {
        var socket = (SSLSocket) tls.getSocketFactory().createSocket(bare, host, port, true);
        var parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    SignedJWT accessToken(String tenantId, String clientId, String secret) throws IOException {
        var reply = token(tenantId, clientId, secret);
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        try {
            return SignedJWT.parse(reply.json().path("access_token").asText());
        } catch (ParseException e) {
            throw new AssertionError("not a JWT: " + reply.body(), e);
        }
    }

    JWKSet jwks(String tenantId) throws IOException {
        var reply = get("/" + tenantId + "/v1/jwks");
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        try {
            return JWKSet.parse(reply.body());
        } catch (ParseException e) {
            throw new AssertionError("not a JWK set: " + reply.body(), e);
        }
    }

    /** Whether one of the keys made the token's signature. */
    static boolean verifies(SignedJWT token, JWKSet keys) {
        JWK key = keys.getKeyByKeyId(token.getHeader().getKeyID());
        if (key == null) {
            return false;
        }
        try {
            return switch (key.getKeyType().getValue()) {
                case "EC" -> token.verify(new ECDSAVerifier(key.toECKey()));
                case "RSA" -> token.verify(new RSASSAVerifier(key.toRSAKey()));
                default -> throw new AssertionError("unexpected key type " + key.getKeyType());
            };
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    private HttpRequest.Builder request(String path, Map<String, String> headers) {
        var request = HttpRequest.newBuilder(URI.create(baseUrl + path)).timeout(Duration.ofSeconds(10));
        headers.forEach(request::header);
        return request;
    }

    private Reply send(HttpRequest request) throws IOException {
        try {
            var response = http.send(request, BodyHandlers.ofString());
            return new Reply(response.statusCode(), response.headers(), response.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private static SSLContext trusting(String caPem) {
        try {
            var store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            var certificates = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(caPem.getBytes(StandardCharsets.UTF_8)));
            int i = 0;
            for (var certificate : certificates) {
                store.setCertificateEntry("ca" + i++, certificate);
            }
            var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            var context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("cannot trust the given authority", e);
        }
    }
}
