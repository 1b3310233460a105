package dev.sekisho.operator.idpcluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sekisho.api.v1alpha1.IdpCluster;
import dev.sekisho.operator.kube.Labels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.processing.dependent.kubernetes.SSABasedGenericKubernetesResourceMatcher;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The children of one IdpCluster as the caches know them, and the only way to write them: by server-side apply, and only
 * what differs.
 */
final class Children {
    private static final Logger LOG = LoggerFactory.getLogger(Children.class);
    private static final PatchContext APPLY = new PatchContext.Builder()
            .withPatchType(PatchType.SERVER_SIDE_APPLY)
            .withFieldManager(Labels.MANAGER)
            .withForce(true)
            .build();

    private static final int UNPROCESSABLE = 422;

    private final IdpCluster cluster;
    private final Context<IdpCluster> context;

    Children(IdpCluster cluster, Context<IdpCluster> context) {
        this.cluster = cluster;
        this.context = context;
    }

    /** Something of that name is there, and the operator did not make it. */
    static final class NameTaken extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final String reason;

        NameTaken(HasMetadata found) {
            this(found.getKind() + " " + found.getMetadata().getName() + " exists and was not made by the operator");
        }

        private NameTaken(String reason) {
            super(reason);
            this.reason = reason;
        }

        String reason() {
            return reason;
        }
    }

    /** The operator ends: its caches are empty, and nothing may be concluded from that. */
    static final class Stopping extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Stopping() {
            super("the operator is stopping", null, false, false);
        }
    }

    /**
     * A child as the cache knows it.
     *
     * @throws Stopping when caches know nothing any more
     */
    <R extends HasMetadata> Optional<R> cached(Class<R> type, String name) {
        var source = source(type);
        return trusted(source, source.get(id(name)));
    }

    /**
     * All children of a kind that the cache knows.
     *
     * @throws Stopping when caches know nothing any more
     */
    <R extends HasMetadata> List<R> cached(Class<R> type) {
        var source = source(type);
        return trusted(source, List.copyOf(source.getSecondaryResources(cluster)));
    }

    /** A source says that it stops before it empties its cache, so what was read before is good. */
    private static <T> T trusted(InformerEventSource<?, ?> source, T read) {
        if (!source.isRunning()) {
            throw new Stopping();
        }
        return read;
    }

    /** A child, asked from the API server when the cache does not know it: caches lag. */
    <R extends HasMetadata> @Nullable R find(Class<R> type, String name) {
        return cached(type, name).orElseGet(() -> live(type, name));
    }

    private <R extends HasMetadata> @Nullable R live(Class<R> type, String name) {
        return client().resources(type)
                .inNamespace(cluster.getMetadata().getNamespace())
                .withName(name)
                .get();
    }

    /**
     * Makes a child what it should be; does nothing when it is.
     *
     * @throws NameTaken when the name belongs to something else
     */
    <R extends HasMetadata> R apply(Class<R> type, R desired) {
        var name = desired.getMetadata().getName();
        var known = cached(type, name).orElse(null);
        if (known == null) {
            var live = live(type, name);
            if (live != null && !isOurs(live, desired)) {
                throw new NameTaken(live);
            }
        } else if (SSABasedGenericKubernetesResourceMatcher.<R>getInstance().matches(known, desired, context)) {
            return known;
        }
        var applied = known == null ? client().resource(desired).patch(APPLY) : putBack(desired);
        LOG.info(
                "IdpCluster {}/{}: {} {} {}",
                cluster.getMetadata().getNamespace(),
                cluster.getMetadata().getName(),
                known == null ? "made" : "changed",
                desired.getKind(),
                name);
        remember(type, known, applied);
        return applied;
    }

    /**
     * Applies what differs. Where what somebody else put into a list contradicts it (the same port under another number,
     * say), the API server refuses; then the lists are replaced as a whole first.
     */
    private <R extends HasMetadata> R putBack(R desired) {
        try {
            return client().resource(desired).patch(APPLY);
        } catch (KubernetesClientException refused) {
            if (refused.getCode() != UNPROCESSABLE) {
                throw refused;
            }
            try {
                client().resource(desired).patch(PatchContext.of(PatchType.JSON_MERGE), replacing(desired));
            } catch (KubernetesClientException again) {
                throw refused;
            }
            return client().resource(desired).patch(APPLY);
        }
    }

    /** A merge patch that leaves nothing beside what is desired where the API server wants it alone. */
    private String replacing(HasMetadata desired) {
        var tree = client().getKubernetesSerialization().convertValue(desired, ObjectNode.class);
        if (desired instanceof StatefulSet) {
            tree.withObject("/spec/updateStrategy").putNull("rollingUpdate");
        }
        return tree.toString();
    }

    /** The same for a child of any kind. */
    void applyAny(HasMetadata desired) {
        applyAs(desired.getClass(), desired);
    }

    private <R extends HasMetadata> void applyAs(Class<R> type, HasMetadata desired) {
        apply(type, type.cast(desired));
    }

    /** Makes a child that must not be there yet; HTTP 409 when it is. */
    <R extends HasMetadata> R create(Class<R> type, R desired) {
        var created = client().resource(desired).create();
        remember(type, null, created);
        return created;
    }

    /** Removes a child; nothing happens when it is gone. */
    <R extends HasMetadata> void delete(Class<R> type, R child) {
        LOG.info(
                "IdpCluster {}/{}: removes {} {}",
                cluster.getMetadata().getNamespace(),
                cluster.getMetadata().getName(),
                child.getKind(),
                child.getMetadata().getName());
        client().resources(type)
                .inNamespace(child.getMetadata().getNamespace())
                .withName(child.getMetadata().getName())
                .withPropagationPolicy(io.fabric8.kubernetes.api.model.DeletionPropagation.BACKGROUND)
                .delete();
    }

    /** Removes an object if it is still what was seen; else whoever changed it wakes us, and it is looked at again. */
    void deleteAsSeen(HasMetadata seen) {
        try {
            client().resource(seen).lockResourceVersion().delete();
            LOG.info(
                    "IdpCluster {}/{}: removes {} {}",
                    cluster.getMetadata().getNamespace(),
                    cluster.getMetadata().getName(),
                    seen.getKind(),
                    seen.getMetadata().getName());
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT && e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                throw e;
            }
        }
    }

    KubernetesClient client() {
        return context.getClient();
    }

    /** So that the next look sees what was written, even before the watch tells. */
    private <R extends HasMetadata> void remember(Class<R> type, @Nullable R before, R now) {
        var id = id(now.getMetadata().getName());
        if (before == null) {
            source(type).handleRecentResourceCreate(id, now);
        } else {
            source(type).handleRecentResourceUpdate(id, now, before);
        }
    }

    private ResourceID id(String name) {
        return new ResourceID(name, cluster.getMetadata().getNamespace());
    }

    private <R extends HasMetadata> InformerEventSource<R, IdpCluster> source(Class<R> type) {
        return (InformerEventSource<R, IdpCluster>)
                context.eventSourceRetriever().getEventSourceFor(type, Sources.name(type));
    }

    /** Made by us for this cluster; what outlives clusters is adopted. */
    private boolean isOurs(HasMetadata found, HasMetadata desired) {
        return desired.getMetadata().getOwnerReferences().isEmpty() || isOwned(found);
    }

    /** Whether this very cluster owns it. */
    boolean isOwned(HasMetadata found) {
        return found.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner -> owner.getUid().equals(cluster.getMetadata().getUid()));
    }
}
