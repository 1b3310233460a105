package dev.sekisho.loadtest.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sekisho.loadtest.ScriptRun;
import dev.sekisho.loadtest.Scripts;
import dev.sekisho.loadtest.scenarios.FakeIdp.Mood;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The scenarios that ship, by k6 itself and by this runner. */
@EnabledIfEnvironmentVariable(
        named = "SEKISHO_K6",
        matches = ".+",
        disabledReason = "set SEKISHO_K6 to a k6 binary to compare this runner with it")
class RealK6ScenariosTest {
    private static final String K6 = System.getenv().getOrDefault("SEKISHO_K6", "k6");

    @ParameterizedTest
    @CsvSource({
        "client-credentials, GOOD, s&cret",
        "jwks, GOOD, s&cret",
        "client-credentials, NO_TOKEN, s&cret",
        "client-credentials, UNAVAILABLE, s&cret",
        "jwks, NO_KEYS, s&cret",
        "jwks, NOT_JSON, s&cret",
        "jwks, GOOD, wrong",
    })
    void bothAgree(String script, Mood mood, String secret) throws IOException, InterruptedException {
        JsonNode byK6 = run(script, mood, secret, true);
        JsonNode byRunner = run(script, mood, secret, false);

        assertThat(shape(byRunner)).isEqualTo(shape(byK6));
    }

    private static JsonNode run(String script, Mood mood, String secret, boolean k6)
            throws IOException, InterruptedException {
        try (FakeIdp idp = new FakeIdp()) {
            idp.mood(mood, 9);
            Map<String, String> environment = Map.of(
                    "BASE_URL", idp.url(),
                    "TENANT_PREFIX", "lt-",
                    "TENANTS", "3",
                    "CLIENT_ID", "loadtest",
                    "CLIENT_SECRET", secret,
                    "VUS", "2",
                    "DURATION", "1s");
            ScriptRun run = k6
                    ? ScriptRun.ofK6(K6, Scripts.shipped(script + ".js"), environment)
                    : ScriptRun.of(Scripts.shipped(script + ".js"), environment);
            assertThat(run.exitCode()).as(run.stderr()).isEqualTo(secret.equals("wrong") ? 107 : 0);
            assertThat(run.data().path("requests").asLong()).isEqualTo(idp.requests());
            return run.data();
        }
    }

    /** All but the figures: names of fields, and which checks ever failed. */
    private static Set<String> shape(JsonNode summary) {
        Set<String> shape = new TreeSet<>();
        summary.fieldNames().forEachRemaining(shape::add);
        summary.path("duration").fieldNames().forEachRemaining(name -> shape.add("duration." + name));
        for (JsonNode check : summary.at("/checks/byName")) {
            shape.add(check.path("name").asText()
                    + " passes " + (check.path("passes").asLong() > 0)
                    + " fails " + (check.path("fails").asLong() > 0));
        }
        shape.add("errors " + (summary.path("errorRate").asDouble() > 0.05));
        return shape;
    }
}
