package dev.sekisho.operator.loadtest;

import dev.sekisho.api.v1alpha1.IdpCluster;
import dev.sekisho.api.v1alpha1.LoadTest;
import dev.sekisho.operator.management.ClusterAccess;
import dev.sekisho.operator.status.Conditions;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What wakes load tests: their Jobs, pods and ConfigMaps, found by label, and IdpClusters. */
final class LoadTestSources {
    private static final String BY_CLUSTER = "cluster";

    private final KubernetesClient client;
    private @Nullable InformerEventSource<IdpCluster, LoadTest> clusters;

    /** @param client asked before something counts as absent */
    LoadTestSources(KubernetesClient client) {
        this.client = client;
    }

    List<EventSource<?, LoadTest>> prepare(EventSourceContext<LoadTest> context) {
        var tests = context.getPrimaryCache();
        tests.addIndexer(BY_CLUSTER, test -> List.of(clusterKey(test)));
        var clusterSource = new InformerEventSource<>(
                InformerEventSourceConfiguration.from(IdpCluster.class, LoadTest.class)
                        .withName("clusters")
                        .withNamespacesInheritedFromController()
                        .withOnUpdateFilter(LoadTestSources::matters)
                        .withSecondaryToPrimaryMapper(cluster -> tests.byIndex(BY_CLUSTER, key(cluster)).stream()
                                .map(ResourceID::fromResource)
                                .collect(Collectors.toSet()))
                        .withPrimaryToSecondaryMapper((LoadTest test) -> Set.of())
                        .build(),
                context);
        clusters = clusterSource;
        return List.of(
                clusterSource,
                labelled(Job.class, "jobs", context),
                labelled(Pod.class, "pods", context),
                labelled(ConfigMap.class, "config-maps", context));
    }

    @Nullable IdpCluster cluster(String namespace, String name) {
        // Caches are emptied while the operator stops: absence has to be confirmed, for it ends runs.
        return Objects.requireNonNull(clusters, "not started")
                .get(new ResourceID(name, namespace))
                .orElseGet(() -> client.resources(IdpCluster.class)
                        .inNamespace(namespace)
                        .withName(name)
                        .get());
    }

    private static <R extends HasMetadata> InformerEventSource<R, LoadTest> labelled(
            Class<R> type, String name, EventSourceContext<LoadTest> context) {
        return new InformerEventSource<>(
                InformerEventSourceConfiguration.from(type, LoadTest.class)
                        .withName(name)
                        .withNamespacesInheritedFromController()
                        .withLabelSelector(LoadTestNames.LABEL_LOADTEST)
                        .withSecondaryToPrimaryMapper(LoadTestSources::test)
                        .withPrimaryToSecondaryMapper((LoadTest test) -> Set.of())
                        .build(),
                context);
    }

    private static Set<ResourceID> test(HasMetadata object) {
        var meta = object.getMetadata();
        var labels = meta.getLabels();
        var name = labels == null ? null : labels.get(LoadTestNames.LABEL_LOADTEST);
        return name == null ? Set.of() : Set.of(new ResourceID(name, meta.getNamespace()));
    }

    /** Of a cluster's many updates only these concern a load test. */
    private static boolean matters(IdpCluster now, IdpCluster before) {
        return !Objects.equals(
                        now.getMetadata().getGeneration(), before.getMetadata().getGeneration())
                || now.isMarkedForDeletion() != before.isMarkedForDeletion()
                || isReady(now) != isReady(before);
    }

    static boolean isReady(IdpCluster cluster) {
        return cluster.getStatus() != null
                && Conditions.isTrue(cluster.getStatus().conditions(), "Ready");
    }

    private static String clusterKey(LoadTest test) {
        var reference = test.getSpec().clusterRef();
        return ClusterAccess.namespace(reference, test.getMetadata().getNamespace()) + "/" + reference.name();
    }

    private static String key(HasMetadata object) {
        return object.getMetadata().getNamespace() + "/" + object.getMetadata().getName();
    }
}
