package dev.sekisho.operator.idpcluster;

import dev.sekisho.api.v1alpha1.DeletionPolicy;
import dev.sekisho.operator.idpcluster.resources.Blueprint;
import dev.sekisho.operator.idpcluster.resources.PostgresStatefulSet;
import dev.sekisho.operator.kube.Labels;
import dev.sekisho.operator.kube.Labels.Component;
import dev.sekisho.operator.kube.Names;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * What happens when an IdpCluster is deleted. What it owns, Kubernetes removes. Volumes, PostgreSQL's passwords, the
 * key-encryption key and Patroni's state have no owner: they stay, or go here, by {@code deletionPolicy}.
 */
final class Cleanup {
    /** So long members may take to stop; then their state is removed all the same. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Blueprint plan;
    private final KubernetesClient client;
    private final Clock clock;

    Cleanup(Blueprint plan, KubernetesClient client, Clock clock) {
        this.plan = plan;
        this.client = client;
        this.clock = clock;
    }

    /** Goes one step; true when nothing is left to do. */
    boolean step() {
        if (plan.spec().deletionPolicy() == DeletionPolicy.Retain) {
            return true;
        }
        var namespace = plan.namespace();
        for (var name : List.of(Names.postgres(plan.name()), Names.redis(plan.name()))) {
            var set = client.apps().statefulSets().inNamespace(namespace).withName(name);
            var found = set.get();
            if (found != null && isOwned(found)) {
                set.withPropagationPolicy(DeletionPropagation.BACKGROUND).delete();
            }
        }
        // A member that stops still writes its state; removed too early it would come back and block a successor.
        if (membersRun() && clock.instant().isBefore(deletedAt().plus(PATIENCE))) {
            return false;
        }
        remove(client.configMaps()
                .inNamespace(namespace)
                .withLabel(PostgresStatefulSet.SCOPE, Names.postgres(plan.name()))
                .list()
                .getItems());
        var departures = client.configMaps().inNamespace(namespace).withName(Names.departures(plan.name()));
        if (departures.get() != null) {
            departures.delete();
        }
        for (var component : List.of(Component.POSTGRES, Component.REDIS)) {
            remove(client.persistentVolumeClaims()
                    .inNamespace(namespace)
                    .withLabels(Labels.selector(plan.name(), component))
                    .list()
                    .getItems());
        }
        for (var name : List.of(Names.postgresCredentials(plan.name()), Names.keyEncryption(plan.name()))) {
            var secret = client.secrets().inNamespace(namespace).withName(name);
            var found = secret.get();
            if (found != null && isLabelled(found)) {
                secret.delete();
            }
        }
        return true;
    }

    /** Made for this very cluster. A name alone proves nothing: what stood there before is somebody else's. */
    private boolean isOwned(HasMetadata found) {
        return found.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner ->
                        owner.getUid().equals(plan.cluster().getMetadata().getUid()));
    }

    /** Made by the operator for a cluster of this name: what outlives clusters has no owner, but labels. */
    private boolean isLabelled(HasMetadata found) {
        var labels = found.getMetadata().getLabels();
        return labels != null
                && Labels.MANAGER.equals(labels.get(Labels.MANAGED_BY))
                && plan.name().equals(labels.get(Labels.INSTANCE));
    }

    private void remove(List<? extends HasMetadata> objects) {
        objects.forEach(object -> client.resource(object).delete());
    }

    private boolean membersRun() {
        return !client.pods()
                .inNamespace(plan.namespace())
                .withLabels(Labels.selector(plan.name(), Component.POSTGRES))
                .list()
                .getItems()
                .isEmpty();
    }

    private Instant deletedAt() {
        return Instant.parse(plan.cluster().getMetadata().getDeletionTimestamp());
    }
}
