package dev.sekisho.operator;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sekisho.operator.kube.Clients;
import dev.sekisho.operator.kube.Labels;
import io.fabric8.kubeapitest.KubeAPIServer;
import io.fabric8.kubeapitest.KubeAPIServerConfigBuilder;
import io.fabric8.kubeapitest.KubeAPITestException;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A real kube-apiserver and etcd with the CRDs installed, one for all integration tests of a JVM. Reconcilers run in the
 * test's process as the chart's ServiceAccount, under the chart's own rights. No controller and no kubelet runs: a test
 * plays them by writing statuses.
 */
public final class KubeApi {
    private static final String VARIABLE = "SEKISHO_KUBE_API_TEST_DIR";
    private static final String ACCOUNT = "system:serviceaccount:sekisho-system:sekisho";
    private static final Path CHART = Path.of("..", "helm", "sekisho", "templates", "_rules.tpl");
    private static final Path CRDS = Path.of("..", "crds", "generated");
    private static final Pattern RULES =
            Pattern.compile("\\{\\{- define \"sekisho\\.operatorRules\" -}}\n(.*?)\\{\\{-? end -?}}", Pattern.DOTALL);

    private static final ObjectMapper JSON = new ObjectMapper();

    private static @Nullable KubeApi shared;

    private final String kubeconfig;
    private final Config config;
    private final KubernetesClient admin;
    private final KubernetesClient operator;
    private final Path audit;
    private final AtomicInteger namespaces = new AtomicInteger();

    private KubeApi() throws IOException {
        // Not in the system's temporary directory: a JVM that is killed tidies up nothing.
        var work = Files.createTempDirectory(
                Files.createDirectories(Path.of("target").toAbsolutePath()), "kube-api");
        audit = work.resolve("audit.log");
        var server = start(work);
        kubeconfig = server.getKubeConfigYaml();
        config = Config.fromKubeconfig(kubeconfig);
        admin = Clients.lenient(config);
        operator = Clients.lenient(new ConfigBuilder(config)
                .withImpersonateUsername(ACCOUNT)
                .withImpersonateGroups(
                        "system:serviceaccounts", "system:serviceaccounts:sekisho-system", "system:authenticated")
                .build());
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try (admin;
                    operator) {
                server.stop();
            } finally {
                delete(work);
            }
        }));
        installCrds();
        installRights();
    }

    /** Free ports are chosen before they are taken, so another build may be faster. */
    private KubeAPIServer start(Path work) throws IOException {
        var settings = KubeAPIServerConfigBuilder.anAPIServerConfig()
                .withOfflineMode(true)
                .withTestDir(testDir(work).toString())
                .withApiServerVersion("1.34.4")
                .withUpdateKubeConfig(false)
                .withWaitForEtcdHealthCheckOnStartup(true)
                .withApiServerFlag("--audit-log-path", audit.toString())
                .withApiServerFlag("--audit-policy-file", policy(work).toString())
                .build();
        for (int attempt = 1; ; attempt++) {
            var server = new KubeAPIServer(settings);
            try {
                server.start();
                return server;
            } catch (KubeAPITestException e) {
                server.stop();
                if (attempt == 3) {
                    throw e;
                }
            }
        }
    }

    /** Links are deleted, not followed. */
    private static void delete(Path folder) {
        try (var paths = Files.walk(folder)) {
            for (var path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            // The next clean build removes it.
        }
    }

    /** The server, started by whoever asks first. */
    public static synchronized KubeApi shared() {
        if (shared == null) {
            try {
                shared = new KubeApi();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return shared;
    }

    /** A client that may do anything: the user, and whoever the test plays. */
    public KubernetesClient admin() {
        return admin;
    }

    /** A client with the operator's rights. */
    public KubernetesClient operator() {
        return operator;
    }

    /** How somebody who may do anything reaches the server, for programs. */
    public String kubeconfig() {
        return kubeconfig;
    }

    /** A new namespace. */
    public String namespace(String prefix) {
        var name = prefix + "-" + namespaces.incrementAndGet();
        admin.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
        return name;
    }

    /** Runs reconcilers until the result is closed. */
    public RunningOperator start(Reconciler<?>... reconcilers) {
        var running = new Operator(overrides -> overrides
                .withKubernetesClient(operator)
                .withCloseClientOnStop(false)
                .withReconciliationTerminationTimeout(Duration.ofSeconds(5)));
        for (var reconciler : reconcilers) {
            register(running, reconciler);
        }
        running.start();
        return () -> running.stop();
    }

    private static <P extends HasMetadata> void register(Operator operator, Reconciler<P> reconciler) {
        operator.<P>register(
                reconciler,
                overrides -> overrides
                        .watchingAllNamespaces()
                        .withFieldManager(Labels.MANAGER)
                        .withRetry(new GenericRetry()
                                .setInitialInterval(200)
                                .setIntervalMultiplier(2)
                                .setMaxInterval(2000)
                                .withoutMaxAttempts()));
    }

    /** Reconcilers at work. */
    @FunctionalInterface
    public interface RunningOperator extends AutoCloseable {
        @Override
        void close();
    }

    /** What the operator has asked to write in a namespace so far, one line a call: verb, resource, name. */
    public List<String> writes(String namespace) {
        try {
            return Files.readAllLines(audit).stream()
                    .map(KubeApi::event)
                    .filter(event ->
                            event.at("/impersonatedUser/username").asText().equals(ACCOUNT))
                    .filter(event -> event.at("/objectRef/namespace").asText().equals(namespace))
                    .map(event -> event.at("/verb").asText() + " "
                            + event.at("/objectRef/resource").asText()
                            + (event.at("/objectRef/subresource").isMissingNode()
                                    ? " "
                                    : "/" + event.at("/objectRef/subresource").asText() + " ")
                            + event.at("/objectRef/name").asText())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode event(String line) {
        try {
            return JSON.readTree(line);
        } catch (JacksonException e) {
            // The last line, while the API server writes it.
            return JSON.createObjectNode();
        }
    }

    private void installCrds() throws IOException {
        try (var files = Files.list(CRDS)) {
            for (var file : files.toList()) {
                try (var in = Files.newInputStream(file)) {
                    for (var crd : admin.load(in).items()) {
                        admin.resource(crd).create();
                    }
                }
            }
        }
        admin.apiextensions()
                .v1()
                .customResourceDefinitions()
                .list()
                .getItems()
                .forEach(crd -> admin.resource(crd)
                        .waitUntilCondition(
                                now -> now != null
                                        && now.getStatus() != null
                                        && now.getStatus().getConditions().stream()
                                                .anyMatch(c -> "Established".equals(c.getType())
                                                        && "True".equals(c.getStatus())),
                                30,
                                TimeUnit.SECONDS));
    }

    private void installRights() throws IOException {
        var rules = RULES.matcher(Files.readString(CHART));
        if (!rules.find() || rules.group(1).contains("{{")) {
            throw new IllegalStateException(CHART + " does not define sekisho.operatorRules as plain YAML");
        }
        admin.resource(new ClusterRoleBuilder()
                        .withNewMetadata()
                        .withName("sekisho-operator")
                        .endMetadata()
                        .withRules(Serialization.unmarshal("rules:\n" + rules.group(1), ClusterRole.class)
                                .getRules())
                        .build())
                .create();
        admin.resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName("sekisho-operator")
                        .endMetadata()
                        .withNewRoleRef("rbac.authorization.k8s.io", "ClusterRole", "sekisho-operator")
                        .addNewSubject("", "ServiceAccount", "sekisho", "sekisho-system")
                        .build())
                .create();
    }

    /** A folder of our own that leads to the programs: certificates are written beside them. */
    private static Path testDir(Path work) throws IOException {
        var programs = System.getenv(VARIABLE);
        if (programs == null || !Files.isDirectory(Path.of(programs, "k8s"))) {
            throw new IllegalStateException(VARIABLE + " names no folder with kube-apiserver and etcd; run"
                    + " `export " + VARIABLE + "=$(dev/cluster/cluster kube-api-test-dir)` first, or ./check");
        }
        Files.createSymbolicLink(work.resolve("k8s"), Path.of(programs, "k8s").toRealPath());
        return work;
    }

    private static Path policy(Path work) throws IOException {
        return Files.writeString(work.resolve("audit-policy.yaml"), """
                apiVersion: audit.k8s.io/v1
                kind: Policy
                omitStages: [RequestReceived]
                rules:
                  - level: Metadata
                    verbs: [create, update, patch, delete, deletecollection]
                """);
    }
}
