package dev.sekisho.operator.tenant;

import dev.sekisho.api.management.TenantDeclaration;
import dev.sekisho.api.v1alpha1.ClientSpec;
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
import dev.sekisho.operator.management.Departures;
import dev.sekisho.operator.management.Departures.Departure;
import dev.sekisho.operator.management.ManagementClient;
import dev.sekisho.operator.management.ManagementClient.Answer;
import dev.sekisho.operator.status.Conditions;
import dev.sekisho.operator.status.Events;
import dev.sekisho.operator.status.StatusUpdate;
import dev.sekisho.operator.tenant.ClientSecrets.Resolution;
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
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
    private final Departures departures;
    private final Events events;
    private final Clock clock;
    private final Timing timing;
    private final TenantStatuses statuses;
    private final TenantSources sources;
    private final SecretProvider secrets;
    private final Predicate<String> watched;
    private final Backoff backoff;
    private final Map<ResourceID, Integer> declared = new ConcurrentHashMap<>();

    /**
     * When things are done again.
     *
     * @param resync how long a Tenant that is as it should be is left alone
     * @param conflictRetry how soon a tenant id that another owner holds is asked for again
     * @param deferAfter how long a deletion waits for a runtime that does not answer
     */
    public record Timing(Duration resync, Duration conflictRetry, Duration deferAfter) {
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
        this.secrets = new SecretProvider(client, sources, version);
        this.watched = watched;
        this.access = new ClusterAccess(sources::cluster, watched);
        this.departures = new Departures(client, management, version);
        this.events = events;
        this.clock = clock;
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
            case Outcome.Withdrawn withdrawn -> {
                var again = withdrawn.left().isEmpty() ? Backoff.jittered(timing.resync()) : backoff.failed(id);
                // What is known of the tenant must outlive this; what is cached may not have it yet.
                yield update(live(tenant), withdrawn).rescheduleAfter(again);
            }
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
        if (cluster == null || !everApplied(tenant)) {
            return "";
        }
        return switch (management.delete(cluster, tenant.getSpec().tenantId(), owner(tenant), DeletionPolicy.Retain)) {
            case Answer.Unreachable(var message) -> message;
            case Answer.Invalid(var message) -> message;
            case Answer.Absent absent -> notServed(tenant);
            case Answer.Applied applied -> notServed(tenant);
            case Answer.Conflict conflict -> notServed(tenant);
        };
    }

    private String notServed(Tenant tenant) {
        declared.remove(ResourceID.fromResource(tenant));
        return "";
    }

    /** Whether the runtime was ever told of the tenant. A cache may be older than what this process has done. */
    private boolean everApplied(Tenant tenant) {
        return TenantStatuses.current(tenant).tenantKey() != null
                || declared.containsKey(ResourceID.fromResource(tenant))
                || TenantStatuses.current(live(tenant)).tenantKey() != null;
    }

    private Tenant live(Tenant tenant) {
        var meta = tenant.getMetadata();
        var live = client.resources(Tenant.class)
                .inNamespace(meta.getNamespace())
                .withName(meta.getName())
                .get();
        return live != null && live.getMetadata().getUid().equals(meta.getUid()) ? live : tenant;
    }

    private Outcome attempt(Tenant tenant, IdpCluster cluster) {
        var resolution = secrets.provide(tenant, cluster);
        return TenantSources.isRuntimeReady(cluster)
                ? put(tenant, cluster, resolution)
                : new Outcome.ClusterNotReady(
                        "the runtime of IdpCluster " + cluster.getMetadata().getName() + " is not ready",
                        new Outcome.Resolved(resolution.clients(), resolution.unresolved()));
    }

    private Outcome put(Tenant tenant, IdpCluster cluster, Resolution secrets) {
        var clients = new Outcome.Resolved(secrets.clients(), secrets.unresolved());
        if (TenantStatuses.current(tenant).tenantKey() == null) {
            // One of the same name may have been deleted while the runtime was away.
            var obstacle = departures.settle(cluster, tenant.getSpec().tenantId(), owner(tenant));
            if (obstacle.isPresent()) {
                return new Outcome.Unreachable(obstacle.get().message(), clients);
            }
        }
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

    /** The spec without clients whose secret is missing: nobody may wait for them. */
    private static TenantSpec servable(TenantSpec spec, Set<String> withSecret) {
        Predicate<ClientSpec> servable =
                client -> !ClientSecrets.hasSecret(client) || withSecret.contains(client.clientId());
        return spec.clients().stream().allMatch(servable)
                ? spec
                : new TenantSpec(
                        spec.clusterRef(),
                        spec.tenantId(),
                        spec.displayName(),
                        spec.state(),
                        spec.tokens(),
                        spec.signing(),
                        spec.clients().stream().filter(servable).toList(),
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

    /**
     * Takes the tenant out of service. Never sticks: a runtime that does not answer is waited for, for a while. Then, and
     * when the cluster is gone but not its data, the departure is remembered, and carried out as soon as a runtime
     * answers.
     */
    @Override
    public DeleteControl cleanup(Tenant tenant, Context<Tenant> context) {
        var id = ResourceID.fromResource(tenant);
        var spec = tenant.getSpec();
        var cluster = clusterWhateverItAllows(tenant);
        boolean everApplied = everApplied(tenant);
        if (cluster == null || cluster.isMarkedForDeletion()) {
            var namespace = clusterNamespace(tenant);
            if (everApplied
                    && watched.test(namespace)
                    && departures.hasData(namespace, spec.clusterRef().name())) {
                remember(tenant);
            }
            return forget(id);
        }
        var answer = management.delete(cluster, spec.tenantId(), owner(tenant), spec.deletionPolicy());
        return switch (answer) {
            case Answer.Absent absent -> forget(id);
            case Answer.Applied applied -> forget(id);
            // Somebody else's tenant bears that id: nothing of ours is there.
            case Answer.Conflict conflict -> forget(id);
            case Answer.Invalid(var message) -> defer(tenant, cluster, message);
            case Answer.Unreachable(var message) -> {
                if (!everApplied || isOverdue(tenant)) {
                    yield everApplied ? defer(tenant, cluster, message) : forget(id);
                }
                var next = statuses.deleting(tenant, TenantStatuses.UNREACHABLE, message);
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
        var namespace = clusterNamespace(tenant);
        return watched.test(namespace)
                ? sources.cluster(namespace, tenant.getSpec().clusterRef().name())
                : null;
    }

    private static String clusterNamespace(Tenant tenant) {
        return ClusterAccess.namespace(
                tenant.getSpec().clusterRef(), tenant.getMetadata().getNamespace());
    }

    private void remember(Tenant tenant) {
        var spec = tenant.getSpec();
        departures.note(
                clusterNamespace(tenant),
                spec.clusterRef().name(),
                new Departure(spec.tenantId(), owner(tenant), spec.deletionPolicy()));
    }

    private DeleteControl defer(Tenant tenant, IdpCluster cluster, String message) {
        remember(tenant);
        var note = "the runtime could not be told that Tenant " + text(tenant)
                + " is deleted; until it answers, tenant id " + tenant.getSpec().tenantId()
                + " may still be served, then it is taken out of service: " + message;
        LOG.warn("Tenant {}: {}", text(tenant), note);
        events.record(tenant, true, "DeletionDeferred", "Delete", note);
        events.record(cluster, true, "TenantDeletionDeferred", "Delete", note);
        return forget(ResourceID.fromResource(tenant));
    }

    private DeleteControl forget(ResourceID id) {
        backoff.succeeded(id);
        declared.remove(id);
        return DeleteControl.defaultDelete();
    }

    private boolean isOverdue(Tenant tenant) {
        var since = Instant.parse(tenant.getMetadata().getDeletionTimestamp());
        return clock.instant().isAfter(since.plus(timing.deferAfter()));
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
