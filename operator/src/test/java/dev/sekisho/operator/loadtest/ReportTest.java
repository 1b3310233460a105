package dev.sekisho.operator.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sekisho.api.v1alpha1.LoadTestSpec.Measure;
import dev.sekisho.api.v1alpha1.LoadTestSpec.Objective;
import dev.sekisho.api.v1alpha1.LoadTestStatus;
import dev.sekisho.api.v1alpha1.LoadTestStatus.CheckResult;
import dev.sekisho.api.v1alpha1.LoadTestStatus.Phase;
import dev.sekisho.api.v1alpha1.LoadTestStatus.StepResult;
import dev.sekisho.api.v1alpha1.LoadTestStatus.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportTest {
    @Test
    void theReportOfAJudgedRun() {
        var objectives =
                List.of(new Objective(Measure.P95, 500.0, null), new Objective(Measure.CHECK_RATE, null, 0.99));
        var results = List.of(Samples.result(0), Samples.result(1, 612.5, 990, 10));
        var status = new LoadTestStatus(
                1L,
                Samples.RUN,
                Phase.Completed,
                Verdict.Failed,
                "ObjectiveMissed",
                "p95 612.5 > 500 (step 2)",
                "2026-01-01T12:00:00Z",
                "2026-01-01T12:01:05Z",
                results,
                Verdicts.objectives(results, objectives),
                List.of());

        assertThat(Report.render("demo", "smoke", Samples.spec(2, objectives), status))
                .isEqualTo(LoadTestObjectsTest.golden("report.md"));
    }

    @Test
    void aRunWithoutResultsHasAReportToo() {
        var status = new LoadTestStatus(
                1L,
                Samples.RUN,
                Phase.Failed,
                Verdict.Inconclusive,
                "SetupFailed",
                "the script failed in its setup",
                null,
                "2026-01-01T12:01:05Z",
                List.of(),
                List.of(),
                List.of());

        assertThat(Report.render("demo", "smoke", Samples.spec(1), status))
                .contains("**Verdict: Inconclusive** – SetupFailed: the script failed in its setup")
                .contains("No step has a result.")
                .contains("None was judged.");
    }

    @Test
    void namesOfChecksCannotBreakTheTable() {
        var good = Samples.result(0);
        var result = new StepResult(
                0,
                good.vus(),
                good.duration(),
                good.requests(),
                good.requestsPerSecond(),
                good.iterations(),
                good.iterationsPerSecond(),
                good.droppedIterations(),
                good.errorRate(),
                good.avg(),
                good.min(),
                good.med(),
                good.p90(),
                good.p95(),
                good.p99(),
                good.max(),
                good.checksPassed(),
                good.checksFailed(),
                List.of(new CheckResult("a | b\n# c", 1L, 0L)));

        assertThat(Report.render("demo", "smoke", Samples.spec(1), Samples.status(Phase.Completed, result)))
                .contains("| 1    | a \\| b # c |");
    }

    @Test
    void aTinyBoundDoesNotReadAsZero() {
        assertThat(Figures.plain(0.00001)).isEqualTo("0.00001");
        assertThat(Figures.plain(0.01)).isEqualTo("0.01");
        assertThat(Figures.plain(500)).isEqualTo("500");
        assertThat(Figures.plain(1234.5678)).isEqualTo("1234.568");
        assertThat(Figures.plain(0)).isEqualTo("0");
    }
}
