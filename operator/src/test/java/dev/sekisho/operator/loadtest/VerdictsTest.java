package dev.sekisho.operator.loadtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sekisho.api.v1alpha1.LoadTestSpec.Measure;
import dev.sekisho.api.v1alpha1.LoadTestSpec.Objective;
import dev.sekisho.api.v1alpha1.LoadTestStatus.CheckResult;
import dev.sekisho.api.v1alpha1.LoadTestStatus.StepResult;
import dev.sekisho.api.v1alpha1.LoadTestStatus.Verdict;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class VerdictsTest {
    private static final List<Objective> P95 = List.of(new Objective(Measure.P95, 500.0, null));

    static Stream<Arguments> verdicts() {
        var good = Samples.result(0);
        return Stream.of(
                arguments("all met", List.of(good), P95, Verdict.Passed, "ObjectivesMet"),
                arguments("two steps", List.of(good, Samples.result(1)), P95, Verdict.Passed, "ObjectivesMet"),
                arguments("at the bound", List.of(Samples.result(0, 500, 10, 0)), P95, Verdict.Passed, "ObjectivesMet"),
                arguments("above", List.of(Samples.result(0, 500.001, 10, 0)), P95, Verdict.Failed, "ObjectiveMissed"),
                arguments(
                        "one step above",
                        List.of(good, Samples.result(1, 900, 10, 0)),
                        P95,
                        Verdict.Failed,
                        "ObjectiveMissed"),
                arguments(
                        "impossible bound",
                        List.of(good),
                        List.of(new Objective(Measure.P95, 0.01, null)),
                        Verdict.Failed,
                        "ObjectiveMissed"),
                arguments(
                        "below",
                        List.of(good),
                        List.of(new Objective(Measure.REQUESTS_PER_SECOND, null, 100.0)),
                        Verdict.Failed,
                        "ObjectiveMissed"),
                arguments(
                        "an objective without a bound",
                        List.of(good),
                        List.of(new Objective(Measure.P95, null, null)),
                        Verdict.Failed,
                        "ObjectiveMissed"),
                arguments(
                        "fast but wrong",
                        List.of(Samples.result(0, 1, 0, 3000)),
                        P95,
                        Verdict.Failed,
                        "AllChecksFailed"),
                arguments("no step", List.of(), P95, Verdict.Inconclusive, "ResultMissing"),
                arguments(
                        "requests of setup only",
                        List.of(Samples.withoutIterations(0)),
                        P95,
                        Verdict.Inconclusive,
                        "NoSamples"),
                arguments("no requests", List.of(withoutRequests()), P95, Verdict.Inconclusive, "NoSamples"),
                arguments(
                        "second step empty",
                        List.of(good, Samples.withoutIterations(1)),
                        P95,
                        Verdict.Inconclusive,
                        "NoSamples"),
                arguments("no checks", List.of(Samples.result(0, 1, 0, 0)), P95, Verdict.Inconclusive, "NoChecks"),
                arguments("no objectives", List.of(good), List.of(), Verdict.Inconclusive, "NoObjectives"),
                arguments("throwing iterations", List.of(throwing()), P95, Verdict.Failed, "ScriptErrors"));
    }

    @ParameterizedTest(name = "{0}: {3}, {4}")
    @MethodSource("verdicts")
    void verdict(String what, List<StepResult> results, List<Objective> objectives, Verdict verdict, String reason) {
        var judgement = Verdicts.judge(results, Verdicts.objectives(results, objectives));

        assertThat(judgement.verdict()).as(what).isEqualTo(verdict);
        assertThat(judgement.reason()).isEqualTo(reason);
        assertThat(judgement.message()).isNotEmpty();
    }

    @Test
    void anObjectiveShowsTheWorstValueOverTheSteps() {
        var results =
                List.of(Samples.result(0, 40, 90, 10), Samples.result(1, 60, 99, 1), Samples.result(2, 50, 95, 5));

        var objectives = Verdicts.objectives(
                results, List.of(new Objective(Measure.P95, 55.0, null), new Objective(Measure.CHECK_RATE, null, 0.9)));

        assertThat(objectives.get(0).actual()).isEqualTo(60);
        assertThat(objectives.get(0).step()).isEqualTo(1);
        assertThat(objectives.get(0).met()).isFalse();
        assertThat(objectives.get(1).actual()).isEqualTo(0.9);
        assertThat(objectives.get(1).step()).isZero();
        assertThat(objectives.get(1).met()).isTrue();
    }

    @Test
    void aMissedObjectiveIsDescribedWithItsFigures() {
        var results = List.of(Samples.result(0, 41.2, 10, 0));
        var objectives = Verdicts.objectives(results, List.of(new Objective(Measure.P95, 0.01, null)));

        assertThat(Verdicts.judge(results, objectives).message()).isEqualTo("p95 41.2 > 0.01 (step 1)");
    }

    @ParameterizedTest
    @EnumSource(Measure.class)
    void everyMeasureIsReadFromAResult(Measure measure) {
        var objectives = Verdicts.objectives(
                List.of(Samples.result(0, 7.25, 10, 1)), List.of(new Objective(measure, null, 0.0)));

        assertThat(objectives.getFirst().actual()).isNotNull();
        assertThat(objectives.getFirst().met()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Measure.class)
    void whatWasNotMeasuredIsNotMet(Measure measure) {
        var empty = new StepResult(
                0, 10, "30s", null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
                List.of());

        var objective = Verdicts.objectives(List.of(empty), List.of(new Objective(measure, null, 1.0)))
                .getFirst();

        assertThat(objective.met()).isFalse();
    }

    private static StepResult withoutRequests() {
        return figures(0L, 100L, null, 10, List.of());
    }

    private static StepResult throwing() {
        return figures(100L, 100L, 1.0, 90, List.of(new CheckResult(Summary.SCRIPT_ERRORS, 0L, 10L)));
    }

    private static StepResult figures(
            long requests, long iterations, @Nullable Double time, long passes, List<CheckResult> checks) {
        return new StepResult(
                0,
                10,
                "30s",
                requests,
                1.0,
                iterations,
                1.0,
                0L,
                0.0,
                time,
                time,
                time,
                time,
                time,
                time,
                time,
                passes,
                0L,
                checks);
    }
}
