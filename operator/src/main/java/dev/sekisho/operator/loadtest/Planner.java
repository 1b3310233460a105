package dev.sekisho.operator.loadtest;

import dev.sekisho.api.v1alpha1.LoadTestSpec;
import dev.sekisho.api.v1alpha1.LoadTestSpec.Step;
import dev.sekisho.api.v1alpha1.LoadTestStatus;
import dev.sekisho.api.v1alpha1.LoadTestStatus.Phase;
import dev.sekisho.api.v1alpha1.LoadTestStatus.StepResult;
import dev.sekisho.api.v1alpha1.LoadTestStatus.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides what a load test does next, from what it should do and what is seen. Pure: the same input gives the same
 * action, so that every transition is a row of a table in a test.
 */
final class Planner {
    /** How long a run may wait between its start and its first step, or between two steps. */
    static final Duration PREPARATION_DEADLINE = Duration.ofMinutes(10);

    /** Waits end by an event of what is awaited; this is for what sends none. */
    static final Duration GLANCE = Duration.ofSeconds(5);

    private Planner() {}

    /** What is next. */
    sealed interface Action {
        /** Forget the former run's results and start anew. */
        record Begin() implements Action {}

        /** Stay, say why, and look again. */
        record Wait(Phase phase, String reason, String message, Duration again) implements Action {}

        /** Delete Jobs of former runs; two loads at once would measure each other. */
        record EndFormerRun() implements Action {}

        /** Make sure that tenants, credentials and scripts are there, then start the step's Job. */
        record StartStep(int step) implements Action {}

        /** Keep the step's result and go on to the next step. */
        record Keep(StepResult result) implements Action {}

        /**
         * End the run.
         *
         * @param phase Completed when all steps ran to their end, else Failed
         * @param verdict what it says about the target
         * @param reason why
         * @param message why, for people
         * @param results all results, that of the last step included
         */
        record Finish(Phase phase, Verdict verdict, String reason, String message, List<StepResult> results)
                implements Action {
            public Finish {
                results = List.copyOf(results);
            }
        }

        /** Remove tenants and credentials. */
        record CleanUp() implements Action {}

        /** Nothing is left to do. */
        record Rest() implements Action {}
    }

    /** The cluster that the load test aims at. */
    sealed interface Target {
        /** It is there, and may be used from here. */
        record Found(boolean allowsLoadTests, boolean offline, boolean ready, String message) implements Target {}

        /** It is not there, or is being deleted. */
        record Missing(String message) implements Target {}

        /** It does not allow this namespace. */
        record NotAllowed(String message) implements Target {}
    }

    /**
     * What is seen.
     *
     * @param spec what the load test should do
     * @param status what it has done; an empty status when it is new
     * @param run the run that the spec asks for
     * @param cleaningUp whether the ended run left something to remove
     * @param target the cluster
     * @param script whether the script is there
     * @param formerRun whether Jobs or pods of another run are there
     * @param step how far the current step's Job is
     * @param job the current step's Job's name, for messages
     * @param waitingSince since when the former run should have ended, or the current step could have been started
     * @param now the time
     */
    record Observed(
            LoadTestSpec spec,
            LoadTestStatus status,
            String run,
            boolean cleaningUp,
            Target target,
            Script script,
            boolean formerRun,
            StepRun step,
            String job,
            Instant waitingSince,
            Instant now) {}

    /** Whether the script that the spec names can be used. */
    sealed interface Script {
        record Found() implements Script {}

        record Missing(String message) implements Script {}

        record TooLarge(String message) implements Script {}
    }

    /** Says what is next. */
    static Action plan(Observed seen) {
        var status = seen.status();
        if (!seen.run().equals(status.run()) || status.phase() == null) {
            return new Action.Begin();
        }
        return switch (status.phase()) {
            case Completed, Failed -> seen.cleaningUp() ? new Action.CleanUp() : new Action.Rest();
            case Pending -> pending(seen);
            case Preparing, Running -> started(seen);
        };
    }

    private static Action pending(Observed seen) {
        switch (seen.target()) {
            case Target.Missing missing -> {
                return waiting(Reasons.CLUSTER_NOT_FOUND, missing.message());
            }
            case Target.NotAllowed notAllowed -> {
                return waiting(Reasons.NAMESPACE_NOT_ALLOWED, notAllowed.message());
            }
            case Target.Found found -> {
                if (!found.allowsLoadTests()) {
                    return denied(seen);
                }
                if (found.offline()) {
                    return broken(
                            seen,
                            Reasons.CLUSTER_OFFLINE,
                            "the IdpCluster is scaled to zero: there is nothing to put a load on");
                }
                if (!found.ready()) {
                    return waiting(Reasons.CLUSTER_NOT_READY, found.message());
                }
            }
        }
        switch (seen.script()) {
            case Script.Missing missing -> {
                return waiting(Reasons.SCRIPT_NOT_FOUND, missing.message());
            }
            case Script.TooLarge tooLarge -> {
                return broken(seen, Reasons.SCRIPT_TOO_LARGE, tooLarge.message());
            }
            case Script.Found found -> {}
        }
        if (seen.formerRun()) {
            return Duration.between(seen.waitingSince(), seen.now()).compareTo(PREPARATION_DEADLINE) > 0
                    ? broken(
                            seen,
                            Reasons.FORMER_RUN_STUCK,
                            "Jobs or pods of the former run did not end within " + PREPARATION_DEADLINE.toMinutes()
                                    + " minutes")
                    : new Action.EndFormerRun();
        }
        return new Action.Wait(Phase.Preparing, Reasons.PREPARING, "making tenants and credentials", Duration.ZERO);
    }

    private static Action started(Observed seen) {
        switch (seen.target()) {
            case Target.Missing missing -> {
                return broken(seen, Reasons.CLUSTER_GONE, missing.message());
            }
            case Target.NotAllowed notAllowed -> {
                return broken(seen, Reasons.NAMESPACE_NOT_ALLOWED, notAllowed.message());
            }
            case Target.Found found -> {
                if (!found.allowsLoadTests()) {
                    return denied(seen);
                }
                // Slow failures weigh little beside many fast answers from before: the figures would not show it.
                if (found.offline()) {
                    return broken(
                            seen, Reasons.CLUSTER_OFFLINE, "the IdpCluster was scaled to zero while the test ran");
                }
            }
        }
        int step = seen.status().results().size();
        if (step >= seen.spec().steps().size()) {
            return judged(seen, seen.status().results());
        }
        return switch (seen.step()) {
            case StepRun.Absent absent -> toStart(seen, step);
            case StepRun.Foreign foreign ->
                broken(seen, Reasons.NAME_TAKEN, "a Job named " + seen.job() + " exists and belongs to somebody else");
            case StepRun.Starting starting -> starting(seen, step, starting);
            case StepRun.Active active ->
                new Action.Wait(Phase.Running, Reasons.RUNNING, describe(seen, step), Duration.ofSeconds(15));
            case StepRun.DeadlineExceeded exceeded ->
                broken(seen, Reasons.DEADLINE_EXCEEDED, "Job " + seen.job() + " ran for longer than its deadline");
            case StepRun.Lost lost ->
                broken(
                        seen,
                        Reasons.POD_LOST,
                        "the pod of Job " + seen.job() + " is gone without a result"
                                + (lost.cause().isEmpty() ? "" : " (" + lost.cause() + ")"));
            case StepRun.Exited exited -> exited(seen, step, exited);
        };
    }

    private static Action toStart(Observed seen, int step) {
        if (Duration.between(seen.waitingSince(), seen.now()).compareTo(PREPARATION_DEADLINE) > 0) {
            var last = seen.status().message();
            return broken(
                    seen,
                    Reasons.PREPARATION_TIMED_OUT,
                    "step " + (step + 1) + " could not be started within " + PREPARATION_DEADLINE.toMinutes()
                            + " minutes" + (last == null || last.isEmpty() ? "" : ": " + last));
        }
        return new Action.StartStep(step);
    }

    private static Action starting(Observed seen, int step, StepRun.Starting starting) {
        var obstacle = starting.obstacle();
        var waited = Duration.between(starting.since(), seen.now());
        if (waited.compareTo(obstacle.patience()) >= 0) {
            return broken(seen, obstacle.reason(), "Job " + seen.job() + ": " + obstacle.message());
        }
        // The message would change with each of the kubelet's attempts; the reason alone goes into status.
        return new Action.Wait(
                Phase.Running,
                Reasons.RUNNING,
                describe(seen, step),
                min(GLANCE, obstacle.patience().minus(waited)));
    }

    private static String describe(Observed seen, int step) {
        var asked = seen.spec().steps().get(step);
        return "step %d of %d: %d virtual users for %s (Job %s)"
                .formatted(step + 1, seen.spec().steps().size(), asked.vus(), asked.duration(), seen.job());
    }

    private static Action exited(Observed seen, int step, StepRun.Exited exited) {
        if (exited.cause().equals("OOMKilled")) {
            return broken(
                    seen,
                    Reasons.OOM_KILLED,
                    "Job " + seen.job() + " needed more memory than its limit; raise engine.resources.limits.memory");
        }
        Step asked = seen.spec().steps().get(step);
        var summary = Summary.read(exited.message(), step, asked);
        return switch (exited.exitCode()) {
            case 0 -> measured(seen, summary);
            case 99 ->
                ended(seen, summary, Verdict.Failed, Reasons.THRESHOLD_FAILED, "a threshold of the script was crossed");
            case 110 ->
                ended(seen, summary, Verdict.Failed, Reasons.TEST_FAILED, "the script marked the test as failed");
            case 107 ->
                beforeFirstIteration(summary)
                        ? broken(seen, Reasons.SETUP_FAILED, "the script failed in its setup" + see(seen))
                        : broken(seen, Reasons.SCRIPT_FAILED, "the script failed" + see(seen));
            case 100 -> broken(seen, Reasons.SETUP_TIMED_OUT, "the script's setup took too long" + see(seen));
            case 101 -> broken(seen, Reasons.TEARDOWN_TIMED_OUT, "the script's teardown took too long" + see(seen));
            case 104 -> broken(seen, Reasons.INVALID_CONFIGURATION, "k6 refused the script's options" + see(seen));
            case 108 -> broken(seen, Reasons.SCRIPT_ABORTED, "the script aborted the test" + see(seen));
            case 105, 130, 137, 143 ->
                broken(seen, Reasons.INTERRUPTED, "k6 was stopped from outside, exit code " + exited.exitCode());
            default -> broken(seen, Reasons.ENGINE_FAILED, "k6 ended with exit code " + exited.exitCode() + see(seen));
        };
    }

    private static String see(Observed seen) {
        return "; its log says more (kubectl logs job/" + seen.job() + ")";
    }

    private static boolean beforeFirstIteration(Summary summary) {
        return summary instanceof Summary.Readable(var result)
                && result.iterations() != null
                && result.iterations() == 0;
    }

    private static Action measured(Observed seen, Summary summary) {
        return switch (summary) {
            case Summary.Missing missing ->
                broken(
                        seen,
                        Reasons.RESULT_MISSING,
                        "Job " + seen.job() + " ended without a result: the script's handleSummary is missing or threw"
                                + see(seen));
            case Summary.Unreadable unreadable ->
                broken(
                        seen,
                        Reasons.RESULT_UNREADABLE,
                        "the result of Job " + seen.job() + " cannot be used: " + unreadable.why());
            case Summary.Readable(var result) -> {
                var results = with(seen.status().results(), result);
                if (results.size() >= seen.spec().steps().size() || !Verdicts.hasSamples(result)) {
                    yield judged(seen, results);
                }
                yield new Action.Keep(result);
            }
        };
    }

    /** The script itself has judged: later steps would not change it. */
    private static Action ended(Observed seen, Summary summary, Verdict verdict, String reason, String message) {
        var results = summary instanceof Summary.Readable(var result)
                ? with(seen.status().results(), result)
                : seen.status().results();
        return new Action.Finish(Phase.Completed, verdict, reason, message + see(seen), results);
    }

    private static Action judged(Observed seen, List<StepResult> results) {
        var judgement =
                Verdicts.judge(results, Verdicts.objectives(results, seen.spec().objectives()));
        return new Action.Finish(
                Phase.Completed, judgement.verdict(), judgement.reason(), judgement.message(), results);
    }

    private static Action denied(Observed seen) {
        return broken(
                seen,
                Reasons.LOAD_TESTS_DENIED,
                "the IdpCluster does not allow load tests: its spec.loadTests is Deny");
    }

    private static Action broken(Observed seen, String reason, String message) {
        return new Action.Finish(
                Phase.Failed,
                Verdict.Inconclusive,
                reason,
                message,
                seen.status().results());
    }

    private static Action waiting(String reason, String message) {
        return new Action.Wait(Phase.Pending, reason, message, GLANCE);
    }

    private static List<StepResult> with(List<StepResult> results, StepResult last) {
        var all = new ArrayList<>(results);
        all.add(last);
        return all;
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }
}
