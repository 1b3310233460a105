package dev.sekisho.operator;

import dev.sekisho.api.v1alpha1.Condition;
import dev.sekisho.api.v1alpha1.IdpCluster;
import dev.sekisho.api.v1alpha1.IdpClusterStatus;
import dev.sekisho.operator.kube.Names;
import dev.sekisho.operator.status.StatusUpdate;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/** A namespace with an IdpCluster whose runtime is a stand-in, for tests of what refers to clusters. */
public final class Site {
    /** Name of the IdpCluster. */
    public static final String CLUSTER = "main";

    private static final Duration SOON = Duration.ofSeconds(30);

    private final KubeApi api;
    private final String namespace;
    private final StandInRuntime runtime;

    public Site(KubeApi api, String prefix, StandInRuntime runtime) {
        this.api = api;
        this.namespace = api.namespace(prefix);
        this.runtime = runtime;
    }

    public String namespace() {
        return namespace;
    }

    public KubernetesClient admin() {
        return api.admin();
    }

    public StandInRuntime runtime() {
        return runtime;
    }

    /** The IdpCluster and what Tenants and LoadTests need of it; ready. */
    public void createCluster(String extraSpec) {
        apply("""
                apiVersion: sekisho.dev/v1alpha1
                kind: IdpCluster
                metadata: {name: %s}
                spec:
                  publicUrl: https://idp.example
                  %s
                """.formatted(CLUSTER, extraSpec));
        api.admin()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName(Names.management(CLUSTER))
                        .withNamespace(namespace)
                        .endMetadata()
                        .addToStringData("token", StandInRuntime.TOKEN)
                        .build())
                .createOr(NonDeletingOperation::update);
        api.admin()
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName(Names.caBundle(CLUSTER))
                        .withNamespace(namespace)
                        .endMetadata()
                        .addToData(Names.CA_CRT, runtime.authority())
                        .build())
                .createOr(NonDeletingOperation::update);
        clusterReady(true);
    }

    /** Plays the IdpCluster's reconciler. */
    public void clusterReady(boolean ready) {
        var cluster = get(IdpCluster.class, CLUSTER);
        var status = ready ? Condition.Status.True : Condition.Status.False;
        var conditions = Stream.of("Ready", "RuntimeReady")
                .map(type -> new Condition(type, status, "Test", "", "2026-01-01T00:00:00Z", 1L))
                .toList();
        StatusUpdate.write(
                api.admin(),
                cluster,
                new IdpClusterStatus(1L, null, null, null, null, null, null, null, null, conditions),
                IdpCluster::new);
    }

    /** Applies YAML in the namespace. */
    public void apply(String yaml) {
        api.admin()
                .load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)))
                .inNamespace(namespace)
                .fieldManager("kubectl")
                .forceConflicts()
                .serverSideApply();
    }

    /** An object that must be there. */
    public <T extends HasMetadata> T get(Class<T> type, String name) {
        return Objects.requireNonNull(find(type, name), type.getSimpleName() + " " + name);
    }

    public <T extends HasMetadata> @Nullable T find(Class<T> type, String name) {
        return api.admin().resources(type).inNamespace(namespace).withName(name).get();
    }

    public <T extends HasMetadata> List<T> list(Class<T> type) {
        return api.admin().resources(type).inNamespace(namespace).list().getItems();
    }

    public <T extends HasMetadata> void delete(Class<T> type, String name) {
        api.admin().resources(type).inNamespace(namespace).withName(name).delete();
    }

    /** Waits, within a bound, until an object is as it should be. */
    public <T extends HasMetadata> T await(Class<T> type, String name, String what, Predicate<T> condition) {
        var last = new AtomicReference<@Nullable T>();
        try {
            Awaitility.await(type.getSimpleName() + " " + name + " " + what)
                    .atMost(SOON)
                    .pollInterval(Duration.ofMillis(50))
                    .until(() -> {
                        var found = find(type, name);
                        last.set(found);
                        return found != null && condition.test(found);
                    });
        } catch (ConditionTimeoutException e) {
            var text = last.get() == null
                    ? "absent"
                    : api.admin().getKubernetesSerialization().asYaml(last.get());
            throw new AssertionError(e.getMessage() + "\n" + text, e);
        }
        return Objects.requireNonNull(last.get());
    }

    /** Waits, within a bound, until an object is gone. */
    public <T extends HasMetadata> void awaitGone(Class<T> type, String name) {
        Awaitility.await(type.getSimpleName() + " " + name + " is gone")
                .atMost(SOON)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> find(type, name) == null);
    }

    /** Waits, within a bound, until something holds. */
    public void awaitTrue(String what, Callable<Boolean> condition) {
        Awaitility.await(what).atMost(SOON).pollInterval(Duration.ofMillis(50)).until(condition);
    }

    /** Reasons of the Events about an object. */
    public List<String> eventReasons(String name) {
        return list(Event.class).stream()
                .filter(event -> name.equals(event.getRegarding().getName()))
                .map(Event::getReason)
                .toList();
    }

    /** What the operator has written in the namespace so far. */
    public List<String> writes() {
        return api.writes(namespace);
    }
}
