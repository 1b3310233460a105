package dev.sekisho.loadtest.scenarios;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sekisho.loadtest.ScriptRun;
import dev.sekisho.loadtest.Scripts;
import dev.sekisho.loadtest.scenarios.FakeIdp.Mood;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The scenarios that ship, against an identity provider that counts. */
class ScenariosTest {
    private final FakeIdp idp = new FakeIdp();

    @AfterEach
    void stop() {
        idp.close();
    }

    private Map<String, String> environment(String... more) {
        Map<String, String> environment = new HashMap<>(Map.of(
                "BASE_URL", idp.url(),
                "TENANT_PREFIX", "lt-0123456789-",
                "TENANTS", "3",
                "CLIENT_ID", "loadtest",
                "CLIENT_SECRET", "s&cret",
                "VUS", "3",
                "DURATION", "1s",
                "SCENARIO", "the scenario"));
        for (int i = 0; i < more.length; i += 2) {
            environment.put(more[i], more[i + 1]);
        }
        return environment;
    }

    private static ScriptRun run(String script, Map<String, String> environment) {
        return ScriptRun.of(Scripts.shipped(script + ".js"), environment);
    }

    @ParameterizedTest
    @CsvSource({"client-credentials, v1/tokens, 4", "jwks, v1/jwks, 3"})
    void aGoodTargetGivesASummaryThatAgreesWithItsCounters(String script, String endpoint, int checks) {
        ScriptRun run = run(script, environment());

        assertThat(run.exitCode()).as(run.stderr()).isZero();
        JsonNode summary = run.data();
        assertThat(summary.path("v").asInt()).isEqualTo(1);
        assertThat(summary.path("scenario").asText()).isEqualTo("the scenario");
        assertThat(summary.path("vus").asInt()).isEqualTo(3);
        assertThat(summary.path("requests").asLong()).isEqualTo(idp.requests()).isGreaterThan(9);
        // Setup calls each of three tenants thrice; all else are iterations of one call.
        assertThat(summary.path("iterations").asLong()).isEqualTo(idp.requests() - 9);
        assertThat(idp.requests(endpoint)).isEqualTo(summary.path("iterations").asLong() + 3);
        assertThat(idp.tenants()).containsExactlyInAnyOrder("lt-0123456789-0", "lt-0123456789-1", "lt-0123456789-2");
        assertThat(summary.path("errorRate").asDouble()).isZero();
        assertThat(summary.path("scriptErrors").asLong()).isZero();
        assertThat(summary.path("droppedIterations").asLong()).isZero();
        assertThat(summary.at("/checks/fails").asLong()).isZero();
        assertThat(summary.at("/checks/passes").asLong())
                .isEqualTo(checks * summary.path("iterations").asLong());
        assertThat(summary.at("/checks/byName")).hasSize(checks);
        for (String figure : new String[] {"avg", "min", "med", "p90", "p95", "p99", "max"}) {
            assertThat(summary.at("/duration/" + figure).asDouble()).as(figure).isPositive();
        }
        assertThat(summary.path("durationMs").asDouble()).isGreaterThanOrEqualTo(1000);
        assertThat(run.stdout()).contains("the scenario: 3 VUs", "duration p95", "ok   ");
    }

    @Test
    void aFixedTenantIsTheOnlyOneThatIsCalled() {
        run("jwks", environment("TENANT_INDEX", "1"));

        assertThat(idp.tenants()).containsExactly("lt-0123456789-1");
    }

    @Test
    void aNamedTenantNeedsNoPrefix() {
        ScriptRun run = run("jwks", environment("TENANT", "acme", "TENANT_PREFIX", ""));

        assertThat(run.exitCode()).isZero();
        assertThat(idp.tenants()).containsExactly("acme");
    }

    @Test
    void setupVerifiesEachOfManyTenants() {
        ScriptRun run = run("jwks", environment("TENANTS", "1000", "VUS", "1"));

        assertThat(run.exitCode()).as(run.stderr()).isZero();
        assertThat(idp.requests(".well-known/openid-configuration")).isEqualTo(1000);
        assertThat(idp.requests("v1/tokens")).isEqualTo(1000);
        assertThat(idp.tenants()).hasSize(1000).contains("lt-0123456789-0", "lt-0123456789-999");
    }

    @Test
    void oneUnusableTenantAmongManyEndsTheRun() {
        idp.unknownTenant("lt-0123456789-37");
        ScriptRun run = run("jwks", environment("TENANTS", "50"));

        assertThat(run.exitCode()).isEqualTo(107);
        assertThat(run.stderr()).contains("tenant lt-0123456789-37", "no usable discovery document", "status 404");
        assertThat(run.data().path("iterations").asLong()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "client-credentials, NO_TOKEN, 'token: has an access token', 0",
        "client-credentials, NOT_JSON, 'token: is a Bearer token', 0",
        "client-credentials, UNAVAILABLE, 'token: status is 200', 1",
        "jwks, NO_KEYS, 'jwks: has keys', 0",
        "jwks, NOT_JSON, 'jwks: every key has a kid', 0",
    })
    void answersWithoutTheContentFailChecks(String script, Mood mood, String check, int failing) {
        idp.mood(mood, 9);
        ScriptRun run = run(script, environment());

        JsonNode summary = run.data();
        assertThat(run.exitCode()).isZero();
        long iterations = summary.path("iterations").asLong();
        assertThat(iterations).isPositive();
        JsonNode worst = summary.at("/checks/byName");
        assertThat(worst).anySatisfy(one -> {
            assertThat(one.path("name").asText()).isEqualTo(check);
            assertThat(one.path("fails").asLong()).isEqualTo(iterations);
        });
        assertThat(worst.path(0).path("fails").asLong()).isEqualTo(iterations);
        assertThat(summary.path("scriptErrors").asLong()).isZero();
        if (failing > 0) {
            assertThat(summary.path("errorRate").asDouble()).isGreaterThan(0.3);
        }
    }

    @Test
    void withoutATargetSetupEndsTheRun() {
        idp.close();
        ScriptRun run = run("client-credentials", environment());

        assertThat(run.exitCode()).isEqualTo(107);
        assertThat(run.stderr())
                .contains("tenant lt-0123456789-0", "no usable discovery document", "connection refused");
        assertThat(run.data().path("iterations").asLong()).isZero();
    }

    @Test
    void aWrongSecretEndsTheRunWithoutBeingShown() {
        ScriptRun run = run("jwks", environment("CLIENT_SECRET", "wrong-secret"));

        assertThat(run.exitCode()).isEqualTo(107);
        assertThat(run.stderr())
                .contains("no usable token", "401", "invalid_client")
                .doesNotContain("wrong-secret");
        assertThat(run.data().toString()).doesNotContain("wrong-secret");
    }

    @ParameterizedTest
    @CsvSource({"BASE_URL, ''", "TENANT_PREFIX, ''", "VUS, none", "TENANTS, 0", "TENANT_INDEX, 3"})
    void aMissingOrWrongSettingIsNamed(String name, String value) {
        ScriptRun run = run("client-credentials", environment(name, value));

        assertThat(run.exitCode()).isEqualTo(107);
        assertThat(run.stderr()).contains(name);
        assertThat(idp.requests()).isZero();
    }

    @Test
    void withoutSamplesDurationIsNull(@TempDir Path folder) throws IOException {
        ScriptRun run = withLibrary(folder, "throwing-scenario.js", environment("VUS", "1"));

        assertThat(run.data().path("requests").asLong()).isZero();
        assertThat(run.data().path("duration").isNull()).isTrue();
    }

    @Test
    void anIterationThatThrowsFailsACheckAndIsCounted(@TempDir Path folder) throws IOException {
        ScriptRun run = withLibrary(folder, "throwing-scenario.js", environment("VUS", "1"));

        long iterations = run.data().path("iterations").asLong();
        assertThat(iterations).isPositive();
        assertThat(run.data().path("scriptErrors").asLong()).isEqualTo(iterations);
        assertThat(run.data().at("/checks/byName/0/name").asText()).isEqualTo("script does not throw");
        assertThat(run.data().at("/checks/byName/0/fails").asLong()).isEqualTo(iterations);
        assertThat(run.stderr()).contains("iteration threw: Error: boom in scenario");
    }

    @Test
    void withoutTheGuardThereIsNoFigureOfScriptErrors(@TempDir Path folder) throws IOException {
        ScriptRun run = withLibrary(folder, "unguarded-scenario.js", environment("VUS", "1"));

        assertThat(run.data().path("iterations").asLong()).isPositive();
        assertThat(run.data().has("scriptErrors")).isFalse();
        assertThat(run.stdout()).contains("script errors....... not counted");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 20, 150, 3000})
    void theSummaryNeverExceedsWhatKubernetesKeeps(int nameLength, @TempDir Path folder) throws IOException {
        ScriptRun run =
                withLibrary(folder, "long-summary.js", environment("NAME_LENGTH", Integer.toString(nameLength)));

        String json = new ObjectMapper().writeValueAsString(run.data());
        assertThat(json.getBytes(StandardCharsets.UTF_8).length).isLessThanOrEqualTo(4096);
        JsonNode byName = run.data().at("/checks/byName");
        assertThat(byName).hasSize(nameLength <= 20 ? 12 : nameLength == 150 ? 11 : 0);
        if (!byName.isEmpty()) {
            assertThat(byName.path(0).path("fails").asInt()).isEqualTo(40);
        }
    }

    @Test
    void theScriptAmongTheExamplesRuns(@TempDir Path folder) throws IOException {
        String yaml = Files.readString(Path.of("../examples/loadtest-own-script.yaml"));
        String script = yaml.substring(yaml.indexOf("script.js: |\n") + 13, yaml.indexOf("\n---\n"))
                .stripIndent();
        Files.copy(Scripts.shipped("lib.js"), folder.resolve("lib.js"));
        ScriptRun run = ScriptRun.of(Files.writeString(folder.resolve("discovery.js"), script), environment());

        assertThat(run.exitCode()).as(run.stderr()).isZero();
        assertThat(run.data().at("/checks/passes").asLong()).isPositive();
        assertThat(run.data().at("/checks/fails").asLong()).isZero();
        assertThat(run.data().path("scriptErrors").isIntegralNumber()).isTrue();
    }

    private static ScriptRun withLibrary(Path folder, String script, Map<String, String> environment)
            throws IOException {
        Files.copy(Scripts.shipped("lib.js"), folder.resolve("lib.js"));
        Path copy = Files.copy(Scripts.ofTests(script), folder.resolve(script));
        return ScriptRun.of(copy, environment);
    }
}
