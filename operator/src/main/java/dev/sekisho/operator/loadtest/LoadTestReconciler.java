package dev.sekisho.operator.loadtest;

import dev.sekisho.api.v1alpha1.IdpCluster;
import dev.sekisho.api.v1alpha1.IdpClusterSpec;
import dev.sekisho.api.v1alpha1.LoadTest;
import dev.sekisho.api.v1alpha1.LoadTestStatus;
import dev.sekisho.api.v1alpha1.LoadTestStatus.Phase;
import dev.sekisho.api.v1alpha1.LoadTestStatus.Verdict;
import dev.sekisho.operator.kube.Backoff;
import dev.sekisho.operator.kube.Names;
import dev.sekisho.operator.kube.Paused;
import dev.sekisho.operator.kube.RelevantUpdate;
import dev.sekisho.operator.loadtest.LoadTestStore.JobRefusedException;
import dev.sekisho.operator.loadtest.LoadTestStore.NameTakenException;
import dev.sekisho.operator.loadtest.LoadTestStore.PredecessorException;
import dev.sekisho.operator.loadtest.Planner.Action;
import dev.sekisho.operator.loadtest.Planner.Observed;
import dev.sekisho.operator.loadtest.Planner.Script;
import dev.sekisho.operator.loadtest.Planner.Target;
import dev.sekisho.operator.loadtest.Preparation.Readiness;
import dev.sekisho.operator.management.ClusterAccess;
import dev.sekisho.operator.management.ManagementClient;
import dev.sekisho.operator.management.ManagementClient.Answer;
import dev.sekisho.operator.status.Conditions;
import dev.sekisho.operator.status.Events;
import dev.sekisho.operator.status.StatusUpdate;
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
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs load tests: observes, lets the {@link Planner} decide, acts, and writes down what came of it. */
@ControllerConfiguration(
        name = "loadtest",
        generationAwareEventProcessing = false,
        informer = @Informer(onUpdateFilter = RelevantUpdate.class))
public final class LoadTestReconciler implements Reconciler<LoadTest>, Cleaner<LoadTest> {
    private static final Logger LOG = LoggerFactory.getLogger(LoadTestReconciler.class);

    /** For what is on its way out and may not tell when it is gone. */
    private static final Duration GLANCE = Duration.ofSeconds(1);

    /** The status that was written shall be looked at again at once. */
    private static final Duration AT_ONCE = Duration.ofMillis(10);

    private final ClusterAccess access;
    private final Events events;
    private final Clock clock;
    private final LoadTestObjects.Engine engine;
    private final Timing timing;
    private final LoadTestStore store;
    private final LoadTestJobs jobs;
    private final Preparation preparation;
    private final LoadTestStatuses statuses;
    private final LoadTestSources sources;
    private final Predicate<String> watched;
    private final Backoff backoff;

    /**
     * How long to wait for what may never come.
     *
     * @param startPatience for a pod to start: image, node, volumes
     * @param abandonAfter for a runtime that does not answer when a LoadTest is deleted
     */
    public record Timing(Duration startPatience, Duration abandonAfter) {
        /** Two minutes each. */
        public static final Timing DEFAULT = new Timing(Duration.ofMinutes(2), Duration.ofMinutes(2));
    }

    /**
     * @param client the Kubernetes API
     * @param management calls of runtimes
     * @param watched whether the operator looks after a namespace
     * @param events tells people
     * @param clock the time
     * @param image k6's image, unless a LoadTest names one
     * @param pullPolicy Always, IfNotPresent or Never
     * @param version the operator's, for labels
     * @param timing how long to wait
     */
    public LoadTestReconciler(
            KubernetesClient client,
            ManagementClient management,
            Predicate<String> watched,
            Events events,
            Clock clock,
            String image,
            String pullPolicy,
            String version,
            Timing timing) {
        this.sources = new LoadTestSources(client);
        this.watched = watched;
        this.access = new ClusterAccess(sources::cluster, watched);
        this.events = events;
        this.clock = clock;
        this.engine = new LoadTestObjects.Engine(image, pullPolicy, version);
        this.timing = timing;
        this.store = new LoadTestStore(client);
        this.jobs = new LoadTestJobs(store, timing.startPatience());
        this.preparation = new Preparation(store, new LoadTestTenants(management));
        this.statuses = new LoadTestStatuses(clock);
        this.backoff = new Backoff(clock, Duration.ofSeconds(1), Duration.ofSeconds(30));
    }

    @Override
    public List<EventSource<?, LoadTest>> prepareEventSources(EventSourceContext<LoadTest> context) {
        return sources.prepare(context);
    }

    @Override
    public UpdateControl<LoadTest> reconcile(LoadTest cached, Context<LoadTest> context) {
        // Two writes in a row, and the event of the first makes the framework forget the second for a moment.
        return store.loadTest(cached)
                .filter(test -> !Paused.is(test) && !test.isMarkedForDeletion())
                .map(this::step)
                .orElseGet(UpdateControl::noUpdate);
    }

    private UpdateControl<LoadTest> step(LoadTest test) {
        var run = LoadTestNames.run(test.getMetadata().getUid(), test.getSpec().runToken());
        jobs.settle(test, run);
        return switch (Planner.plan(observe(test, run))) {
            case Action.Begin begin -> write(test, statuses.begin(test, run)).rescheduleAfter(AT_ONCE);
            case Action.Wait wait ->
                write(test, statuses.waiting(test, wait))
                        .rescheduleAfter(wait.again().isPositive() ? wait.again() : AT_ONCE);
            case Action.EndFormerRun end -> endFormerRun(test, run);
            case Action.StartStep(int step) -> startStep(test, run, step);
            case Action.Keep(var result) ->
                write(test, statuses.kept(test, result)).rescheduleAfter(AT_ONCE);
            case Action.Finish finish -> finish(test, finish);
            case Action.CleanUp cleanUp -> cleanUp(test);
            case Action.Rest rest -> rest(test);
        };
    }

    private Observed observe(LoadTest test, String run) {
        var status = LoadTestStatuses.current(test);
        var phase = status.phase();
        boolean pending = phase == Phase.Pending;
        boolean started = phase == Phase.Preparing || phase == Phase.Running;
        int step = status.results().size();
        var id = ResourceID.fromResource(test);
        var job = names(test).job(run, step);
        return new Observed(
                test.getSpec(),
                status,
                run,
                LoadTestStatuses.isCleaningUp(status),
                target(test),
                pending ? preparation.script(test) : new Script.Found(),
                pending && jobs.hasFormerRun(test, run),
                started ? jobs.stepRun(test, job) : new StepRun.Absent(),
                job,
                phase == Phase.Preparing ? statuses.progressingSince(status) : backoff.since(id),
                clock.instant());
    }

    private Target target(LoadTest test) {
        return switch (access.resolve(
                test.getSpec().clusterRef(), test.getMetadata().getNamespace())) {
            case ClusterAccess.Target.NotFound(var message) -> new Target.Missing(message);
            case ClusterAccess.Target.Denied(var message) -> new Target.NotAllowed(message);
            case ClusterAccess.Target.Granted(var cluster) -> {
                if (cluster.isMarkedForDeletion()) {
                    yield new Target.Missing("the IdpCluster is being deleted");
                }
                var spec = cluster.getSpec();
                var status = cluster.getStatus();
                yield new Target.Found(
                        spec.loadTests() == IdpClusterSpec.LoadTests.Allow,
                        spec.replicas() == 0 || spec.gateway().replicas() == 0,
                        status != null && Conditions.isTrue(status.conditions(), "Ready"),
                        "IdpCluster " + cluster.getMetadata().getName() + " is not ready");
            }
        };
    }

    private UpdateControl<LoadTest> endFormerRun(LoadTest test, String run) {
        jobs.endFormerRuns(test, run);
        backoff.failed(ResourceID.fromResource(test));
        var wait = new Action.Wait(Phase.Pending, Reasons.FORMER_RUN, "waiting for the former run to end", GLANCE);
        return write(test, statuses.waiting(test, wait)).rescheduleAfter(GLANCE);
    }

    private UpdateControl<LoadTest> startStep(LoadTest test, String run, int step) {
        var id = ResourceID.fromResource(test);
        var cluster = cluster(test).orElseThrow();
        var objects = new LoadTestObjects(test, run, engine);
        var phase = Objects.requireNonNullElse(LoadTestStatuses.current(test).phase(), Phase.Preparing);
        return switch (preparation.prepare(test, cluster, objects)) {
            case Readiness.NotYet(var reason, var message) -> {
                var again = backoff.failed(id);
                yield write(test, statuses.waiting(test, new Action.Wait(phase, reason, message, again)))
                        .rescheduleAfter(again);
            }
            case Readiness.Never(var reason, var message) -> finish(test, broken(test, reason, message));
            case Readiness.Ready ready -> {
                backoff.succeeded(id);
                var job = objects.job(step, baseUrl(cluster));
                try {
                    store.start(test, job);
                } catch (NameTakenException e) {
                    yield finish(test, broken(test, Reasons.NAME_TAKEN, String.valueOf(e.getMessage())));
                } catch (JobRefusedException e) {
                    yield finish(test, broken(test, Reasons.JOB_REFUSED, String.valueOf(e.getMessage())));
                }
                LOG.info(
                        "LoadTest {}: started Job {}",
                        text(test),
                        job.getMetadata().getName());
                yield UpdateControl.<LoadTest>noUpdate().rescheduleAfter(AT_ONCE);
            }
        };
    }

    private static Action.Finish broken(LoadTest test, String reason, String message) {
        return new Action.Finish(
                Phase.Failed,
                Verdict.Inconclusive,
                reason,
                message,
                LoadTestStatuses.current(test).results());
    }

    private UpdateControl<LoadTest> finish(LoadTest test, Action.Finish finish) {
        backoff.succeeded(ResourceID.fromResource(test));
        boolean untouched = LoadTestStatuses.current(test).phase() == Phase.Pending && !preparation.hasLeftovers(test);
        var update = write(test, statuses.finished(test, finish, !untouched));
        return update.rescheduleAfter(AT_ONCE);
    }

    private UpdateControl<LoadTest> cleanUp(LoadTest test) {
        var id = ResourceID.fromResource(test);
        ensureReport(test);
        var problem = preparation.remove(test, cluster(test));
        if (problem.isEmpty()) {
            backoff.succeeded(id);
            return write(test, statuses.cleanedUp(test)).rescheduleAfter(AT_ONCE);
        }
        LOG.warn("LoadTest {}: its tenants cannot be removed yet: {}", text(test), describe(problem.get()));
        return write(
                        test,
                        statuses.stillCleaningUp(
                                test, "the runtime does not remove the load test's tenants; trying again"))
                .rescheduleAfter(backoff.failed(id));
    }

    private UpdateControl<LoadTest> rest(LoadTest test) {
        ensureReport(test);
        return UpdateControl.noUpdate();
    }

    private void ensureReport(LoadTest test) {
        var status = LoadTestStatuses.current(test);
        if (Reasons.LOAD_TESTS_DENIED.equals(status.reason()) && status.startTime() == null) {
            return;
        }
        var names = names(test);
        var markdown = Report.render(names.namespace(), names.name(), test.getSpec(), status);
        var run = Objects.requireNonNullElse(status.run(), "");
        try {
            store.ensure(test, new LoadTestObjects(test, run, engine).report(markdown));
        } catch (NameTakenException | PredecessorException e) {
            LOG.warn("LoadTest {}: no report: {}", text(test), e.getMessage());
        }
    }

    /**
     * Stops the load and removes the tenants. Never sticks because the cluster is gone; for a runtime that does not answer
     * it waits, but not for ever: what would be left are tenants whose only client's secret is gone.
     */
    @Override
    public DeleteControl cleanup(LoadTest cached, Context<LoadTest> context) {
        var test = store.loadTest(cached).orElse(cached);
        var id = ResourceID.fromResource(test);
        var names = names(test);
        jobs.deleteAll(test);
        store.deleteConfigMaps(test);
        if (jobs.isLoading(test) && !isOverdue(test)) {
            // A successor of the same name would not know whose load that is.
            return DeleteControl.noFinalizerRemoval().rescheduleAfter(GLANCE);
        }
        if (!LoadTestStatuses.isCleaningUp(LoadTestStatuses.current(test)) && !preparation.hasLeftovers(test)) {
            backoff.succeeded(id);
            return DeleteControl.defaultDelete();
        }
        var problem = preparation.remove(test, cluster(test));
        if (problem.isPresent() && !isOverdue(test)) {
            return DeleteControl.noFinalizerRemoval()
                    .rescheduleAfter(backoff.failed(id).toMillis());
        }
        problem.ifPresent(answer -> {
            var note =
                    "tenants " + names.tenantPrefix() + "* could not be removed from the runtime: " + describe(answer);
            LOG.warn("LoadTest {}: {}", text(test), note);
            events.record(test, true, "DeletionAbandoned", "Delete", note);
            preparation.forget(test);
        });
        backoff.succeeded(id);
        return DeleteControl.defaultDelete();
    }

    private boolean isOverdue(LoadTest test) {
        return clock.instant()
                .isAfter(
                        Instant.parse(test.getMetadata().getDeletionTimestamp()).plus(timing.abandonAfter()));
    }

    private static String describe(Answer answer) {
        return switch (answer) {
            case Answer.Unreachable(var message) -> message;
            case Answer.Invalid(var message) -> message;
            case Answer.Conflict(var message) -> message;
            case Answer.Applied applied -> "still there";
            case Answer.Absent absent -> "gone";
        };
    }

    /** The cluster, whether or not it still lets this namespace in; none when it is gone or going. */
    private Optional<IdpCluster> cluster(LoadTest test) {
        var reference = test.getSpec().clusterRef();
        var namespace = ClusterAccess.namespace(reference, test.getMetadata().getNamespace());
        return Optional.of(namespace)
                .filter(watched)
                .map(there -> sources.cluster(there, reference.name()))
                .filter(cluster -> !cluster.isMarkedForDeletion());
    }

    private static String baseUrl(IdpCluster cluster) {
        var status = cluster.getStatus();
        var named = status == null ? null : status.gatewayUrl();
        var meta = cluster.getMetadata();
        return named == null ? "https://" + Names.gateway(meta.getName()) + "." + meta.getNamespace() + ".svc" : named;
    }

    /** What cannot be foreseen: told in short while the run goes on, tried again by the framework. */
    @Override
    public ErrorStatusUpdateControl<LoadTest> updateErrorStatus(
            LoadTest cached, Context<LoadTest> context, Exception e) {
        LoadTest test;
        try {
            test = store.loadTest(cached).orElse(cached);
        } catch (KubernetesClientException away) {
            return ErrorStatusUpdateControl.noStatusUpdate();
        }
        var phase = LoadTestStatuses.current(test).phase();
        if (test.isMarkedForDeletion() || phase == null || phase == Phase.Completed || phase == Phase.Failed) {
            return ErrorStatusUpdateControl.noStatusUpdate();
        }
        var message = e instanceof KubernetesClientException api
                ? "the Kubernetes API answered " + api.getCode()
                : "unexpected " + e.getClass().getSimpleName() + "; the operator's log says more";
        var next = statuses.waiting(test, new Action.Wait(phase, Reasons.RECONCILE_FAILED, message, Duration.ZERO));
        if (next.equals(test.getStatus())) {
            return ErrorStatusUpdateControl.noStatusUpdate();
        }
        tell(test, LoadTestStatuses.current(test), next);
        return ErrorStatusUpdateControl.patchStatus(StatusUpdate.fresh(test, next, LoadTest::new));
    }

    private UpdateControl<LoadTest> write(LoadTest test, LoadTestStatus next) {
        tell(test, LoadTestStatuses.current(test), next);
        return StatusUpdate.of(test, next, LoadTest::new);
    }

    /** One Event per transition. */
    private void tell(LoadTest test, LoadTestStatus before, LoadTestStatus next) {
        boolean changed = before.phase() != next.phase()
                || before.verdict() != next.verdict()
                || !Objects.equals(before.run(), next.run())
                || !Objects.equals(before.reason(), next.reason());
        if (!changed || next.phase() == null) {
            return;
        }
        @Nullable Verdict verdict = next.verdict();
        boolean warning = next.phase() == Phase.Failed || (verdict != null && verdict != Verdict.Passed);
        var summary = next.phase() + (verdict == null ? "" : ", verdict " + verdict);
        var message = next.message();
        events.record(
                test,
                warning,
                Objects.requireNonNullElse(next.reason(), next.phase().name()),
                next.phase().name(),
                message == null || message.isEmpty() ? summary : summary + ": " + message);
    }

    private static String text(LoadTest test) {
        return test.getMetadata().getNamespace() + "/" + test.getMetadata().getName();
    }

    private static LoadTestNames names(LoadTest test) {
        return new LoadTestNames(
                test.getMetadata().getNamespace(), test.getMetadata().getName());
    }
}
