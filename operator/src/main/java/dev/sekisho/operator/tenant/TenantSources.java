package dev.sekisho.operator.tenant;

import dev.sekisho.api.v1alpha1.ClientSpec.SecretKeyRef;
import dev.sekisho.api.v1alpha1.IdpCluster;
import dev.sekisho.api.v1alpha1.Tenant;
import dev.sekisho.operator.management.ClusterAccess;
import dev.sekisho.operator.status.Conditions;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.config.informer.FieldSelector;
import io.javaoperatorsdk.operator.api.config.informer.FieldSelector.Field;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What Tenants look at: Secrets and IdpClusters, from caches that also wake the Tenants concerned, found by index.
 *
 * <p>Any Secret may be one that a Tenant refers to, so they cannot be chosen by label; those of types that are never a
 * client's secret and may be many or large are left out.
 */
final class TenantSources {
    private static final String BY_SECRET = "secret";
    private static final String BY_CLUSTER = "cluster";
    private static final String BY_OWNER = "owner";

    private final KubernetesClient client;
    private @Nullable InformerEventSource<Secret, Tenant> secrets;
    private @Nullable InformerEventSource<IdpCluster, Tenant> clusters;

    /** @param client asked before something counts as absent */
    TenantSources(KubernetesClient client) {
        this.client = client;
    }

    List<EventSource<?, Tenant>> prepare(EventSourceContext<Tenant> context) {
        var tenants = context.getPrimaryCache();
        tenants.addIndexer(BY_SECRET, TenantSources::secretKeys);
        tenants.addIndexer(BY_CLUSTER, tenant -> List.of(clusterKey(tenant)));

        var secretSource = new InformerEventSource<>(
                InformerEventSourceConfiguration.from(Secret.class, Tenant.class)
                        .withName("client-secrets")
                        .withNamespacesInheritedFromController()
                        .withFieldSelector(new FieldSelector(
                                new Field("type", "helm.sh/release.v1", true),
                                new Field("type", "kubernetes.io/service-account-token", true),
                                new Field("type", "kubernetes.io/tls", true),
                                new Field("type", "kubernetes.io/dockerconfigjson", true)))
                        .withSecondaryToPrimaryMapper(secret -> ids(tenants.byIndex(BY_SECRET, key(secret))))
                        .withPrimaryToSecondaryMapper((Tenant tenant) -> Set.of())
                        .build(),
                context);
        secretSource.addIndexers(Map.of(
                BY_OWNER,
                secret -> secret.getMetadata().getOwnerReferences().stream()
                        .map(OwnerReference::getUid)
                        .toList()));
        secrets = secretSource;

        var clusterSource = new InformerEventSource<>(
                InformerEventSourceConfiguration.from(IdpCluster.class, Tenant.class)
                        .withName("clusters")
                        .withNamespacesInheritedFromController()
                        .withOnUpdateFilter(TenantSources::matters)
                        .withSecondaryToPrimaryMapper(cluster -> ids(tenants.byIndex(BY_CLUSTER, key(cluster))))
                        .withPrimaryToSecondaryMapper((Tenant tenant) -> Set.of())
                        .build(),
                context);
        clusters = clusterSource;
        return List.of(secretSource, clusterSource);
    }

    Optional<Secret> secret(String namespace, String name) {
        // Caches lag, leave some types out, and are emptied while the operator stops: absence has to be confirmed.
        return Objects.requireNonNull(secrets, "not started")
                .get(new ResourceID(name, namespace))
                .or(() -> Optional.ofNullable(
                        client.secrets().inNamespace(namespace).withName(name).get()));
    }

    List<Secret> ownedSecrets(Tenant tenant) {
        return Objects.requireNonNull(secrets, "not started")
                .byIndex(BY_OWNER, tenant.getMetadata().getUid());
    }

    @Nullable IdpCluster cluster(String namespace, String name) {
        return Objects.requireNonNull(clusters, "not started")
                .get(new ResourceID(name, namespace))
                .orElseGet(() -> client.resources(IdpCluster.class)
                        .inNamespace(namespace)
                        .withName(name)
                        .get());
    }

    /** Of a cluster's many updates only these concern a Tenant. */
    private static boolean matters(IdpCluster now, IdpCluster before) {
        return !Objects.equals(
                        now.getMetadata().getGeneration(), before.getMetadata().getGeneration())
                || now.isMarkedForDeletion() != before.isMarkedForDeletion()
                || isRuntimeReady(now) != isRuntimeReady(before);
    }

    /** Whether the management listener should answer. */
    static boolean isRuntimeReady(IdpCluster cluster) {
        return cluster.getStatus() != null
                && Conditions.isTrue(cluster.getStatus().conditions(), "RuntimeReady");
    }

    private static List<String> secretKeys(Tenant tenant) {
        var meta = tenant.getMetadata();
        return tenant.getSpec().clients().stream()
                .filter(ClientSecrets::hasSecret)
                .map(client -> Optional.ofNullable(client.secretRef())
                        .map(SecretKeyRef::name)
                        .orElseGet(() -> SecretNames.of(meta.getName(), client.clientId())))
                .map(name -> meta.getNamespace() + "/" + name)
                .distinct()
                .toList();
    }

    private static String clusterKey(Tenant tenant) {
        var reference = tenant.getSpec().clusterRef();
        return ClusterAccess.namespace(reference, tenant.getMetadata().getNamespace()) + "/" + reference.name();
    }

    private static String key(HasMetadata object) {
        return object.getMetadata().getNamespace() + "/" + object.getMetadata().getName();
    }

    private static Set<ResourceID> ids(List<Tenant> tenants) {
        return tenants.stream().map(ResourceID::fromResource).collect(Collectors.toSet());
    }
}
