package dev.sekisho.operator.idpcluster;

import dev.sekisho.api.v1alpha1.IdpCluster;
import dev.sekisho.api.v1alpha1.IdpClusterStatus;
import dev.sekisho.api.v1alpha1.IdpClusterStatus.Phase;
import dev.sekisho.operator.OperatorConfig;
import dev.sekisho.operator.idpcluster.postgres.Switchover;
import dev.sekisho.operator.idpcluster.resources.Blueprint;
import dev.sekisho.operator.kube.Names;
import dev.sekisho.operator.kube.Paused;
import dev.sekisho.operator.kube.RelevantUpdate;
import dev.sekisho.operator.management.Departures;
import dev.sekisho.operator.status.Conditions;
import dev.sekisho.operator.status.Events;
import dev.sekisho.operator.status.StatusUpdate;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
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
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes IdpClusters real. Compares and applies; what should exist is computed in {@code resources}. */
@ControllerConfiguration(
        name = "idpcluster",
        generationAwareEventProcessing = false,
        informer = @Informer(onUpdateFilter = RelevantUpdate.class))
public final class IdpClusterReconciler implements Reconciler<IdpCluster>, Cleaner<IdpCluster> {
    private static final Logger LOG = LoggerFactory.getLogger(IdpClusterReconciler.class);
    private static final Duration CLEANUP_STEP = Duration.ofSeconds(1);
    private static final Duration SWEEP_RETRY = Duration.ofSeconds(5);

    private final OperatorConfig config;
    private final Events events;
    private final Clock clock;
    private final Observer observer;
    private final SecretFactory secrets;
    private final Departures departures;

    /**
     * @param config images and the like
     * @param departures tenants that the runtime has yet to take out of service
     * @param events tells people
     * @param clock the time
     */
    public IdpClusterReconciler(OperatorConfig config, Departures departures, Events events, Clock clock) {
        var random = new SecureRandom();
        this.config = config;
        this.departures = departures;
        this.events = events;
        this.clock = clock;
        this.observer = new Observer(new Conditions(clock));
        this.secrets = new SecretFactory(new Certificates(clock, random), random);
    }

    /** Carries the status of a run in which children failed, so that the framework tries again with growing pauses. */
    private static final class ChildrenFailed extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient IdpClusterStatus status;

        ChildrenFailed(IdpClusterStatus status, String message) {
            super(message, null, false, false);
            this.status = status;
        }
    }

    @Override
    public List<EventSource<?, IdpCluster>> prepareEventSources(EventSourceContext<IdpCluster> context) {
        return Sources.prepare(context);
    }

    @Override
    public UpdateControl<IdpCluster> reconcile(IdpCluster cluster, Context<IdpCluster> context) {
        if (Paused.is(cluster)) {
            return update(cluster, observer.still(Phase.Paused, cluster.getStatus()));
        }
        var children = new Children(cluster, context);
        var images = ImageChoice.of(cluster, config.images(), children);
        var plan = new Blueprint(cluster, config.with(images.images()));
        var provisioner = new Provisioner(plan, images, children, secrets, userTls(plan, context), clock);
        var seen = provisioner.run();
        var status = observer.status(seen, cluster.getStatus());
        boolean swept = sweep(cluster, children, status);
        if (seen.faults().any()) {
            var ready = Conditions.find(status.conditions(), Observer.READY);
            throw new ChildrenFailed(status, ready.map(c -> c.message()).orElse(""));
        }
        var update = update(cluster, status);
        provisioner.again(seen).ifPresent(update::rescheduleAfter);
        if (!swept) {
            update.rescheduleAfter(SWEEP_RETRY);
        }
        return update;
    }

    /** Takes tenants out of service whose Tenants were deleted while no runtime answered; true when none is left. */
    private boolean sweep(IdpCluster cluster, Children children, IdpClusterStatus status) {
        return !Conditions.isTrue(status.conditions(), Part.RUNTIME.condition())
                || children.cached(
                                ConfigMap.class,
                                Names.departures(cluster.getMetadata().getName()))
                        .map(remembered -> departures.sweep(cluster, remembered))
                        .orElse(true);
    }

    @Override
    public ErrorStatusUpdateControl<IdpCluster> updateErrorStatus(
            IdpCluster cluster, Context<IdpCluster> context, Exception e) {
        if (e instanceof Children.Stopping) {
            return ErrorStatusUpdateControl.noStatusUpdate();
        }
        var plan = new Blueprint(cluster, config);
        var status = e instanceof ChildrenFailed failed
                ? failed.status
                : observer.failed(plan, Faults.describe(e, true), cluster.getStatus());
        LOG.warn(
                "IdpCluster {}/{}: {}",
                plan.namespace(),
                plan.name(),
                e instanceof ChildrenFailed ? e.getMessage() : e.toString());
        if (status.equals(cluster.getStatus())) {
            return ErrorStatusUpdateControl.noStatusUpdate();
        }
        tell(cluster, status);
        return ErrorStatusUpdateControl.patchStatus(StatusUpdate.fresh(cluster, status, IdpCluster::new));
    }

    @Override
    public DeleteControl cleanup(IdpCluster cluster, Context<IdpCluster> context) {
        var plan = new Blueprint(cluster, config);
        var status = observer.still(Phase.Deleting, cluster.getStatus());
        if (!status.equals(cluster.getStatus())) {
            StatusUpdate.write(context.getClient(), cluster, status, IdpCluster::new);
        }
        if (new Cleanup(plan, context.getClient(), clock).step()) {
            events.record(
                    cluster,
                    false,
                    "Deleted",
                    "Delete",
                    "volumes and keys: " + plan.spec().deletionPolicy());
            return DeleteControl.defaultDelete();
        }
        return DeleteControl.noFinalizerRemoval().rescheduleAfter(CLEANUP_STEP);
    }

    private UpdateControl<IdpCluster> update(IdpCluster cluster, IdpClusterStatus status) {
        tell(cluster, status);
        return StatusUpdate.of(cluster, status, IdpCluster::new);
    }

    private void tell(IdpCluster cluster, IdpClusterStatus status) {
        var before = cluster.getStatus();
        events.transitions(cluster, before == null ? List.of() : before.conditions(), status.conditions());
        tellOfPostgres(cluster, before == null ? null : before.postgres(), status.postgres());
        var phase = before == null ? null : before.phase();
        if (!Objects.equals(phase, status.phase()) && status.phase() == Phase.Paused) {
            events.record(
                    cluster,
                    false,
                    "Paused",
                    "Reconcile",
                    "nothing is changed while " + Paused.ANNOTATION + " is true");
        }
    }

    private void tellOfPostgres(
            IdpCluster cluster, IdpClusterStatus.@Nullable Postgres before, IdpClusterStatus.@Nullable Postgres now) {
        if (now == null) {
            return;
        }
        var led = before == null ? null : before.primary();
        if (led != null && now.primary() != null && !led.equals(now.primary())) {
            events.record(
                    cluster,
                    false,
                    "PrimaryChanged",
                    "Observe",
                    now.primary() + " leads instead of " + led + ", on timeline " + now.timeline());
        }
        var last = now.switchover();
        if (last != null && !last.equals(before == null ? null : before.switchover())) {
            events.record(
                    cluster,
                    last.outcome().equals(Switchover.Outcome.Failed.name()),
                    "Switchover" + last.outcome(),
                    "Switchover",
                    "request " + last.request() + ": from " + last.from() + " to "
                            + Objects.requireNonNullElse(last.to(), "any replica")
                            + (last.message() == null ? "" : ": " + last.message()));
        }
    }

    private static Optional<Secret> userTls(Blueprint plan, Context<IdpCluster> context) {
        if (plan.spec().gateway().tls() == null) {
            return Optional.empty();
        }
        var source = (InformerEventSource<Secret, IdpCluster>)
                context.eventSourceRetriever().getEventSourceFor(Secret.class, Sources.USER_TLS);
        return source.get(new ResourceID(plan.gatewayTlsSecret(), plan.namespace()));
    }
}
