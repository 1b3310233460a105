package dev.sekisho.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sekisho.api.v1alpha1.IdpCluster;
import dev.sekisho.api.v1alpha1.LoadTest;
import dev.sekisho.api.v1alpha1.LoadTestStatus;
import dev.sekisho.api.v1alpha1.LoadTestStatus.Phase;
import dev.sekisho.api.v1alpha1.LoadTestStatus.Verdict;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Verdicts that can be believed: passed when it is so, and never otherwise. */
@OnSite
class LoadTestE2E {
    private final Site site;

    LoadTestE2E(Site site) {
        this.site = site;
    }

    private static String loadTest(String name, String scenario, String objectives) {
        return """
            apiVersion: sekisho.dev/v1alpha1
            kind: LoadTest
            metadata:
              name: %s
            spec:
              clusterRef: {name: demo}
              scenario: %s
              steps: [{vus: 2, duration: 4s}]
              objectives: %s
            """.formatted(name, scenario, objectives);
    }

    private static final String REACHED = "[{measure: checkRate, atLeast: 0.99}]";

    @ParameterizedTest
    @ValueSource(strings = {"client-credentials", "jwks"})
    void requestCountsMatchTheRuntimesOwnCounters(String scenario) {
        var name = "counted-" + scenario;
        double before = site.publicRequests();

        site.apply(loadTest(name, "{name: " + scenario + "}", REACHED));
        var ended = site.awaitLoadTestEnd(name);
        double counted = site.publicRequests() - before;

        assertThat(ended.getStatus().verdict()).as(why(ended)).isEqualTo(Verdict.Passed);
        long reported = ended.getStatus().results().stream()
                .mapToLong(r -> Objects.requireNonNull(r.requests()))
                .sum();
        assertThat(reported).isGreaterThan(100);
        assertThat((double) reported).isCloseTo(counted, within(counted / 100));
    }

    @Test
    void anObjectiveThatNoServerCanMeetIsNotMet() {
        site.apply(loadTest("too-strict", "{name: jwks}", "[{measure: p95, atMost: 0.01}]"));
        var ended = site.awaitLoadTestEnd("too-strict");

        assertThat(ended.getStatus().verdict()).as(why(ended)).isEqualTo(Verdict.Failed);
        assertThat(ended.getStatus().phase()).isEqualTo(Phase.Completed);
        var objective = ended.getStatus().objectives().getFirst();
        assertThat(objective.met()).isFalse();
        assertThat(objective.actual()).isGreaterThan(0.01);
    }

    @Test
    void aTestOfAGatewayThatIsNotThereDoesNotPass() {
        site.patchCluster("{\"gateway\":{\"replicas\":0}}");
        try {
            site.awaitObject(
                    io.fabric8.kubernetes.api.model.apps.Deployment.class,
                    Site.CLUSTER + "-gateway",
                    "has no pods",
                    Site.SOON,
                    d -> Integer.valueOf(0).equals(d.getSpec().getReplicas())
                            && Objects.requireNonNullElse(d.getStatus().getReplicas(), 0) == 0);
            site.apply(loadTest("nobody-home", "{name: jwks}", REACHED));
            assertEnd("nobody-home", Phase.Failed, Verdict.Inconclusive, "ClusterOffline");
        } finally {
            site.delete(LoadTest.class, "nobody-home");
            site.patchCluster("{\"gateway\":{\"replicas\":1}}");
            site.awaitClusterReady();
        }
    }

    @Test
    void aTestWhoseTargetGoesAwayWhileItRunsDoesNotPass() {
        site.apply(loadTest("pulled-away", "{name: jwks}", REACHED).replace("duration: 4s", "duration: 15s"));
        try {
            site.awaitObject(
                    LoadTest.class,
                    "pulled-away",
                    "runs",
                    Site.SOON,
                    lt -> lt.getStatus() != null && lt.getStatus().phase() == Phase.Running);
            // The first answers have been given: setup is over, so only the run itself can tell what follows.
            double before = site.publicRequests();
            org.awaitility.Awaitility.await("requests arrive")
                    .atMost(Site.SOON)
                    .until(() -> site.publicRequests() > before + 50);
            site.patchCluster("{\"gateway\":{\"replicas\":0}}");
            assertEnd("pulled-away", Phase.Failed, Verdict.Inconclusive, "ClusterOffline");
        } finally {
            site.patchCluster("{\"gateway\":{\"replicas\":1}}");
            site.awaitClusterReady();
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "throws-in-setup,           Failed,    Inconclusive, ScriptFailed",
        "throws-in-summary,         Failed,    Inconclusive, ResultMissing",
        "writes-no-summary,         Failed,    Inconclusive, ResultMissing",
        "measures-nothing,          Completed, Inconclusive, NoSamples",
        "lies-in-its-summary,       Failed,    Inconclusive, ResultUnreadable",
        "does-not-parse,            Failed,    Inconclusive, ScriptFailed",
        "throws-and-keeps-silent,   Failed,    Inconclusive, ResultUnreadable",
        "throws-under-the-guard,    Completed, Failed,       ScriptErrors"
    })
    void aBrokenScriptDoesNotPass(String name, Phase phase, Verdict verdict, String reason) {
        var body = switch (name) {
            case "throws-in-setup" -> """
                        export function setup() { throw new Error('no luck'); }
                        export default function () { http.get(`${__ENV.BASE_URL}/x/v1/jwks`); }
                        """;
            case "throws-in-summary" -> """
                        export default function () { http.get(`${__ENV.BASE_URL}/${__ENV.TENANT_PREFIX}0/v1/jwks`); }
                        export function handleSummary() { throw new Error('no summary'); }
                        """;
            case "writes-no-summary" -> """
                        export default function () { http.get(`${__ENV.BASE_URL}/${__ENV.TENANT_PREFIX}0/v1/jwks`); }
                        """;
            case "measures-nothing" -> """
                        export default function () {}
                        export function handleSummary() {
                          return { '/dev/termination-log': JSON.stringify({ v: 1, scenario: 'none', vus: 2, durationMs: 4000,
                            requests: 0, requestRate: 0, iterations: 0, iterationRate: 0, droppedIterations: 0,
                            scriptErrors: 0, errorRate: 0,
                            checks: { passes: 0, fails: 0, byName: [] }, duration: null }) };
                        }
                        """;
            case "lies-in-its-summary" -> """
                        export default function () { http.get(`${__ENV.BASE_URL}/${__ENV.TENANT_PREFIX}0/v1/jwks`); }
                        export function handleSummary() { return { '/dev/termination-log': '{"v":1,"requests":"plenty"}' }; }
                        """;
            case "throws-and-keeps-silent" -> """
                        export { handleSummary } from './lib.js';
                        export default function () {
                          http.get(`${__ENV.BASE_URL}/${__ENV.TENANT_PREFIX}0/v1/jwks`);
                          check(null, { 'all is well': true });
                          throw new Error('nobody counts me');
                        }
                        """;
            case "throws-under-the-guard" -> """
                        import { iteration, jwks, jwksChecks, tenant } from './lib.js';
                        export { handleSummary } from './lib.js';
                        export default iteration(() => {
                          const response = jwks(tenant());
                          check(response, jwksChecks(response));
                          throw new Error('counted');
                        });
                        """;
            case "does-not-parse" -> "export default function ( {";
            default -> throw new AssertionError(name);
        };
        var script = """
            import http from 'k6/http';
            import { check } from 'k6';
            export const options = { vus: 2, duration: '2s', summaryTrendStats: ['avg', 'min', 'med', 'max', 'p(90)', 'p(95)', 'p(99)'] };
            """ + body;
        site.apply("""
            apiVersion: v1
            kind: ConfigMap
            metadata:
              name: %s
            data:
              script.js: |
            %s
            """.formatted(name, script.indent(4)));

        // No bound on errors, so that only what is broken can keep it from passing.
        site.apply(loadTest(
                name, "{name: %s, configMapRef: {name: %s}}".formatted(name, name), "[{measure: p95, atMost: 60000}]"));
        assertEnd(name, phase, verdict, reason);
    }

    private void assertEnd(String name, Phase phase, Verdict verdict, String reason) {
        var ended = site.awaitLoadTestEnd(name);
        var status = ended.getStatus();
        assertThat(status.phase()).as(why(ended)).isEqualTo(phase);
        assertThat(status.verdict()).as(why(ended)).isEqualTo(verdict);
        assertThat(status.reason()).as(why(ended)).isEqualTo(reason);
        assertThat(status.message()).as(why(ended)).isNotEmpty();
    }

    @Test
    void aClusterThatDeniesLoadTestsIsLeftAlone() {
        site.patchCluster("{\"loadTests\":\"Deny\"}");
        try {
            site.awaitClusterReady();
            double before = site.publicRequests();
            site.apply(loadTest("unwelcome", "{name: jwks}", REACHED));

            assertEnd("unwelcome", Phase.Failed, Verdict.Inconclusive, "LoadTestsDenied");
            assertThat(jobsOf("unwelcome")).isZero();
            assertThat(site.publicRequests()).isEqualTo(before);
        } finally {
            site.patchCluster("{\"loadTests\":\"Allow\"}");
            site.awaitClusterReady();
        }
    }

    @Test
    void aNewRunTokenRunsTheTestAgainAndTheOldRunIsForgotten() {
        site.apply(loadTest("again", "{name: jwks}", "[{measure: p95, atMost: 0.01}]"));
        var first = site.awaitLoadTestEnd("again").getStatus();
        assertThat(first.verdict()).isEqualTo(Verdict.Failed);

        site.apply(loadTest("again", "{name: jwks}", REACHED) + "  runToken: second\n");
        var second = site.awaitObject(
                LoadTest.class,
                "again",
                "ended its second run",
                Duration.ofMinutes(3),
                lt -> !Objects.equals(lt.getStatus().run(), first.run())
                        && lt.getStatus().phase() == Phase.Completed);
        assertThat(second.getStatus().verdict()).as(why(second)).isEqualTo(Verdict.Passed);
        assertThat(second.getStatus().results()).hasSize(1);
    }

    @Test
    void theReportOutlivesThePodsAndTheTestsTenantsAreRemoved() throws Exception {
        site.apply(loadTest("reported", "{name: client-credentials}", REACHED));
        var ended = site.awaitLoadTestEnd("reported");
        assertThat(ended.getStatus().verdict()).as(why(ended)).isEqualTo(Verdict.Passed);

        var report = site.awaitObject(
                io.fabric8.kubernetes.api.model.ConfigMap.class,
                "reported-report",
                "holds a report",
                Site.SOON,
                c -> c.getData() != null && c.getData().containsKey("report.md"));
        assertThat(report.getData().get("report.md")).contains("Passed").contains("p95");

        var prefix = loadTestTenant("reported");
        org.awaitility.Awaitility.await("the test's tenant is gone")
                .atMost(Site.SOON)
                .until(() -> site.gateway().get("/" + prefix + "0/v1/jwks").status() == 404);
    }

    /** As the contract between operator and scripts has it: lt-(10 hex of sha256 of namespace/name)-. */
    private static String loadTestTenant(String name) throws java.security.NoSuchAlgorithmException {
        var hash = java.security.MessageDigest.getInstance("SHA-256")
                .digest((Site.NAMESPACE + "/" + name).getBytes(java.nio.charset.StandardCharsets.UTF_8));
        return "lt-" + java.util.HexFormat.of().formatHex(hash).substring(0, 10) + "-";
    }

    private long jobsOf(String loadTest) {
        return site
                .client()
                .batch()
                .v1()
                .jobs()
                .inNamespace(Site.NAMESPACE)
                .withLabels(Map.of("app.kubernetes.io/component", "loadtest"))
                .list()
                .getItems()
                .stream()
                .filter(j -> j.getMetadata().getName().startsWith(loadTest + "-"))
                .count();
    }

    private static String why(LoadTest loadTest) {
        LoadTestStatus status = loadTest.getStatus();
        return status == null ? "no status" : status.phase() + ", " + status.reason() + ": " + status.message();
    }

    /** The shared cluster stays as it was whatever a test did. */
    @org.junit.jupiter.api.AfterEach
    void theSharedClusterIsAsItWas() {
        var cluster = Objects.requireNonNull(site.get(IdpCluster.class, Site.CLUSTER));
        assertThat(cluster.getSpec().gateway().replicas()).isEqualTo(1);
    }
}
