package dev.sekisho.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sekisho.api.v1alpha1.Condition;
import dev.sekisho.api.v1alpha1.IdpCluster;
import dev.sekisho.api.v1alpha1.LoadTest;
import dev.sekisho.api.v1alpha1.LoadTestStatus;
import dev.sekisho.api.v1alpha1.Tenant;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The cluster under test: the operator as {@code ./quickstart} installed it, and one IdpCluster of the tests' own,
 * shared by all of them to save time. Who changes it puts it back.
 */
final class Site implements AutoCloseable {
    static final String OPERATOR_NAMESPACE = "sekisho-system";
    static final String NAMESPACE = "sekisho-e2e";
    static final String CLUSTER = "demo";
    static final String PUBLIC_URL = "https://localhost:30543";
    static final String MANAGEMENT_URL = "https://localhost:30544";

    /** A cold start of PostgreSQL, its schema, Redis, runtime and gateway on two slow cores. */
    static final Duration CLUSTER_READY = Duration.ofMinutes(5);

    static final Duration SOON = Duration.ofSeconds(60);

    private final KubernetesClient client;
    private @Nullable Gateway gateway;

    Site() {
        var json = JsonMapper.builder()
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.READ_UNKNOWN_ENUM_VALUES_AS_NULL)
                .build();
        client = new KubernetesClientBuilder()
                .withKubernetesSerialization(new KubernetesSerialization(json, true))
                .build();
        var operators = client.apps()
                .deployments()
                .inNamespace(OPERATOR_NAMESPACE)
                .withLabel("app.kubernetes.io/component", "operator")
                .list()
                .getItems();
        assertThat(operators)
                .as("no operator runs in %s: run ./quickstart first, or ./check", OPERATOR_NAMESPACE)
                .isNotEmpty();
        deleteNamespace(NAMESPACE);
        createNamespace(NAMESPACE);
        apply("""
            apiVersion: sekisho.dev/v1alpha1
            kind: IdpCluster
            metadata:
              name: demo
            spec:
              publicUrl: https://localhost:30543
              loadTests: Allow
              deletionPolicy: Delete
              gateway:
                service: {type: NodePort, nodePort: 30543}
              management:
                service: {type: NodePort, nodePort: 30544}
            """);
        awaitClusterReady();
    }

    KubernetesClient client() {
        return client;
    }

    /** The way in that clients take, trusting the authority that the IdpCluster publishes and no other. */
    Gateway gateway() {
        var known = gateway;
        if (known == null) {
            known = new Gateway(PUBLIC_URL, ca(NAMESPACE));
            gateway = known;
        }
        return known;
    }

    String ca(String namespace) {
        ConfigMap bundle = client.configMaps()
                .inNamespace(namespace)
                .withName(CLUSTER + "-ca-bundle")
                .get();
        return Objects.requireNonNull(bundle.getData().get("ca.crt"));
    }

    // --- Objects

    /** Creates or updates what the YAML says, as {@code kubectl apply --server-side} would. */
    void apply(String yaml) {
        apply(NAMESPACE, yaml);
    }

    void apply(String namespace, String yaml) {
        for (var object : parse(yaml)) {
            client.resource(object)
                    .inNamespace(namespace)
                    .patch(new PatchContext.Builder()
                            .withPatchType(PatchType.SERVER_SIDE_APPLY)
                            .withFieldManager("e2e")
                            .withForce(true)
                            .build());
        }
    }

    /** Creates it, and takes no for an answer: throws what the API server said. */
    void create(String yaml) {
        for (var object : parse(yaml)) {
            client.resource(object).inNamespace(NAMESPACE).create();
        }
    }

    List<HasMetadata> parse(String yaml) {
        return client.load(new java.io.ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)))
                .items();
    }

    <T extends HasMetadata> @Nullable T get(Class<T> type, String name) {
        return client.resources(type).inNamespace(NAMESPACE).withName(name).get();
    }

    <T extends HasMetadata> void delete(Class<T> type, String name) {
        client.resources(type).inNamespace(NAMESPACE).withName(name).delete();
        await(type.getSimpleName() + " " + name + " is gone").atMost(SOON).until(() -> get(type, name) == null);
    }

    /** Changes the spec of the shared IdpCluster by a JSON merge patch. */
    void patchCluster(String spec) {
        client.resources(IdpCluster.class)
                .inNamespace(NAMESPACE)
                .withName(CLUSTER)
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":" + spec + "}");
    }

    // --- Waiting

    <T extends HasMetadata> T awaitObject(Class<T> type, String name, String what, Duration limit, Predicate<T> holds) {
        return awaitObject(NAMESPACE, type, name, what, limit, holds);
    }

    /** Polls until the object is as it should; a failure shows what it was at last. */
    <T extends HasMetadata> T awaitObject(
            String namespace, Class<T> type, String name, String what, Duration limit, Predicate<T> holds) {
        var last = new java.util.concurrent.atomic.AtomicReference<@Nullable T>();
        try {
            await(what).atMost(limit).pollInterval(Duration.ofMillis(200)).until(() -> {
                var object = client.resources(type)
                        .inNamespace(namespace)
                        .withName(name)
                        .get();
                last.set(object);
                return object != null && holds.test(object);
            });
        } catch (org.awaitility.core.ConditionTimeoutException e) {
            var object = last.get();
            fail(
                    "%s %s/%s within %s s: %s. It was at last:%n%s",
                    type.getSimpleName(),
                    namespace,
                    name,
                    limit.toSeconds(),
                    what,
                    object == null ? "absent" : Serialization.asYaml(object));
        }
        return Objects.requireNonNull(last.get());
    }

    IdpCluster awaitClusterReady() {
        return awaitCluster(NAMESPACE, CLUSTER);
    }

    /** Waits until the operator has seen the present spec and calls the cluster ready. */
    IdpCluster awaitCluster(String namespace, String name) {
        return awaitObject(namespace, IdpCluster.class, name, "is Ready", CLUSTER_READY, c -> {
            var status = c.getStatus();
            return status != null
                    && Objects.equals(
                            status.observedGeneration(), c.getMetadata().getGeneration())
                    && isTrue(status.conditions(), "Ready");
        });
    }

    Tenant awaitTenantReady(String name) {
        return awaitTenantReady(NAMESPACE, name);
    }

    Tenant awaitTenantReady(String namespace, String name) {
        return awaitObject(namespace, Tenant.class, name, "is Ready", SOON, t -> {
            var status = t.getStatus();
            return status != null
                    && Objects.equals(
                            status.observedGeneration(), t.getMetadata().getGeneration())
                    && isTrue(status.conditions(), "Ready");
        });
    }

    /** Waits for a condition of a Tenant that is not true, with this reason. */
    Tenant awaitTenantTrouble(String name, String type, String reason) {
        return awaitObject(Tenant.class, name, type + " is not true because of " + reason, SOON, t -> {
            var status = t.getStatus();
            return status != null
                    && status.conditions().stream()
                            .anyMatch(c -> c.type().equals(type)
                                    && c.status() != Condition.Status.True
                                    && c.reason().equals(reason));
        });
    }

    LoadTest awaitLoadTestEnd(String name) {
        return awaitLoadTestEnd(NAMESPACE, name);
    }

    LoadTest awaitLoadTestEnd(String namespace, String name) {
        return awaitObject(namespace, LoadTest.class, name, "ended", Duration.ofMinutes(3), lt -> {
            var status = lt.getStatus();
            return status != null
                    && (status.phase() == LoadTestStatus.Phase.Completed
                            || status.phase() == LoadTestStatus.Phase.Failed);
        });
    }

    static boolean isTrue(List<Condition> conditions, String type) {
        return conditions.stream().anyMatch(c -> c.type().equals(type) && c.status() == Condition.Status.True);
    }

    // --- What is inside

    /** The secret of a Tenant's client, from where the Tenant's status says it is. */
    String clientSecret(Tenant tenant, String clientId) {
        var client = tenant.getStatus().clients().stream()
                .filter(c -> c.clientId().equals(clientId))
                .findFirst()
                .orElseThrow();
        return secret(
                tenant.getMetadata().getNamespace(),
                Objects.requireNonNull(client.secretName()),
                Objects.requireNonNull(client.secretKey()));
    }

    String secret(String namespace, String name, String key) {
        var secret = client.secrets().inNamespace(namespace).withName(name).get();
        assertThat(secret).as("Secret %s/%s", namespace, name).isNotNull();
        return new String(Base64.getDecoder().decode(secret.getData().get(key)), StandardCharsets.UTF_8);
    }

    List<Pod> pods(String component) {
        return client
                .pods()
                .inNamespace(NAMESPACE)
                .withLabels(Map.of(
                        "app.kubernetes.io/name", "sekisho",
                        "app.kubernetes.io/instance", CLUSTER,
                        "app.kubernetes.io/component", component))
                .list()
                .getItems()
                .stream()
                .filter(p -> p.getMetadata().getDeletionTimestamp() == null)
                .toList();
    }

    /** Each container of the identity provider's pods, and how often it has started. */
    Map<String, Integer> restarts() {
        var restarts = new java.util.TreeMap<String, Integer>();
        for (var component : List.of("runtime", "gateway", "postgres", "redis")) {
            for (var pod : pods(component)) {
                for (var container : pod.getStatus().getContainerStatuses()) {
                    restarts.put(
                            component + "/" + pod.getMetadata().getUid() + "/" + container.getName(),
                            container.getRestartCount());
                }
            }
        }
        return restarts;
    }

    /** The sum of the runtimes' request counters for the public listener. */
    double publicRequests() {
        double sum = 0;
        for (var pod : pods("runtime")) {
            var path = "/api/v1/namespaces/" + NAMESPACE + "/pods/"
                    + pod.getMetadata().getName() + ":9090/proxy/metrics";
            for (var line : client.raw(path).lines().toList()) {
                if (line.startsWith("sekisho_http_requests_total{") && line.contains("listener=\"public\"")) {
                    sum += Double.parseDouble(
                            line.substring(line.lastIndexOf('}') + 1).trim());
                }
            }
        }
        return sum;
    }

    // --- Namespaces

    void createNamespace(String name) {
        client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .addToLabels("app.kubernetes.io/part-of", "sekisho-e2e")
                        .endMetadata()
                        .build())
                .create();
    }

    /** Removes the kinds first, while the operator can still let go of them, then the namespace; waits until it is gone. */
    void deleteNamespace(String name) {
        if (client.namespaces().withName(name).get() == null) {
            return;
        }
        for (var type : List.of(LoadTest.class, Tenant.class, IdpCluster.class)) {
            client.resources(type).inNamespace(name).delete();
            await(type.getSimpleName() + "s of " + name + " are gone")
                    .atMost(Duration.ofMinutes(2))
                    .until(() -> client.resources(type)
                            .inNamespace(name)
                            .list()
                            .getItems()
                            .isEmpty());
        }
        client.namespaces().withName(name).delete();
        await("namespace " + name + " is gone")
                .atMost(Duration.ofMinutes(2))
                .until(() -> client.namespaces().withName(name).get() == null);
    }

    @Override
    public void close() {
        if (System.getenv("SEKISHO_E2E_KEEP") == null) {
            deleteNamespace(NAMESPACE);
        }
        client.close();
    }
}
