package dev.sekisho.loadtest.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sekisho.loadtest.ScriptRun;
import dev.sekisho.loadtest.Scripts;
import dev.sekisho.loadtest.TargetServer;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What scripts can do, with exact counts. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BehaviourTest {
    private final TargetServer server = TargetServer.start();

    @AfterAll
    void stop() {
        server.close();
    }

    private ScriptRun run(String script, String... flags) {
        return ScriptRun.of(Scripts.ofTests(script), Map.of("TARGET", server.url()), flags);
    }

    @Test
    void scenariosThresholdsGroupsTagsAndMetricsCountExactly() {
        long before = server.requests();
        ScriptRun run = run("everything.js");

        assertThat(run.exitCode()).as(run.stderr()).isZero();
        assertThat(server.requests() - before).isEqualTo(11);
        assertThat(run.value("http_reqs", "count")).isEqualTo(11);
        assertThat(run.value("http_req_failed", "passes")).isEqualTo(6);
        assertThat(run.value("iterations", "count")).isEqualTo(10);
        assertThat(run.value("my_gauge", "value")).isEqualTo(7);
        assertThat(run.value("my_rate", "rate")).isEqualTo(1);
        assertThat(run.value("group_duration", "avg")).isPositive();
        assertThat(run.failedChecks()).containsExactly("::always fails");
        assertThat(run.checks())
                .containsEntry("::outer::inner::status is 200", "4/0")
                .containsEntry("::always fails", "0/4")
                .containsEntry("::second: status is 404", "6/0")
                .hasSize(12);
        assertThat(run.data().at("/setup_data/list/2/text").asText()).isEqualTo("ä");
        assertThat(run.data().at("/metrics/my_trend/contains").asText()).isEqualTo("time");
        assertThat(run.data()
                        .at("/metrics/http_reqs{kind:x,name:named}/values/count")
                        .asInt())
                .isEqualTo(4);
    }

    @Test
    void requestsAreSentAndResponsesReadAsByK6() {
        ScriptRun run = run("requests.js");

        assertThat(run.stderr()).doesNotContain("level=error");
        assertThat(run.failedChecks()).isEmpty();
        assertThat(run.checks()).hasSize(22);
    }

    @Test
    void functionsMayBeAsynchronous() {
        ScriptRun run = run("asynchronous.js");

        assertThat(run.checks()).containsEntry("::status is 200", "2/0").containsEntry("::data is there", "2/0");
        assertThat(run.value("iterations", "count")).isEqualTo(2);
        assertThat(run.stderr()).contains("rejected");
        assertThat(run.exitCode()).isZero();
    }

    @Test
    void flagsGoOverEnvironmentAndThatOverTheScript() {
        Map<String, String> environment = Map.of("K6_ITERATIONS", "5", "K6_VUS", "2");
        ScriptRun byEnvironment = ScriptRun.of(Scripts.ofTests("throw-in-iteration.js"), environment);
        ScriptRun byFlag = ScriptRun.of(Scripts.ofTests("throw-in-iteration.js"), environment, "-i", "7");

        assertThat(byEnvironment.value("iterations", "count")).isEqualTo(5);
        assertThat(byFlag.value("iterations", "count")).isEqualTo(7);
    }

    @Test
    void trendStatsAreThoseAskedFor() {
        ScriptRun run = run("throw-in-iteration.js", "--summary-trend-stats", "p(99),count");

        assertThat(run.data().at("/metrics/iteration_duration/values").properties())
                .extracting(Map.Entry::getKey)
                .containsExactly("p(99)", "count");
        assertThat(run.value("iteration_duration", "count")).isEqualTo(3);
    }
}
