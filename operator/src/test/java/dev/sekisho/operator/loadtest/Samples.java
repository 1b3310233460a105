package dev.sekisho.operator.loadtest;

import dev.sekisho.api.v1alpha1.ClusterRef;
import dev.sekisho.api.v1alpha1.LoadTestSpec;
import dev.sekisho.api.v1alpha1.LoadTestSpec.Data;
import dev.sekisho.api.v1alpha1.LoadTestSpec.Measure;
import dev.sekisho.api.v1alpha1.LoadTestSpec.Objective;
import dev.sekisho.api.v1alpha1.LoadTestSpec.Scenario;
import dev.sekisho.api.v1alpha1.LoadTestSpec.Step;
import dev.sekisho.api.v1alpha1.LoadTestStatus;
import dev.sekisho.api.v1alpha1.LoadTestStatus.CheckResult;
import dev.sekisho.api.v1alpha1.LoadTestStatus.Phase;
import dev.sekisho.api.v1alpha1.LoadTestStatus.StepResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Specs, statuses and results that tests vary. */
final class Samples {
    static final String RUN = "0a1b2c3d";

    /** The least that a pod may say. */
    static final String SUMMARY = """
            {"v":1,"scenario":"jwks","vus":10,"durationMs":30012.1,"requests":3000,"requestRate":99.96,\
            "iterations":2998,"iterationRate":99.9,"droppedIterations":0,"scriptErrors":0,"errorRate":0,\
            "checks":{"passes":5996,"fails":0,"byName":[{"name":"jwks: status is 200","passes":2998,"fails":0},\
            {"name":"jwks: has keys","passes":2998,"fails":0}]},\
            "duration":{"avg":3.1,"min":1.2,"med":2.8,"p90":5.5,"p95":7.25,"p99":20.4,"max":54.69}}""";

    private Samples() {}

    static LoadTestSpec spec(int steps) {
        return spec(steps, List.of(new Objective(Measure.P95, 500.0, null)));
    }

    static LoadTestSpec spec(int steps, List<Objective> objectives) {
        return new LoadTestSpec(
                new ClusterRef("main", null),
                new Scenario("jwks", null),
                new Data(2),
                java.util.stream.IntStream.range(0, steps)
                        .mapToObj(i -> new Step(10 * (i + 1), "30s"))
                        .toList(),
                objectives,
                new LoadTestSpec.Engine(null, null),
                "",
                new LoadTestSpec.Cleanup("1h"));
    }

    static LoadTestStatus status(@Nullable Phase phase, StepResult... results) {
        return new LoadTestStatus(1L, RUN, phase, null, null, null, null, null, List.of(results), List.of(), List.of());
    }

    static StepResult result(int step) {
        return result(step, 7.25, 5996, 0);
    }

    static StepResult result(int step, double p95, long passes, long fails) {
        return new StepResult(
                step,
                10,
                "30s",
                3000L,
                99.96,
                2998L,
                99.9,
                0L,
                0.0,
                3.1,
                1.2,
                2.8,
                5.5,
                p95,
                20.4,
                54.69,
                passes,
                fails,
                List.of(new CheckResult("jwks: status is 200", passes, fails)));
    }

    /** A step that made requests in its setup only. */
    static StepResult withoutIterations(int step) {
        return new StepResult(
                step, 10, "30s", 6L, 0.2, 0L, 0.0, 0L, 0.0, 3.1, 1.2, 2.8, 5.5, 7.25, 20.4, 54.69, 0L, 0L, List.of());
    }
}
