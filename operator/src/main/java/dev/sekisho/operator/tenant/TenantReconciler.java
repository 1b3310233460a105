package dev.sekisho.operator.tenant;

import dev.sekisho.api.management.TenantDeclaration;
import dev.sekisho.api.v1alpha1.Condition;
import dev.sekisho.api.v1alpha1.DeletionPolicy;
import dev.sekisho.api.v1alpha1.IdpCluster;
import dev.sekisho.api.v1alpha1.Tenant;
import dev.sekisho.api.v1alpha1.TenantSpec;
import dev.sekisho.api.v1alpha1.TenantStatus;
import dev.sekisho.operator.kube.Backoff;
import dev.sekisho.operator.kube.Paused;
import dev.sekisho.operator.kube.RelevantUpdate;
import dev.sekisho.operator.management.ClusterAccess;
import dev.sekisho.operator.management.ManagementClient;
import dev.sekisho.operator.management.ManagementClient.Answer;
import dev.sekisho.operator.status.Conditions;
import dev.sekisho.operator.status.Events;
import dev.sekisho.operator.status.StatusUpdate;
import dev.sekisho.operator.tenant.ClientSecrets.Resolution;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.config.informer.Informer;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.ErrorStatusUpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import java.net.HttpURLConnection;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the runtime what each Tenant says, for as long as the Tenant exists: the declaration is put again at intervals,
 * which puts right what somebody changed behind its back.
 */
@ControllerConfiguration(
        name = "tenant",
        generationAwareEventProcessing = false,
        informer = @Informer(onUpdateFilter = RelevantUpdate.class))
public final class TenantReconciler implements Reconciler<Tenant>, Cleaner<Tenant> {
    private static final Logger LOG = LoggerFactory.getLogger(TenantReconciler.class);

    /** So many calls may fail in a row before a Tenant that was served counts as unreachable: rollouts cause some. */
    private static final int TOLERATED_FAILURES = 2;

    private final KubernetesClient client;
    private final ManagementClient management;
    private final ClusterAccess access;
    private final Events events;
    private final Clock clock;
    private final String version;
    private final Timing timing;
    private final TenantStatuses statuses;
    private final TenantSources sources;
    private final Predicate<String> watched;
    private final Backoff backoff;
    private final SecureRandom random = new SecureRandom();
    private final Map<ResourceID, Integer> declared = new ConcurrentHashMap<>();

    /**
     * When things are done again.
     *
     * @param resync how long a Tenant that is as it should be is left alone
     * @param conflictRetry how soon a tenant id that another owner holds is asked for again
     * @param abandonAfter how long a deletion waits for a runtime that does not answer
     */
    public record Timing(Duration resync, Duration conflictRetry, Duration abandonAfter) {
        /** A minute, 15 seconds, two minutes. */
        public static final Timing DEFAULT =
                new Timing(Duration.ofSeconds(60), Duration.ofSeconds(15), Duration.ofMinutes(2));
    }

    /**
     * @param client the Kubernetes API
     * @param management calls of runtimes
     * @param watched whether the operator looks after a namespace
     * @param events tells people
     * @param clock the time
     * @param version the operator's, for labels
     * @param timing when things are done again
     */
    public TenantReconciler(
            KubernetesClient client,
            ManagementClient management,
            Predicate<String> watched,
            Events events,
            Clock clock,
            String version,
            Timing timing) {
        this.client = client;
        this.management = management;
        this.sources = new TenantSources(client);
        this.watched = watched;
        this.access = new ClusterAccess(sources::cluster, watched);
        this.events = events;
        this.clock = clock;
        this.version = version;
        this.timing = timing;
        this.statuses = new TenantStatuses(new Conditions(clock));
        this.backoff = new Backoff(clock, Duration.ofSeconds(1), Duration.ofSeconds(30));
    }

    @Override
    public List<EventSource<?, Tenant>> prepareEventSources(EventSourceContext<Tenant> context) {
        return sources.prepare(context);
    }

    @Override
    public UpdateControl<Tenant> reconcile(Tenant tenant, Context<Tenant> context) {
        if (Paused.is(tenant)) {
            return UpdateControl.noUpdate();
        }
        var id = ResourceID.fromResource(tenant);
        return switch (attempt(tenant)) {
            case Outcome.Unreachable unreachable -> {
                var again = backoff.failed(id);
                if (TenantStatuses.isApplied(tenant) && backoff.count(id) <= TOLERATED_FAILURES) {
                    LOG.info("Tenant {}: {}; trying again", text(tenant), unreachable.message());
                    yield UpdateControl.<Tenant>noUpdate().rescheduleAfter(again);
                }
                yield update(tenant, unreachable).rescheduleAfter(again);
            }
            case Outcome.Withdrawn withdrawn
            when !withdrawn.left().isEmpty() -> update(tenant, withdrawn).rescheduleAfter(backoff.failed(id));
            case Outcome outcome -> {
                backoff.succeeded(id);
                yield update(tenant, outcome)
                        .rescheduleAfter(Backoff.jittered(
                                outcome instanceof Outcome.Refused ? timing.conflictRetry() : timing.resync()));
            }
        };
    }

    private UpdateControl<Tenant> update(Tenant tenant, Outcome outcome) {
        var next = statuses.next(tenant, outcome);
        tell(tenant, next);
        return StatusUpdate.of(tenant, next, Tenant::new);
    }

    private Outcome attempt(Tenant tenant) {
        return switch (access.resolve(
                tenant.getSpec().clusterRef(), tenant.getMetadata().getNamespace())) {
            case ClusterAccess.Target.NotFound(var message) -> new Outcome.ClusterUnusable("ClusterNotFound", message);
            case ClusterAccess.Target.Denied(var message) -> new Outcome.Withdrawn(message, withdraw(tenant));
            case ClusterAccess.Target.Granted(var cluster) ->
                cluster.isMarkedForDeletion()
                        ? new Outcome.ClusterUnusable("ClusterNotFound", "the IdpCluster is being deleted")
                        : attempt(tenant, cluster);
        };
    }

    /**
     * Takes a tenant out of service whose namespace is no longer let in; its data stays, for it may be let in again.
     *
     * @return why the runtime may go on serving it; empty when it does not
     */
    private String withdraw(Tenant tenant) {
        var cluster = clusterWhateverItAllows(tenant);
        if (cluster == null || TenantStatuses.current(tenant).tenantKey() == null) {
            return "";
        }
        declared.remove(ResourceID.fromResource(tenant));
        return switch (management.delete(cluster, tenant.getSpec().tenantId(), owner(tenant), DeletionPolicy.Retain)) {
            case Answer.Unreachable(var message) -> message;
            case Answer.Invalid(var message) -> message;
            case Answer.Absent absent -> "";
            case Answer.Applied applied -> "";
            case Answer.Conflict conflict -> "";
        };
    }

    private Outcome attempt(Tenant tenant, IdpCluster cluster) {
        var resolution = secrets(tenant, cluster);
        return TenantSources.isRuntimeReady(cluster)
                ? put(tenant, cluster, resolution)
                : new Outcome.ClusterNotReady(
                        "the runtime of IdpCluster " + cluster.getMetadata().getName() + " is not ready",
                        new Outcome.Resolved(resolution.clients(), resolution.unresolved()));
    }

    private Outcome put(Tenant tenant, IdpCluster cluster, Resolution secrets) {
        var clients = new Outcome.Resolved(secrets.clients(), secrets.unresolved());
        var spec = servable(tenant.getSpec(), secrets.values().keySet());
        var answer = management.put(cluster, new TenantDeclaration(owner(tenant), spec, secrets.values()));
        return switch (answer) {
            case Answer.Applied(var state) -> {
                noteDrift(tenant, secrets, state.changed());
                yield new Outcome.Applied(state, clients);
            }
            case Answer.Conflict(var message) ->
                new Outcome.Refused(
                        "TenantIdConflict",
                        "another owner holds tenant id " + tenant.getSpec().tenantId() + ": " + message,
                        clients);
            case Answer.Invalid(var message) -> new Outcome.Refused("InvalidSpec", message, clients);
            case Answer.Unreachable(var message) -> new Outcome.Unreachable(message, clients);
            case Answer.Absent absent -> new Outcome.Unreachable("the runtime did not keep the tenant", clients);
        };
    }

    /** The spec without clients that have no secret: nobody may wait for them. */
    private static TenantSpec servable(TenantSpec spec, Set<String> clients) {
        return clients.size() == spec.clients().size()
                ? spec
                : new TenantSpec(
                        spec.clusterRef(),
                        spec.tenantId(),
                        spec.displayName(),
                        spec.state(),
                        spec.tokens(),
                        spec.signing(),
                        spec.clients().stream()
                                .filter(client -> clients.contains(client.clientId()))
                                .toList(),
                        spec.deletionPolicy());
    }

    /** The same declaration as last time changed something: so somebody else had, in between. */
    private void noteDrift(Tenant tenant, Resolution secrets, boolean changed) {
        int fingerprint =
                Objects.hash(tenant.getMetadata().getUid(), tenant.getMetadata().getGeneration(), secrets.values());
        var before = declared.put(ResourceID.fromResource(tenant), fingerprint);
        if (changed && before != null && before == fingerprint) {
            LOG.info("Tenant {}: drift in the runtime was put right", text(tenant));
            events.record(
                    tenant,
                    false,
                    "DriftCorrected",
                    "Apply",
                    "the runtime differed from the spec although the spec had not changed; it was put right");
        }
    }

    /** Makes the Secrets that are missing. What exists but is not in the cache yet is looked at once more, live. */
    private Resolution secrets(Tenant tenant, IdpCluster cluster) {
        var namespace = tenant.getMetadata().getNamespace();
        var live = new HashMap<String, Secret>();
        var issuer = cluster.getSpec().publicUrl() + "/" + tenant.getSpec().tenantId();
        var clientSecrets = new ClientSecrets(
                tenant,
                issuer,
                version,
                name -> Optional.ofNullable(live.get(name)).or(() -> sources.secret(namespace, name)),
                this::newSecret);
        for (int round = 0; ; round++) {
            var resolved = clientSecrets.resolve(sources.ownedSecrets(tenant));
            boolean stale = false;
            for (var secret : resolved.make()) {
                stale |= !create(secret, live);
            }
            if (!stale || round == 2) {
                resolved.mend().forEach(secret -> client.resource(secret).update());
                resolved.remove().forEach(secret -> client.resource(secret).delete());
                return resolved;
            }
        }
    }

    /** Creates, never overwrites: what stands there may be somebody else's. */
    private boolean create(Secret secret, Map<String, Secret> live) {
        try {
            live.put(secret.getMetadata().getName(), client.resource(secret).create());
            return true;
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw e;
            }
            var found = client.resource(secret).get();
            if (found != null) {
                live.put(secret.getMetadata().getName(), found);
            }
            return false;
        }
    }

    /** 256 bits, base64url. */
    private String newSecret() {
        var bytes = new byte[32];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /**
     * Takes the tenant out of service. Never sticks because its cluster is gone. A runtime that does not answer is waited
     * for, since until it hears of the deletion it goes on serving the tenant, whatever the deletion policy; but not for
     * ever: then Events on both objects tell that something is left.
     */
    @Override
    public DeleteControl cleanup(Tenant tenant, Context<Tenant> context) {
        var id = ResourceID.fromResource(tenant);
        var spec = tenant.getSpec();
        var cluster = clusterWhateverItAllows(tenant);
        if (cluster == null || cluster.isMarkedForDeletion()) {
            return forget(id);
        }
        var answer = management.delete(cluster, spec.tenantId(), owner(tenant), spec.deletionPolicy());
        return switch (answer) {
            case Answer.Absent absent -> forget(id);
            case Answer.Applied applied -> forget(id);
            // Somebody else's tenant bears that id: nothing of ours is there.
            case Answer.Conflict conflict -> forget(id);
            case Answer.Invalid(var message) -> abandon(tenant, cluster, message);
            case Answer.Unreachable(var message) -> {
                boolean everApplied = TenantStatuses.current(tenant).tenantKey() != null;
                if (!everApplied || isOverdue(tenant)) {
                    yield everApplied ? abandon(tenant, cluster, message) : forget(id);
                }
                var next = statuses.deleting(tenant, "RuntimeUnreachable", message);
                if (!next.equals(tenant.getStatus())) {
                    tell(tenant, next);
                    StatusUpdate.write(client, tenant, next, Tenant::new);
                }
                yield DeleteControl.noFinalizerRemoval()
                        .rescheduleAfter(backoff.failed(id).toMillis());
            }
        };
    }

    /** Not by way of allowedNamespaces: who was let in once must be able to leave, and to be shown out. */
    private @Nullable IdpCluster clusterWhateverItAllows(Tenant tenant) {
        var reference = tenant.getSpec().clusterRef();
        var namespace = ClusterAccess.namespace(reference, tenant.getMetadata().getNamespace());
        return watched.test(namespace) ? sources.cluster(namespace, reference.name()) : null;
    }

    private DeleteControl abandon(Tenant tenant, IdpCluster cluster, String message) {
        var id = ResourceID.fromResource(tenant);
        var note = "the runtime could not be told that Tenant " + text(tenant)
                + " is deleted, so tenant id " + tenant.getSpec().tenantId()
                + " may still be served; create the same Tenant again and delete it to end that: " + message;
        LOG.warn("Tenant {}: {}", text(tenant), note);
        events.record(tenant, true, "DeletionAbandoned", "Delete", note);
        events.record(cluster, true, "TenantAbandoned", "Delete", note);
        return forget(id);
    }

    private DeleteControl forget(ResourceID id) {
        backoff.succeeded(id);
        declared.remove(id);
        return DeleteControl.defaultDelete();
    }

    private boolean isOverdue(Tenant tenant) {
        var since = Instant.parse(tenant.getMetadata().getDeletionTimestamp());
        return clock.instant().isAfter(since.plus(timing.abandonAfter()));
    }

    /** One Event per transition, of the condition that sums up the others. */
    private void tell(Tenant tenant, TenantStatus next) {
        events.transitions(tenant, ready(TenantStatuses.current(tenant)), ready(next));
    }

    private static List<Condition> ready(TenantStatus status) {
        return Conditions.find(status.conditions(), TenantStatuses.READY).stream()
                .toList();
    }

    /** What cannot be foreseen: told in short, tried again by the framework. */
    @Override
    public ErrorStatusUpdateControl<Tenant> updateErrorStatus(Tenant tenant, Context<Tenant> context, Exception e) {
        var message = e instanceof KubernetesClientException api
                ? "the Kubernetes API answered " + api.getCode()
                : "unexpected " + e.getClass().getSimpleName() + "; the operator's log says more";
        if (tenant.isMarkedForDeletion()) {
            return ErrorStatusUpdateControl.noStatusUpdate();
        }
        var next = statuses.next(tenant, new Outcome.Failed("ReconcileFailed", message));
        if (next.equals(tenant.getStatus())) {
            return ErrorStatusUpdateControl.noStatusUpdate();
        }
        tell(tenant, next);
        return ErrorStatusUpdateControl.patchStatus(StatusUpdate.fresh(tenant, next, Tenant::new));
    }

    private static String text(Tenant tenant) {
        return tenant.getMetadata().getNamespace() + "/" + tenant.getMetadata().getName();
    }

    private static String owner(Tenant tenant) {
        return "tenant/" + text(tenant);
    }
}
