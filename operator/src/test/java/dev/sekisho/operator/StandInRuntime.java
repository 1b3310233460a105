package dev.sekisho.operator;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.sekisho.api.management.TenantDeclaration;
import dev.sekisho.api.management.TenantState;
import dev.sekisho.api.v1alpha1.TenantIds;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * A management listener that keeps tenants in memory, for tests of the operator alone: HTTPS, bearer token, one owner per
 * tenant id, and {@code changed} as the runtime has it. The real one is tested with the operator end to end.
 */
public final class StandInRuntime implements AutoCloseable {
    /** What a caller must show. */
    public static final String TOKEN = "token-of-the-stand-in-runtime";

    private static final String ISSUERS = "https://idp.example";
    private static final String PATH = "/management/v1/tenants/";

    private final HttpsServer server;
    private final String authority;
    private final ObjectMapper json = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();
    private final Map<String, Held> tenants = new ConcurrentHashMap<>();
    private final AtomicInteger puts = new AtomicInteger();
    private volatile Mood mood = Mood.WELL;

    /** How it behaves. */
    public enum Mood {
        WELL,
        /** Answers 503. */
        BROKEN,
        /** Answers 400. */
        STRICT
    }

    /** A tenant that it holds. */
    public record Held(String owner, TenantDeclaration declaration, long version, boolean served) {}

    /** Starts it on a free loopback port. */
    public StandInRuntime() throws IOException, GeneralSecurityException, OperatorCreationException {
        var generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2048);
        var keys = generator.generateKeyPair();
        var name = new X500Name("CN=stand-in runtime");
        var now = Instant.now();
        var builder = new JcaX509v3CertificateBuilder(
                name,
                BigInteger.valueOf(now.toEpochMilli()),
                Date.from(now.minus(Duration.ofMinutes(5))),
                Date.from(now.plus(Duration.ofHours(2))),
                name,
                keys.getPublic());
        builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
        builder.addExtension(
                Extension.subjectAlternativeName,
                false,
                new GeneralNames(new GeneralName(GeneralName.dNSName, "localhost")));
        X509Certificate certificate = new JcaX509CertificateConverter()
                .getCertificate(builder.build(new JcaContentSignerBuilder("SHA256withRSA").build(keys.getPrivate())));
        authority = pem(certificate);

        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("key", keys.getPrivate(), new char[0], new Certificate[] {certificate});
        var managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(store, new char[0]);
        var tls = SSLContext.getInstance("TLS");
        tls.init(managers.getKeyManagers(), null, null);

        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext(PATH, this::handle);
        server.start();
    }

    /** Where it is. */
    public URI address() {
        return URI.create("https://localhost:" + server.getAddress().getPort());
    }

    /** The certificate to trust, as PEM. */
    public String authority() {
        return authority;
    }

    /** From now on it behaves like this. */
    public void become(Mood next) {
        mood = next;
    }

    /** What it holds. */
    public Map<String, Held> tenants() {
        return Map.copyOf(tenants);
    }

    /** How often it was told what a tenant shall be. */
    public int puts() {
        return puts.get();
    }

    /** Somebody holds a tenant id, or changes a tenant, behind the operator's back. */
    public void hold(String tenantId, Held held) {
        tenants.put(tenantId, held);
    }

    /** Somebody gives a tenant id away. */
    public void drop(String tenantId) {
        tenants.remove(tenantId);
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            var body = exchange.getRequestBody().readAllBytes();
            if (!("Bearer " + TOKEN).equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
                answer(exchange, 401, error("unauthorized", "no or another token"));
                return;
            }
            switch (mood) {
                case BROKEN -> answer(exchange, 503, error("temporarily_unavailable", "down for a test"));
                case STRICT -> answer(exchange, 400, error("invalid_request", "spec.displayName: refused for a test"));
                case WELL -> {
                    var tenantId = exchange.getRequestURI().getPath().substring(PATH.length());
                    switch (exchange.getRequestMethod()) {
                        case "PUT" -> put(exchange, tenantId, json.readValue(body, TenantDeclaration.class));
                        case "GET" -> get(exchange, tenantId);
                        case "DELETE" -> delete(exchange, tenantId);
                        default -> answer(exchange, 405, error("invalid_request", "no such method"));
                    }
                }
            }
        }
    }

    private synchronized void put(HttpExchange exchange, String tenantId, TenantDeclaration declaration)
            throws IOException {
        puts.incrementAndGet();
        var held = tenants.get(tenantId);
        if (held != null && !held.owner().equals(declaration.owner())) {
            answer(exchange, 409, error("tenant_id_conflict", "held by another owner"));
            return;
        }
        boolean changed = held == null || !held.served() || !held.declaration().equals(declaration);
        long version = (held == null ? 0 : held.version()) + (changed ? 1 : 0);
        tenants.put(tenantId, new Held(declaration.owner(), declaration, version, true));
        answer(exchange, 200, json.writeValueAsBytes(state(tenantId, version, changed)));
    }

    private void get(HttpExchange exchange, String tenantId) throws IOException {
        var held = tenants.get(tenantId);
        if (held == null) {
            answer(exchange, 404, error("not_found", "no such tenant"));
        } else {
            answer(exchange, 200, json.writeValueAsBytes(state(tenantId, held.version(), false)));
        }
    }

    private synchronized void delete(HttpExchange exchange, String tenantId) throws IOException {
        var held = tenants.get(tenantId);
        var query = Objects.requireNonNullElse(exchange.getRequestURI().getQuery(), "");
        if (held != null && !query.contains("owner=" + held.owner() + "&")) {
            answer(exchange, 409, error("tenant_id_conflict", "held by another owner"));
            return;
        }
        if (held != null && query.contains("policy=Retain")) {
            tenants.put(tenantId, new Held(held.owner(), held.declaration(), held.version() + 1, false));
        } else {
            tenants.remove(tenantId);
        }
        answer(exchange, 204, new byte[0]);
    }

    private static TenantState state(String tenantId, long version, boolean changed) {
        var issuer = ISSUERS + "/" + tenantId;
        return new TenantState(
                tenantId,
                TenantIds.key(tenantId),
                issuer,
                issuer + "/v1/jwks",
                version,
                changed,
                List.of(
                        new TenantState.Key("rs-" + tenantId, "RS256", "active"),
                        new TenantState.Key("es-" + tenantId, "ES256", "active")));
    }

    private byte[] error(String error, String description) throws IOException {
        return json.writeValueAsBytes(Map.of("error", error, "error_description", description));
    }

    private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        if (body.length > 0) {
            exchange.getResponseBody().write(body);
        }
    }

    private static String pem(X509Certificate certificate) throws IOException {
        var text = new StringWriter();
        try (var writer = new JcaPEMWriter(text)) {
            writer.writeObject(certificate);
        }
        return text.toString();
    }
}
