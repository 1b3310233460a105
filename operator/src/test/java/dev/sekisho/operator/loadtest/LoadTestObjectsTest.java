package dev.sekisho.operator.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sekisho.api.v1alpha1.LoadTest;
import dev.sekisho.api.v1alpha1.LoadTestSpec.Step;
import dev.sekisho.operator.kube.Clients;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a load test makes, compared with files that stand beside this test. */
class LoadTestObjectsTest {
    private static final String LOAD_TEST = """
            apiVersion: sekisho.dev/v1alpha1
            kind: LoadTest
            metadata: {name: smoke, namespace: demo, uid: 6f1c3f0e-6a4b-4d3e-9f39-0d7c6a8f0001}
            spec:
              clusterRef: {name: main}
              scenario: {name: client-credentials}
              data: {tenants: 2}
              steps:
                - {vus: 2, duration: 10s}
                - {vus: 50, duration: 1m30s}
            """;

    private static final LoadTestObjects.Engine ENGINE =
            new LoadTestObjects.Engine("grafana/k6:2.0.0", "IfNotPresent", "1.2.3");

    private final LoadTest test = Clients.serialization().unmarshal(LOAD_TEST, LoadTest.class);
    private final LoadTestObjects objects = new LoadTestObjects(test, "0a1b2c3d", ENGINE);

    @Test
    void theJobOfAStep() {
        assertGolden(objects.job(1, "https://main-gateway.demo.svc"), "job.yaml");
    }

    @Test
    void aJobWithAnImageAndResourcesOfItsOwn() {
        var own = Clients.serialization()
                .unmarshal(
                        LOAD_TEST
                                + "  engine: {image: 'example.org/k6:mine', resources: {requests: {cpu: '2'}, limits:"
                                + " {memory: 4Gi, cpu: '4'}}}\n",
                        LoadTest.class);
        var container = new LoadTestObjects(own, "0a1b2c3d", ENGINE)
                .job(0, "https://main-gateway.demo.svc")
                .getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .getFirst();

        assertThat(container.getImage()).isEqualTo("example.org/k6:mine");
        assertThat(container.getResources().getRequests()).hasToString("{cpu=2, memory=256Mi}");
        assertThat(container.getResources().getLimits()).hasToString("{cpu=4, memory=4Gi}");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''                                   | {cpu=100m, memory=256Mi} | {memory=516Mi}
            requests: {memory: 2Gi}              | {cpu=100m, memory=2Gi}   | {memory=2Gi}
            limits: {memory: 128Mi}              | {cpu=100m, memory=128Mi} | {memory=128Mi}
            limits: {cpu: 50m}                   | {cpu=50m, memory=256Mi}  | {cpu=50m, memory=516Mi}
            requests: {memory: lots}             | {cpu=100m, memory=lots}  | {memory=516Mi}
            """)
    void aDefaultGivesWayToWhatTheLoadTestSaysOfTheOtherSide(String asked, String requests, String limits) {
        var own = Clients.serialization()
                .unmarshal(LOAD_TEST + "  engine: {resources: {" + asked + "}}\n", LoadTest.class);
        var resources = new LoadTestObjects(own, "0a1b2c3d", ENGINE)
                .job(0, "https://main-gateway.demo.svc")
                .getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .getFirst()
                .getResources();

        assertThat(resources.getRequests()).hasToString(requests);
        assertThat(resources.getLimits()).hasToString(limits);
    }

    @Test
    void theOtherObjects() {
        assertGolden(objects.credentials("a-secret", 2), "secret.yaml");
        assertGolden(objects.scenarios(Map.of("lib.js", "// lib\n", "mine.js", "// mine\n")), "scenarios.yaml");
        assertGolden(objects.authority("PEM\n"), "authority.yaml");
        assertGolden(objects.report("# Report\n"), "report.yaml");
    }

    @Test
    void aDeadlineLeavesTimeForStartSetupAndStop() {
        assertThat(LoadTestObjects.deadline(new Step(1, "1m30s"))).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void theShippedScenariosAreOnTheClassPath() {
        assertThat(Scenarios.shipped("client-credentials")).containsOnlyKeys("lib.js", "client-credentials.js");
        assertThat(Scenarios.shipped("jwks")).containsOnlyKeys("lib.js", "jwks.js");
        assertThat(Scenarios.own("mine", "// mine")).containsOnlyKeys("lib.js", "mine.js");
    }

    private static void assertGolden(HasMetadata object, String file) {
        assertThat(Clients.serialization().asYaml(object)).isEqualTo(golden(file));
    }

    static String golden(String file) {
        try (var in = Objects.requireNonNull(LoadTestObjectsTest.class.getResourceAsStream(file), file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
