package dev.sekisho.operator.loadtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sekisho.api.v1alpha1.LoadTestSpec;
import dev.sekisho.api.v1alpha1.LoadTestStatus;
import dev.sekisho.api.v1alpha1.LoadTestStatus.Phase;
import dev.sekisho.api.v1alpha1.LoadTestStatus.StepResult;
import dev.sekisho.api.v1alpha1.LoadTestStatus.Verdict;
import dev.sekisho.operator.loadtest.Planner.Action;
import dev.sekisho.operator.loadtest.Planner.Observed;
import dev.sekisho.operator.loadtest.Planner.Script;
import dev.sekisho.operator.loadtest.Planner.Target;
import dev.sekisho.operator.loadtest.StepRun.Exited;
import dev.sekisho.operator.loadtest.StepRun.Obstacle;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class PlannerTest {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final Target READY = new Target.Found(true, false, true, "");
    private static final Target DENYING = new Target.Found(false, false, true, "");
    private static final Target OFFLINE = new Target.Found(true, true, false, "");
    private static final Target NOT_READY = new Target.Found(true, false, false, "IdpCluster main is not ready");
    private static final Target MISSING = new Target.Missing("there is no IdpCluster ns/main");
    private static final Target NOT_ALLOWED = new Target.NotAllowed("not for this namespace");
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** What is seen, by default of a test of two steps; tests vary it. */
    private record Scene(
            LoadTestSpec spec,
            LoadTestStatus status,
            String run,
            boolean cleaningUp,
            Target target,
            Script script,
            boolean formerRun,
            StepRun step,
            Instant waitingSince) {

        static Scene in(LoadTestStatus status) {
            return new Scene(
                    Samples.spec(2),
                    status,
                    Samples.RUN,
                    false,
                    READY,
                    new Script.Found(),
                    false,
                    new StepRun.Absent(),
                    NOW);
        }

        Scene with(Target other) {
            return new Scene(spec, status, run, cleaningUp, other, script, formerRun, step, waitingSince);
        }

        Scene with(Script other) {
            return new Scene(spec, status, run, cleaningUp, target, other, formerRun, step, waitingSince);
        }

        Scene with(StepRun other) {
            return new Scene(spec, status, run, cleaningUp, target, script, formerRun, other, waitingSince);
        }

        Scene withRun(String other) {
            return new Scene(spec, status, other, cleaningUp, target, script, formerRun, step, waitingSince);
        }

        Scene withFormerRun() {
            return new Scene(spec, status, run, cleaningUp, target, script, true, step, waitingSince);
        }

        Scene withLeftovers() {
            return new Scene(spec, status, run, true, target, script, formerRun, step, waitingSince);
        }

        Scene since(Instant instant) {
            return new Scene(spec, status, run, cleaningUp, target, script, formerRun, step, instant);
        }

        Action plan() {
            return Planner.plan(new Observed(
                    spec,
                    status,
                    run,
                    cleaningUp,
                    target,
                    script,
                    formerRun,
                    step,
                    "smoke-0a1b2c3d-" + status.results().size(),
                    waitingSince,
                    NOW));
        }
    }

    private static Scene pending() {
        return Scene.in(Samples.status(Phase.Pending));
    }

    private static Scene preparing() {
        return Scene.in(Samples.status(Phase.Preparing));
    }

    private static Scene running(StepResult... results) {
        return Scene.in(Samples.status(Phase.Running, results));
    }

    private static StepRun exit(int code, String message) {
        return new Exited(code, code == 0 ? "Completed" : "Error", message);
    }

    @Test
    void aNewLoadTestBegins() {
        assertThat(Scene.in(Samples.status(null)).plan()).isEqualTo(new Action.Begin());
    }

    @ParameterizedTest
    @EnumSource(Phase.class)
    void anotherRunTokenBeginsAnewFromEveryPhase(Phase phase) {
        assertThat(Scene.in(Samples.status(phase, Samples.result(0)))
                        .withRun("ffffffff")
                        .plan())
                .isEqualTo(new Action.Begin());
    }

    static Stream<Arguments> waits() {
        return Stream.of(
                arguments(pending().with(MISSING), Phase.Pending, "ClusterNotFound"),
                arguments(pending().with(NOT_ALLOWED), Phase.Pending, "NamespaceNotAllowed"),
                arguments(pending().with(NOT_READY), Phase.Pending, "ClusterNotReady"),
                arguments(pending().with(new Script.Missing("gone")), Phase.Pending, "ScriptNotFound"),
                arguments(pending(), Phase.Preparing, "Preparing"),
                arguments(running().with(new StepRun.Active()), Phase.Running, "Running"),
                arguments(preparing().with(new StepRun.Active()), Phase.Running, "Running"),
                arguments(running(Samples.result(0)).with(new StepRun.Active()), Phase.Running, "Running"),
                arguments(
                        running().with(starting("ImagePullFailed", Duration.ofSeconds(119))), Phase.Running, "Running"),
                arguments(running().with(NOT_READY).with(new StepRun.Active()), Phase.Running, "Running"));
    }

    @ParameterizedTest(name = "{1}, {2}")
    @MethodSource("waits")
    void itWaits(Scene scene, Phase phase, String reason) {
        assertThat(scene.plan()).isInstanceOfSatisfying(Action.Wait.class, wait -> {
            assertThat(wait.phase()).isEqualTo(phase);
            assertThat(wait.reason()).isEqualTo(reason);
            assertThat(wait.again()).isLessThanOrEqualTo(Duration.ofSeconds(15));
        });
    }

    static Stream<Arguments> ends() {
        var nearly = Samples.result(0);
        return Stream.of(
                // Refused before anything was started.
                failed(pending().with(DENYING), "LoadTestsDenied"),
                failed(pending().with(OFFLINE), "ClusterOffline"),
                failed(pending().with(new Script.TooLarge("big")), "ScriptTooLarge"),
                // The target goes, or changes its mind.
                failed(preparing().with(DENYING), "LoadTestsDenied"),
                failed(running().with(DENYING).with(new StepRun.Active()), "LoadTestsDenied"),
                failed(running().with(OFFLINE).with(new StepRun.Active()), "ClusterOffline"),
                failed(running().with(OFFLINE).with(exit(0, Samples.SUMMARY)), "ClusterOffline"),
                failed(running().with(MISSING).with(new StepRun.Active()), "ClusterGone"),
                failed(running().with(NOT_ALLOWED).with(new StepRun.Active()), "NamespaceNotAllowed"),
                // The pod does not start.
                failed(running().with(starting("ImagePullFailed", PATIENCE)), "ImagePullFailed"),
                failed(running().with(starting("Unschedulable", PATIENCE.plusSeconds(1))), "Unschedulable"),
                failed(running().with(starting("PodNotStarted", PATIENCE)), "PodNotStarted"),
                failed(
                        running()
                                .with(new StepRun.Starting(new Obstacle("ImagePullFailed", "bad", Duration.ZERO), NOW)),
                        "ImagePullFailed"),
                failed(preparing().since(NOW.minus(Duration.ofMinutes(11))), "PreparationTimedOut"),
                failed(running(nearly).since(NOW.minus(Duration.ofMinutes(11))), "PreparationTimedOut"),
                // The pod, the Job or its name is lost.
                failed(running().with(new StepRun.DeadlineExceeded()), "DeadlineExceeded"),
                failed(running().with(new StepRun.Lost("Evicted")), "PodLost"),
                failed(running().with(new StepRun.Foreign()), "NameTaken"),
                failed(running().with(new Exited(137, "OOMKilled", "")), "OOMKilled"),
                failed(running().with(new Exited(0, "OOMKilled", Samples.SUMMARY)), "OOMKilled"),
                // k6's exit codes.
                failed(running().with(exit(100, "")), "SetupTimedOut"),
                failed(running().with(exit(101, Samples.SUMMARY)), "TeardownTimedOut"),
                failed(running().with(exit(104, "")), "InvalidConfiguration"),
                failed(running().with(exit(105, Samples.SUMMARY)), "Interrupted"),
                failed(running().with(exit(137, "")), "Interrupted"),
                failed(running().with(exit(143, "")), "Interrupted"),
                failed(running().with(exit(107, "")), "ScriptFailed"),
                failed(running().with(exit(107, withoutIterations())), "SetupFailed"),
                failed(running().with(exit(107, Samples.SUMMARY)), "ScriptFailed"),
                failed(running().with(exit(108, Samples.SUMMARY)), "ScriptAborted"),
                failed(running().with(exit(255, "")), "EngineFailed"),
                failed(running().with(exit(1, Samples.SUMMARY)), "EngineFailed"),
                failed(running().with(exit(-1, "")), "EngineFailed"),
                // No result to go by.
                failed(running().with(exit(0, "")), "ResultMissing"),
                failed(running().with(exit(0, "{}")), "ResultUnreadable"),
                failed(running(nearly).with(exit(0, "garbage")), "ResultUnreadable"),
                // A verdict.
                completed(running(nearly).with(exit(0, Samples.SUMMARY)), Verdict.Passed, "ObjectivesMet"),
                completed(running(nearly).with(exit(0, slow())), Verdict.Failed, "ObjectiveMissed"),
                completed(running().with(exit(99, Samples.SUMMARY)), Verdict.Failed, "ThresholdFailed"),
                completed(running().with(exit(99, "")), Verdict.Failed, "ThresholdFailed"),
                completed(running().with(exit(110, Samples.SUMMARY)), Verdict.Failed, "TestFailed"),
                completed(running().with(exit(0, withoutIterations())), Verdict.Inconclusive, "NoSamples"),
                completed(running(nearly).with(exit(0, throwing())), Verdict.Failed, "ScriptErrors"),
                completed(running(nearly, Samples.result(1)), Verdict.Passed, "ObjectivesMet"));
    }

    private static Arguments failed(Scene scene, String reason) {
        return arguments(scene, Phase.Failed, Verdict.Inconclusive, reason);
    }

    private static Arguments completed(Scene scene, Verdict verdict, String reason) {
        return arguments(scene, Phase.Completed, verdict, reason);
    }

    @ParameterizedTest(name = "{1}, {2}, {3}")
    @MethodSource("ends")
    void itEnds(Scene scene, Phase phase, Verdict verdict, String reason) {
        assertThat(scene.plan()).isInstanceOfSatisfying(Action.Finish.class, finish -> {
            assertThat(finish.reason()).as(finish.message()).isEqualTo(reason);
            assertThat(finish.phase()).isEqualTo(phase);
            assertThat(finish.verdict()).isEqualTo(verdict);
            assertThat(finish.message()).isNotEmpty();
            assertThat(finish.results().subList(0, scene.status().results().size()))
                    .isEqualTo(scene.status().results());
        });
    }

    @Test
    void aRefusedLoadStartsNothing() {
        assertThat(pending().with(DENYING).withFormerRun().plan()).isInstanceOf(Action.Finish.class);
    }

    @Test
    void aFormerRunEndsBeforeANewOneStarts() {
        assertThat(pending().withFormerRun().plan()).isEqualTo(new Action.EndFormerRun());
    }

    @Test
    void aFormerRunThatDoesNotEndIsNotWaitedForForEver() {
        var longAgo = NOW.minus(Planner.PREPARATION_DEADLINE).minusSeconds(1);
        assertThat(pending().withFormerRun().since(longAgo).plan())
                .isInstanceOfSatisfying(
                        Action.Finish.class,
                        finish -> assertThat(finish.reason()).isEqualTo("FormerRunStuck"));
    }

    @Test
    void aStepWithoutAJobIsStarted() {
        assertThat(preparing().plan()).isEqualTo(new Action.StartStep(0));
        assertThat(running(Samples.result(0)).plan()).isEqualTo(new Action.StartStep(1));
    }

    @Test
    void aMeasuredStepIsKeptAndOthersFollow() {
        assertThat(running().with(exit(0, Samples.SUMMARY)).plan())
                .isInstanceOfSatisfying(
                        Action.Keep.class,
                        keep -> assertThat(keep.result().requests()).isEqualTo(3000));
    }

    @Test
    void aStepThatWasMeasuredWhileTheOperatorWasAwayIsKeptAllTheSame() {
        assertThat(preparing().with(exit(0, Samples.SUMMARY)).plan()).isInstanceOf(Action.Keep.class);
    }

    @Test
    void aMissedObjectiveDoesNotStopLaterSteps() {
        assertThat(running().with(exit(0, slow())).plan()).isInstanceOf(Action.Keep.class);
    }

    @Test
    void theResultOfAStepThatCrossedAThresholdIsKept() {
        assertThat(running().with(exit(99, Samples.SUMMARY)).plan())
                .isInstanceOfSatisfying(
                        Action.Finish.class,
                        finish -> assertThat(finish.results()).hasSize(1));
    }

    @ParameterizedTest
    @CsvSource({"Completed", "Failed"})
    void anEndedRunIsCleanedUpAndThenRests(Phase phase) {
        var ended = Scene.in(Samples.status(phase, Samples.result(0)));
        assertThat(ended.withLeftovers().plan()).isEqualTo(new Action.CleanUp());
        assertThat(ended.plan()).isEqualTo(new Action.Rest());
        assertThat(ended.with(MISSING).plan()).isEqualTo(new Action.Rest());
        assertThat(ended.with(DENYING).withLeftovers().plan()).isEqualTo(new Action.CleanUp());
    }

    @Test
    void whatTheScriptPrintsNeverReachesAMessage() {
        var finish = (Action.Finish) running().with(exit(0, "password=hunter2")).plan();
        assertThat(finish.message()).doesNotContain("hunter2");
    }

    private static StepRun starting(String reason, Duration waited) {
        return new StepRun.Starting(new Obstacle(reason, "something is in the way", PATIENCE), NOW.minus(waited));
    }

    private static String withoutIterations() {
        return Samples.SUMMARY.replace("\"iterations\":2998", "\"iterations\":0");
    }

    private static String slow() {
        return Samples.SUMMARY.replace("\"p95\":7.25", "\"p95\":500.1");
    }

    private static String throwing() {
        return Samples.SUMMARY.replace("\"scriptErrors\":0", "\"scriptErrors\":3");
    }
}
