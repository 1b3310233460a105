package dev.sekisho.operator.management;

import dev.sekisho.api.v1alpha1.DeletionPolicy;
import dev.sekisho.api.v1alpha1.IdpCluster;
import dev.sekisho.api.v1alpha1.Tenant;
import dev.sekisho.operator.kube.Labels;
import dev.sekisho.operator.kube.Labels.Component;
import dev.sekisho.operator.kube.Names;
import dev.sekisho.operator.management.ManagementClient.Answer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tenants that were deleted while their runtime could not be told. They are kept in a ConfigMap beside the cluster, which
 * has no owner: like the data it outlives the cluster, so that none is served again when a runtime comes back, or when a
 * new cluster finds the old volumes.
 */
public final class Departures {
    private static final Logger LOG = LoggerFactory.getLogger(Departures.class);
    private static final int HASH_DIGITS = 10;

    private final KubernetesClient client;
    private final ManagementClient management;
    private final String version;

    /**
     * @param client the Kubernetes API
     * @param management calls of runtimes
     * @param version the operator's, for labels
     */
    public Departures(KubernetesClient client, ManagementClient management, String version) {
        this.client = client;
        this.management = management;
        this.version = version;
    }

    /**
     * One of them.
     *
     * @param tenantId its id
     * @param owner who declared it
     * @param policy what happens to its data
     */
    public record Departure(String tenantId, String owner, DeletionPolicy policy) {
        private String key() {
            return tenantId + "." + Names.hash(owner, HASH_DIGITS);
        }

        private String text() {
            return policy + " " + tenantId + " " + owner;
        }

        private static Optional<Departure> of(String text) {
            var parts = text.split(" ", 3);
            return parts.length < 3
                    ? Optional.empty()
                    : Arrays.stream(DeletionPolicy.values())
                            .filter(policy -> policy.name().equals(parts[0]))
                            .findFirst()
                            .map(policy -> new Departure(parts[1], parts[2], policy));
        }
    }

    /** Whether a cluster that is gone, or goes, may leave data behind: then the key that opens it stays, too. */
    public boolean hasData(String namespace, String cluster) {
        return client.secrets()
                        .inNamespace(namespace)
                        .withName(Names.keyEncryption(cluster))
                        .get()
                != null;
    }

    /** Remembers a departure. In a namespace that is gone or goes nothing need be remembered. */
    public void note(String namespace, String cluster, Departure departure) {
        try {
            if (configMap(namespace, cluster).get() != null) {
                put(namespace, cluster, departure.key(), departure.text());
                return;
            }
            client.resource(new ConfigMapBuilder()
                            .withNewMetadata()
                            .withNamespace(namespace)
                            .withName(Names.departures(cluster))
                            .withLabels(Labels.of(cluster, Component.OPERATOR, version))
                            .endMetadata()
                            .withData(Map.of(departure.key(), departure.text()))
                            .build())
                    .create();
        } catch (KubernetesClientException e) {
            if (!isTerminating(e) && e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                throw e;
            }
        }
    }

    private static boolean isTerminating(KubernetesClientException e) {
        return e.getCode() == HttpURLConnection.HTTP_FORBIDDEN
                && e.getStatus() != null
                && e.getStatus().getDetails() != null
                && e.getStatus().getDetails().getCauses().stream()
                        .anyMatch(cause -> "NamespaceTerminating".equals(cause.getReason()));
    }

    /**
     * Carries out what is remembered of an owner's tenant, before the same owner declares it anew.
     *
     * @return what is in the way; empty when nothing is
     */
    public Optional<Answer.Unreachable> settle(IdpCluster cluster, String tenantId, String owner) {
        var meta = cluster.getMetadata();
        for (var departure :
                departures(configMap(meta.getNamespace(), meta.getName()).get())) {
            if (departure.tenantId().equals(tenantId) && departure.owner().equals(owner)) {
                if (departure.policy() == DeletionPolicy.Delete
                        && end(cluster, departure) instanceof Answer.Unreachable u) {
                    return Optional.of(u);
                }
                forget(cluster, departure);
            }
        }
        return Optional.empty();
    }

    /**
     * Carries out what is remembered of a cluster whose runtime serves. What was declared anew is left to whoever
     * declared it.
     *
     * @param remembered the cluster's ConfigMap
     * @return whether nothing is left
     */
    public boolean sweep(IdpCluster cluster, ConfigMap remembered) {
        for (var departure : departures(remembered)) {
            if (isDeclared(departure)) {
                continue;
            }
            switch (end(cluster, departure)) {
                case Answer.Unreachable unreachable -> {
                    return false;
                }
                case Answer.Invalid(var message) ->
                    LOG.warn("Departed tenant {}: the runtime refuses: {}", departure.tenantId(), message);
                case Answer.Absent absent -> LOG.info("Departed tenant {} is out of service", departure.tenantId());
                case Answer.Applied applied -> LOG.info("Departed tenant {} is out of service", departure.tenantId());
                case Answer.Conflict conflict ->
                    LOG.info("Departed tenant {}: another owner has it now", departure.tenantId());
            }
            forget(cluster, departure);
        }
        return true;
    }

    private Answer end(IdpCluster cluster, Departure departure) {
        return management.delete(cluster, departure.tenantId(), departure.owner(), departure.policy());
    }

    /** Owners are named {@code tenant/<namespace>/<name>}. One that may not be looked at counts as declared. */
    private boolean isDeclared(Departure departure) {
        var owner = departure.owner().split("/", 3);
        if (owner.length < 3 || !owner[0].equals("tenant")) {
            return false;
        }
        try {
            var tenant = client.resources(Tenant.class)
                    .inNamespace(owner[1])
                    .withName(owner[2])
                    .get();
            return tenant != null
                    && !tenant.isMarkedForDeletion()
                    && tenant.getSpec().tenantId().equals(departure.tenantId());
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
                throw e;
            }
            LOG.warn("Departed tenant {}: namespace {} is not the operator's any more", departure.tenantId(), owner[1]);
            return true;
        }
    }

    private void forget(IdpCluster cluster, Departure departure) {
        var meta = cluster.getMetadata();
        put(meta.getNamespace(), meta.getName(), departure.key(), null);
        var left = configMap(meta.getNamespace(), meta.getName()).get();
        if (left != null && (left.getData() == null || left.getData().isEmpty())) {
            try {
                client.resource(left).lockResourceVersion().delete();
            } catch (KubernetesClientException e) {
                if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                    throw e;
                }
            }
        }
    }

    /** One entry at a time: others write other entries meanwhile. */
    private void put(String namespace, String cluster, String key, @Nullable String text) {
        var value = text == null ? "null" : "\"" + text + "\"";
        configMap(namespace, cluster)
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"data\":{\"" + key + "\":" + value + "}}");
    }

    private static List<Departure> departures(@Nullable ConfigMap remembered) {
        return remembered == null
                ? List.of()
                : Objects.requireNonNullElse(remembered.getData(), Map.<String, String>of()).values().stream()
                        .map(Departure::of)
                        .flatMap(Optional::stream)
                        .toList();
    }

    private Resource<ConfigMap> configMap(String namespace, String cluster) {
        return client.configMaps().inNamespace(namespace).withName(Names.departures(cluster));
    }
}
