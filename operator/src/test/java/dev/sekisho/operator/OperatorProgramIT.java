package dev.sekisho.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sekisho.api.v1alpha1.IdpCluster;
import dev.sekisho.operator.kube.Names;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The operator as a program of its own, with the rights that the chart gives it when it watches a list of namespaces:
 * its lease, its end, its endpoints.
 */
class OperatorProgramIT {
    private static final Duration SOON = Duration.ofSeconds(90);
    private static final Path CHART = Path.of("..", "helm", "sekisho");
    private static final Path LOGS = Path.of("target", "operator-program");
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final KubeApi api = KubeApi.shared();
    private final KubernetesClient admin = api.admin();
    private final List<Program> programs = new ArrayList<>();
    private Map<String, String> settings = Map.of();
    private String system;
    private String watched;
    private String unwatched;

    @TempDir
    Path folder;

    @BeforeEach
    void install() throws Exception {
        system = api.namespace("program-system");
        watched = api.namespace("program-watched");
        unwatched = api.namespace("program-unwatched");
        Files.writeString(folder.resolve("kubeconfig"), api.kubeconfig());
        for (var object :
                admin.load(new java.io.ByteArrayInputStream(rendered())).items()) {
            if (object.getApiVersion().startsWith("rbac.authorization.k8s.io")) {
                assertThat(object.getKind())
                        .as("no right beyond the list of namespaces")
                        .isIn("Role", "RoleBinding");
                admin.resource(object).create();
            }
            if (object instanceof Deployment deployment) {
                settings = settings(deployment);
            }
        }
    }

    /** What the chart sets; what it takes from the pod is the test's to give. */
    private static Map<String, String> settings(Deployment deployment) {
        return deployment.getSpec().getTemplate().getSpec().getContainers().getFirst().getEnv().stream()
                .filter(variable -> variable.getValue() != null)
                .collect(Collectors.toMap(EnvVar::getName, EnvVar::getValue));
    }

    /** The chart for a list of namespaces. */
    private byte[] rendered() throws Exception {
        Process helm;
        try {
            helm = new ProcessBuilder(
                            "helm",
                            "template",
                            "sekisho",
                            CHART.toString(),
                            "--kube-version",
                            "1.34.4",
                            "--namespace",
                            system,
                            "--set",
                            "watchNamespaces={" + watched + "}",
                            "--set",
                            "rbac.aggregate=false",
                            "--set",
                            "crds.install=false")
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new AssertionError(
                    "helm is not on the PATH; run `export PATH=$PATH:$(dev/cluster/cluster binaries)` first, or ./check",
                    e);
        }
        var text = helm.getInputStream().readAllBytes();
        assertThat(helm.waitFor()).as("helm template").isZero();
        return text;
    }

    @AfterEach
    void endPrograms() throws Exception {
        for (var program : programs) {
            program.process.destroyForcibly().waitFor();
        }
    }

    @Test
    void oneCopyWorksAndTheNextTakesOverWhenItEnds() throws Exception {
        var first = start("first");
        await("first holds the lease", () -> "first".equals(holder()));
        var second = start("second");
        await("both are ready", () -> first.answers("/readyz") == 200 && second.answers("/readyz") == 200);
        assertThat(first.answers("/healthz")).isEqualTo(200);
        assertThat(second.answers("/healthz")).isEqualTo(200);

        createCluster(watched, "one");
        await("the first works", () -> find(StatefulSet.class, watched, Names.postgres("one")) != null);

        first.process.destroy();
        assertThat(first.process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(first.log()).contains("Stopped");
        await("the second holds the lease", () -> "second".equals(holder()));
        createCluster(watched, "two");
        await("the second works", () -> find(StatefulSet.class, watched, Names.postgres("two")) != null);

        second.process.destroy();
        assertThat(second.process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(holder()).as("given back, not left to run out").isNullOrEmpty();
    }

    @Test
    void whoLosesTheLeaseEndsAtOnceAndWritesNoMore() throws Exception {
        var program = start("loser");
        await("it works", () -> program.answers("/readyz") == 200 && "loser".equals(holder()));
        admin.resources(Lease.class)
                .inNamespace(system)
                .withName(leaseName())
                .patch(PatchContext.of(PatchType.JSON_MERGE), """
                        {"spec": {"holderIdentity": "thief", "renewTime": "2099-01-01T00:00:00.000000Z"}}""");
        assertThat(program.process.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(program.process.exitValue()).isEqualTo(1);
        assertThat(holder()).isEqualTo("thief");
        assertThat(program.log()).contains("Lost the lease");
    }

    @Test
    void onlyListedNamespacesAreLookedAfterAndNoRightIsMissing() throws Exception {
        var program = start("one");
        createCluster(unwatched, "main");
        createCluster(watched, "main");
        await("it works", () -> find(StatefulSet.class, watched, Names.redis("main")) != null);
        await("it says so", () -> {
            var cluster = find(IdpCluster.class, watched, "main");
            return cluster != null && cluster.getStatus() != null;
        });
        admin.services().inNamespace(watched).withName(Names.redis("main")).delete();
        await("drift is put back", () -> find(Service.class, watched, Names.redis("main")) != null);
        assertThat(find(Secret.class, unwatched, Names.ca("main"))).isNull();
        assertThat(find(IdpCluster.class, unwatched, "main"))
                .isNotNull()
                .extracting(IdpCluster::getStatus)
                .isNull();
        admin.resources(IdpCluster.class).inNamespace(watched).withName("main").delete();
        await("it lets go", () -> find(IdpCluster.class, watched, "main") == null);

        assertThat(program.get("/metrics"))
                .contains("operator_sdk_reconciliations")
                .contains("jvm_memory_used_bytes")
                .doesNotContain(Names.postgres("main"));
        assertThat(program.answers("/nothing")).isEqualTo(404);
        assertThat(program.log()).doesNotContain("forbidden").doesNotContain("HTTP 403");
    }

    @Test
    void badSettingsAreNamedAndEndTheProgramWithTwo() throws Exception {
        var program = start("bad", "LEASE_DURATION_SECONDS=never", "IMAGE_PULL_POLICY=Sometimes");
        assertThat(program.process.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(program.process.exitValue()).isEqualTo(2);
        assertThat(program.log()).contains("LEASE_DURATION_SECONDS").contains("IMAGE_PULL_POLICY");
    }

    // --- Tools

    private void createCluster(String namespace, String name) {
        admin.load(new java.io.ByteArrayInputStream("""
                        apiVersion: sekisho.dev/v1alpha1
                        kind: IdpCluster
                        metadata: {name: %s}
                        spec: {publicUrl: https://idp.example}
                        """.formatted(name).getBytes(StandardCharsets.UTF_8)))
                .inNamespace(namespace)
                .create();
    }

    private <T extends io.fabric8.kubernetes.api.model.HasMetadata> @Nullable T find(
            Class<T> type, String namespace, String name) {
        return admin.resources(type).inNamespace(namespace).withName(name).get();
    }

    private @Nullable String holder() {
        var lease = find(Lease.class, system, leaseName());
        return lease == null ? null : lease.getSpec().getHolderIdentity();
    }

    private String leaseName() {
        return Objects.requireNonNull(settings.get("LEASE_NAME"));
    }

    private static void await(String what, java.util.concurrent.Callable<Boolean> condition) {
        Awaitility.await(what)
                .atMost(SOON)
                .pollInterval(Duration.ofMillis(100))
                .ignoreExceptionsInstanceOf(IOException.class)
                .until(condition);
    }

    private Program start(String identity, String... others) throws IOException {
        int port;
        try (var free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        // Kept, for whoever has to find out why a test failed.
        var log = Files.createDirectories(LOGS).resolve(system + "-" + identity + ".log");
        var builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx96m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Dlogback.configurationFile=logback.xml",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Main.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        var environment = builder.environment();
        environment.put("KUBECONFIG", folder.resolve("kubeconfig").toString());
        environment.put("KUBERNETES_IMPERSONATE_USERNAME", "system:serviceaccount:" + system + ":sekisho");
        environment.put("POD_NAME", identity);
        environment.put("POD_NAMESPACE", system);
        environment.putAll(settings);
        environment.put("HTTP_PORT", Integer.toString(port));
        for (var setting : others) {
            int equals = setting.indexOf('=');
            environment.put(setting.substring(0, equals), setting.substring(equals + 1));
        }
        var program = new Program(builder.start(), port, log);
        programs.add(program);
        return program;
    }

    /** A running operator. */
    private record Program(Process process, int port, Path output) {
        int answers(String path) throws IOException, InterruptedException {
            return HTTP.send(request(path), BodyHandlers.discarding()).statusCode();
        }

        String get(String path) throws IOException, InterruptedException {
            return HTTP.send(request(path), BodyHandlers.ofString()).body();
        }

        private HttpRequest request(String path) {
            return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                    .timeout(Duration.ofSeconds(5))
                    .build();
        }

        String log() throws IOException {
            return Files.readString(output);
        }
    }
}
