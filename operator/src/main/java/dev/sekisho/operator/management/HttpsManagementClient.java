package dev.sekisho.operator.management;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sekisho.api.management.TenantDeclaration;
import dev.sekisho.api.management.TenantState;
import dev.sekisho.api.v1alpha1.DeletionPolicy;
import dev.sekisho.api.v1alpha1.IdpCluster;
import dev.sekisho.operator.kube.Names;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;

/**
 * Calls the management listener over HTTPS: trusts only the cluster's own authority, and shows the bearer token of the
 * cluster's Secret. Both are read again after {@link #FRESH}, and at once when the other side refuses them.
 */
public final class HttpsManagementClient implements ManagementClient {
    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final Duration CALL = Duration.ofSeconds(10);
    private static final Duration FRESH = Duration.ofSeconds(30);
    private static final long MAX_ANSWER = 1 << 20;
    private static final int MAX_MESSAGE = 500;

    private final KubernetesClient kubernetes;
    private final Function<IdpCluster, URI> address;
    private final Clock clock;
    private final ObjectMapper json = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .defaultPropertyInclusion(
                    JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.NON_NULL))
            .build();
    private final Map<String, Access> accesses = new ConcurrentHashMap<>();

    /** Reaches clusters by the Service of their management listener. */
    public HttpsManagementClient(KubernetesClient kubernetes, Clock clock) {
        this(kubernetes, clock, HttpsManagementClient::serviceAddress);
    }

    /** @param address where a cluster's management listener is; its certificate must name that host */
    public HttpsManagementClient(KubernetesClient kubernetes, Clock clock, Function<IdpCluster, URI> address) {
        this.kubernetes = kubernetes;
        this.clock = clock;
        this.address = address;
    }

    private static URI serviceAddress(IdpCluster cluster) {
        var meta = cluster.getMetadata();
        return URI.create(
                "https://" + Names.runtimeManagement(meta.getName()) + "." + meta.getNamespace() + ".svc:8443");
    }

    @Override
    public Answer put(IdpCluster cluster, TenantDeclaration declaration) {
        byte[] body;
        try {
            body = json.writeValueAsBytes(declaration);
        } catch (JacksonException e) {
            // Its message may quote the content, secrets among it.
            throw new IllegalStateException(
                    "a declaration cannot be written as JSON: " + e.getClass().getSimpleName());
        }
        return call(
                cluster,
                path(declaration.spec().tenantId()),
                request -> request.header("Content-Type", "application/json").PUT(BodyPublishers.ofByteArray(body)));
    }

    @Override
    public Answer get(IdpCluster cluster, String tenantId) {
        return call(cluster, path(tenantId), HttpRequest.Builder::GET);
    }

    @Override
    public Answer delete(IdpCluster cluster, String tenantId, String owner, DeletionPolicy policy) {
        var query = "?owner=" + encode(owner) + "&policy=" + policy.name();
        return call(cluster, path(tenantId) + query, HttpRequest.Builder::DELETE);
    }

    private static String path(String tenantId) {
        return "/management/v1/tenants/" + encode(tenantId);
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private Answer call(IdpCluster cluster, String path, Function<HttpRequest.Builder, HttpRequest.Builder> method) {
        var uri = address.apply(cluster).resolve(path);
        for (int attempt = 0; ; attempt++) {
            try {
                var access = access(cluster);
                if (access.isEmpty()) {
                    return new Answer.Unreachable("the IdpCluster's certificate or management token is not there yet");
                }
                var request = method.apply(HttpRequest.newBuilder(uri))
                        .header("Authorization", "Bearer " + access.get().token())
                        .header("Accept", "application/json")
                        .timeout(CALL)
                        .build();
                var answer = access.get()
                        .http()
                        .send(request, BodyHandlers.limiting(BodyHandlers.ofByteArray(), MAX_ANSWER));
                if (answer.statusCode() == 401 && attempt == 0) {
                    forget(cluster);
                    continue;
                }
                return read(answer);
            } catch (SSLException e) {
                forget(cluster);
                if (attempt > 0) {
                    return new Answer.Unreachable("TLS to the management listener failed: " + reason(e));
                }
            } catch (IOException e) {
                return new Answer.Unreachable("the management listener did not answer: " + reason(e));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return new Answer.Unreachable("interrupted");
            } catch (GeneralSecurityException e) {
                forget(cluster);
                return new Answer.Unreachable("the IdpCluster's authority cannot be read: " + reason(e));
            } catch (KubernetesClientException e) {
                return new Answer.Unreachable("the IdpCluster's Secrets cannot be read: HTTP " + e.getCode());
            }
        }
    }

    private Answer read(HttpResponse<byte[]> answer) {
        int status = answer.statusCode();
        return switch (status) {
            case 200, 201 -> {
                try {
                    yield new Answer.Applied(json.readValue(answer.body(), TenantState.class));
                } catch (IOException e) {
                    yield new Answer.Unreachable("the runtime's answer cannot be read");
                }
            }
            case 204, 404 -> new Answer.Absent();
            case 409 -> new Answer.Conflict(description(answer));
            case 400, 413, 415, 422 -> new Answer.Invalid(description(answer));
            case 401, 403 -> new Answer.Unreachable("the runtime refuses the operator's token");
            default -> new Answer.Unreachable("the runtime answered " + status + ": " + description(answer));
        };
    }

    private String description(HttpResponse<byte[]> answer) {
        try {
            var tree = json.readTree(answer.body());
            var text = tree == null
                    ? ""
                    : tree.path("error_description").asText(tree.path("error").asText(""));
            return text.isEmpty() ? "no description" : cut(text);
        } catch (IOException e) {
            return "no description";
        }
    }

    private static String reason(Exception e) {
        var message = e.getMessage();
        return message == null ? e.getClass().getSimpleName() : cut(message);
    }

    private static String cut(String text) {
        return text.length() <= MAX_MESSAGE ? text : text.substring(0, MAX_MESSAGE) + "…";
    }

    private void forget(IdpCluster cluster) {
        accesses.computeIfPresent(key(cluster), (key, access) -> access.stale());
    }

    private static String key(IdpCluster cluster) {
        return cluster.getMetadata().getNamespace() + "/"
                + cluster.getMetadata().getName();
    }

    private Optional<Access> access(IdpCluster cluster) throws GeneralSecurityException, IOException {
        var known = accesses.get(key(cluster));
        if (known != null && clock.instant().isBefore(known.until())) {
            return Optional.of(known);
        }
        var meta = cluster.getMetadata();
        var secret = kubernetes
                .secrets()
                .inNamespace(meta.getNamespace())
                .withName(Names.management(meta.getName()))
                .get();
        var bundle = kubernetes
                .configMaps()
                .inNamespace(meta.getNamespace())
                .withName(Names.caBundle(meta.getName()))
                .get();
        var token = secret == null || secret.getData() == null
                ? null
                : secret.getData().get("token");
        var authority = bundle == null || bundle.getData() == null
                ? null
                : bundle.getData().get(Names.CA_CRT);
        if (token == null || authority == null) {
            return Optional.empty();
        }
        var text = new String(Base64.getDecoder().decode(token), StandardCharsets.UTF_8);
        var http = known != null && known.authority().equals(authority) ? known.http() : http(authority);
        var access = new Access(text, authority, http, clock.instant().plus(FRESH));
        accesses.put(key(cluster), access);
        return Optional.of(access);
    }

    private static HttpClient http(String authority) throws GeneralSecurityException, IOException {
        var trust = KeyStore.getInstance(KeyStore.getDefaultType());
        trust.load(null, null);
        int n = 0;
        var pem = new ByteArrayInputStream(authority.getBytes(StandardCharsets.US_ASCII));
        for (var certificate : CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
            trust.setCertificateEntry("ca" + n++, certificate);
        }
        var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trust);
        var context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return HttpClient.newBuilder()
                .sslContext(context)
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT)
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
    }

    /** What it takes to call one cluster. Not a record that prints itself: it holds a secret. */
    private record Access(String token, String authority, HttpClient http, Instant until) {
        Access stale() {
            return new Access(token, authority, http, Instant.EPOCH);
        }

        @Override
        public String toString() {
            return "Access[until=" + until + "]";
        }
    }
}
