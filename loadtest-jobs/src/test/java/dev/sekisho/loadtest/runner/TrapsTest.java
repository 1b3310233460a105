package dev.sekisho.loadtest.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sekisho.loadtest.ScriptRun;
import dev.sekisho.loadtest.Scripts;
import dev.sekisho.loadtest.TargetServer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** k6's traps and exit codes, one script each. */
class TrapsTest {
    private static ScriptRun run(String script, String... flags) {
        return ScriptRun.of(Scripts.ofTests(script), Map.of("TARGET", "http://127.0.0.1:1"), flags);
    }

    @Test
    void thresholdsOnMetricsWithoutSamplesPass() {
        ScriptRun run = run("empty-thresholds.js");

        assertThat(run.exitCode()).isZero();
        assertThat(run.data().at("/metrics/never_rate/thresholds/rate>0.9/ok").asBoolean())
                .isTrue();
        assertThat(run.value("never_trend", "p(95)")).isZero();
        assertThat(run.value("checks{check:no such check}", "passes")).isZero();
    }

    @Test
    void aThrowingIterationCountsAndTheRunEndsWithZero() {
        ScriptRun run = run("throw-in-iteration.js");

        assertThat(run.exitCode()).isZero();
        assertThat(run.value("iterations", "count")).isEqualTo(3);
        assertThat(run.stderr()).contains("boom in iteration", "throw-in-iteration.js:4");
    }

    @Test
    void aThrowInHandleSummaryGivesNoFileAndExitCodeZero() {
        ScriptRun run = run("throw-in-summary.js");

        assertThat(run.exitCode()).isZero();
        assertThat(run.summary()).isEmpty();
        assertThat(run.stderr()).contains("boom in summary");
        assertThat(run.stdout()).contains("iterations");
    }

    @Test
    void aFileThatCannotBeWrittenGivesExitCodeZero() {
        ScriptRun run = run("unwritable-summary.js");

        assertThat(run.exitCode()).isZero();
        assertThat(run.stdout()).contains("to stdout");
        assertThat(run.stderr()).contains("to stderr", "/no/such/folder/summary.json");
    }

    @Test
    void aSummaryThatIsNoObjectGivesExitCodeZero() {
        ScriptRun run = run("wrong-summary.js");

        assertThat(run.exitCode()).isZero();
        assertThat(run.stderr()).contains("should return a map with string keys");
    }

    @Test
    void withoutHandleSummaryThereIsATextSummary() {
        ScriptRun run = run("default-summary.js");

        assertThat(run.exitCode()).isZero();
        assertThat(run.stdout()).contains("✓ good", "✗ bad", "iterations", "checks");
    }

    @Test
    void aThrowInSetupEndsTheRunWithoutIterationsButWithASummary() {
        ScriptRun run = run("throw-in-setup.js");

        assertThat(run.exitCode()).isEqualTo(107);
        assertThat(run.data().path("metrics").has("iterations")).isFalse();
        assertThat(run.stderr()).contains("boom in setup").doesNotContain("teardown ran");
    }

    @Test
    void aThrowInTeardownIsAScriptError() {
        ScriptRun run = run("throw-in-teardown.js");

        assertThat(run.exitCode()).isEqualTo(107);
        assertThat(run.value("iterations", "count")).isEqualTo(1);
    }

    @Test
    void aFailedThresholdGives99AndSaysWhich() {
        ScriptRun run = run("threshold-fails.js");

        assertThat(run.exitCode()).isEqualTo(99);
        assertThat(run.data().at("/metrics/checks/thresholds/rate>0.9/ok").asBoolean(true))
                .isFalse();
        assertThat(run.data().at("/metrics/iterations/thresholds/count>0/ok").asBoolean())
                .isTrue();
        assertThat(run.stderr()).contains("thresholds on metrics 'checks' have been crossed");
    }

    @Test
    void withoutThresholdsNothingFails() {
        assertThat(run("threshold-fails.js", "--no-thresholds").exitCode()).isZero();
    }

    @Test
    void aThresholdCanEndTheRunEarly() {
        ScriptRun run = run("abort-on-fail.js");

        assertThat(run.exitCode()).isEqualTo(99);
        assertThat(run.data().at("/state/testRunDurationMs").asDouble()).isLessThan(30_000);
    }

    @Test
    void abortEndsTheRunAtOnceAndCannotBeCaught() {
        ScriptRun run = run("abort.js");

        assertThat(run.exitCode()).isEqualTo(108);
        assertThat(run.stderr())
                .contains("test aborted: enough", "teardown ran")
                .doesNotContain("can be caught", "the script went on");
        assertThat(run.data().at("/state/testRunDurationMs").asDouble()).isLessThan(30_000);
    }

    @Test
    void aRunMarkedAsFailedGoesOnAndGives110EvenIfThresholdsFailToo() {
        ScriptRun run = run("fail.js");

        assertThat(run.exitCode()).isEqualTo(110);
        assertThat(run.value("iterations", "count")).isEqualTo(2);
    }

    @Test
    void iterationsBeyondTheGracefulStopAreCutOffAndDoNotCount() {
        ScriptRun run = run("graceful-stop.js");

        assertThat(run.exitCode()).isZero();
        assertThat(run.value("iterations", "count")).isEqualTo(1);
    }

    @Test
    void iterationsThatTheTimeDidNotSufficeForAreDropped() {
        ScriptRun run = run("dropped.js");

        assertThat(run.value("iterations", "count")).isEqualTo(4);
        assertThat(run.value("dropped_iterations", "count")).isEqualTo(16);
    }

    @Test
    void droppedIterationsAreAbsentWhenThereAreNone() {
        assertThat(run("throw-in-iteration.js").data().path("metrics").has("dropped_iterations"))
                .isFalse();
    }

    @Test
    void aRefusedConnectionHasItsCodeAndThrowsNothing() {
        ScriptRun run = ScriptRun.of(Scripts.ofTests("refused.js"), Map.of("CLOSED", "http://127.0.0.1:1"));

        assertThat(run.failedChecks()).isEmpty();
        assertThat(run.checks()).hasSize(6);
        assertThat(run.value("http_reqs", "count")).isEqualTo(2);
        assertThat(run.value("http_req_failed", "rate")).isEqualTo(1);
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void jsonThrowsOnInvalidJsonWhereAPathDoesNot() {
        try (TargetServer server = TargetServer.start()) {
            ScriptRun run = ScriptRun.of(Scripts.ofTests("json.js"), Map.of("TARGET", server.url()));

            assertThat(run.failedChecks()).isEmpty();
            assertThat(run.checks()).hasSize(12);
        }
    }

    @Test
    void b64decodeGivesAnArrayBufferUnlessAskedForText() {
        ScriptRun run = run("encoding.js");

        assertThat(run.failedChecks()).isEmpty();
        assertThat(run.checks()).hasSize(10);
    }

    @Test
    void whatTheEngineOfK6LacksIsHidden() {
        ScriptRun run = run("globals.js", "-e", "GIVEN=by flag");

        assertThat(run.stderr()).doesNotContain("found ");
        assertThat(run.failedChecks()).isEmpty();
        assertThat(run.checks()).hasSize(9);
    }

    @ParameterizedTest
    @CsvSource({
        "slow-setup.js, 100",
        "slow-teardown.js, 101",
        "bad-vus.js, 104",
        "both-ways.js, 104",
        "unknown-metric.js, 104",
        "wrong-aggregation.js, 104",
        "missing-exec.js, 104",
        "syntax-error.js, 107",
        "throw-in-init.js, 107",
        "missing-import.js, 107",
        "no-function.js, 255",
        "no-such-script.js, 255",
    })
    void aBrokenScriptHasTheExitCodeOfK6(String script, int exitCode) {
        assertThat(run(script).exitCode()).isEqualTo(exitCode);
    }

    @Test
    void anUnknownFlagGives255() {
        assertThat(run("default-summary.js", "--no-such-flag").exitCode()).isEqualTo(255);
    }
}
