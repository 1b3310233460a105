package dev.sekisho.loadtest.runner;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sekisho.loadtest.ScriptRun;
import dev.sekisho.loadtest.Scripts;
import dev.sekisho.loadtest.TargetServer;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same scripts by k6 itself and by this runner: same exit code, same checks, same counts. */
@EnabledIfEnvironmentVariable(
        named = "SEKISHO_K6",
        matches = ".+",
        disabledReason = "set SEKISHO_K6 to a k6 binary to compare this runner with it")
class RealK6Test {
    /** Those that only depend on time, or on how long one takes to start. */
    private static final Set<String> UNCOMPARED = Set.of("vus", "vus_max", "data_sent", "data_received");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "everything.js",
                "empty-thresholds.js",
                "throw-in-iteration.js",
                "throw-in-summary.js",
                "throw-in-setup.js",
                "throw-in-teardown.js",
                "unwritable-summary.js",
                "wrong-summary.js",
                "refused.js",
                "json.js",
                "encoding.js",
                "requests.js",
                "asynchronous.js",
                "globals.js",
                "threshold-fails.js",
                "fail.js",
                "graceful-stop.js",
                "dropped.js",
                "slow-setup.js",
                "slow-teardown.js",
                "bad-vus.js",
                "both-ways.js",
                "unknown-metric.js",
                "wrong-aggregation.js",
                "missing-exec.js",
                "syntax-error.js",
                "throw-in-init.js",
                "missing-import.js",
                "no-function.js",
                "no-such-script.js"
            })
    void bothAgree(String script) throws IOException, InterruptedException {
        try (TargetServer server = TargetServer.start()) {
            Map<String, String> environment = Map.of("TARGET", server.url(), "CLOSED", "http://127.0.0.1:1");
            ScriptRun k6 = ScriptRun.ofK6(
                    System.getenv().getOrDefault("SEKISHO_K6", "k6"),
                    Scripts.ofTests(script),
                    environment,
                    "-e",
                    "GIVEN=by flag");
            ScriptRun ours = ScriptRun.of(Scripts.ofTests(script), environment, "-e", "GIVEN=by flag");

            assertThat(ours.exitCode()).as("exit code").isEqualTo(k6.exitCode());
            assertThat(ours.summary().isPresent())
                    .as("has a summary")
                    .isEqualTo(k6.summary().isPresent());
            if (k6.summary().isPresent()) {
                assertThat(ours.checks()).isEqualTo(k6.checks());
                assertThat(metrics(ours)).isEqualTo(metrics(k6));
            }
        }
    }

    /** What does not depend on time: types, names of values, counts, outcomes of thresholds. */
    private static Map<String, String> metrics(ScriptRun run) {
        Map<String, String> metrics = new TreeMap<>();
        for (var metric : run.data().path("metrics").properties()) {
            if (UNCOMPARED.contains(metric.getKey())) {
                continue;
            }
            JsonNode json = metric.getValue();
            Set<String> values = new TreeSet<>();
            json.path("values")
                    .properties()
                    .forEach(value -> values.add(
                            switch (value.getKey()) {
                                case "count", "passes", "fails", "value" ->
                                    value.getKey() + "=" + value.getValue().asDouble();
                                default -> value.getKey();
                            }));
            Set<String> thresholds = new TreeSet<>();
            json.path("thresholds")
                    .properties()
                    .forEach(threshold -> thresholds.add(threshold.getKey() + threshold.getValue()));
            metrics.put(
                    metric.getKey(),
                    json.path("type").asText() + " " + json.path("contains").asText() + " " + values + " "
                            + thresholds);
        }
        return metrics;
    }
}
