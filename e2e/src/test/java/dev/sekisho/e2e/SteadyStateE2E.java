package dev.sekisho.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the operator writes when there is nothing to do, by the API server's audit log. */
@OnSite
class SteadyStateE2E {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String OPERATOR = "system:serviceaccount:" + Site.OPERATOR_NAMESPACE + ":sekisho";

    /** How often the operator looks at each object although nothing happened; by itself, every ten minutes. */
    private static final String RESYNC_SECONDS = "30";

    /** So the operator looks at each object at least twice. */
    private static final Duration QUIET = Duration.ofSeconds(75);

    private final Site site;

    SteadyStateE2E(Site site) {
        this.site = site;
    }

    @BeforeEach
    void letTheOperatorLookOften() {
        setResync(List.of(new EnvVarBuilder()
                .withName("RESYNC_SECONDS")
                .withValue(RESYNC_SECONDS)
                .build()));
    }

    @AfterEach
    void letItLookAsEver() {
        setResync(List.of());
    }

    @Test
    void theOperatorWritesNothingButItsLeaseWhileNothingChanges() throws Exception {
        site.apply("""
            apiVersion: sekisho.dev/v1alpha1
            kind: Tenant
            metadata: {name: steady}
            spec:
              clusterRef: {name: demo}
              tenantId: steady
              clients: [{clientId: app, scopes: [a]}]
            """);
        site.awaitTenantReady("steady");
        site.awaitClusterReady();
        var log = Path.of(run("../dev/cluster/cluster", "audit-log"));
        assertThat(writes(log, 0))
                .as("the log shows what the operator wrote to get here")
                .isNotEmpty();

        // What was set off before may still come; then a window without a write must follow.
        var quietSince = new long[] {log.toFile().length()};
        var late = new ArrayList<String>();
        await("a window without a write")
                .atMost(QUIET.multipliedBy(3))
                .during(QUIET)
                .until(() -> {
                    var found = writes(log, quietSince[0]);
                    if (!found.isEmpty()) {
                        quietSince[0] = log.toFile().length();
                        late.addAll(found);
                    }
                    return found.isEmpty();
                });
        assertThat(late).as("only what was under way").hasSizeLessThan(20);
    }

    private void setResync(List<EnvVar> variable) {
        var deployments = site.client().apps().deployments().inNamespace(Site.OPERATOR_NAMESPACE);
        deployments
                .withName("sekisho")
                .edit(deployment -> new DeploymentBuilder(deployment)
                        .editSpec()
                        .editTemplate()
                        .editSpec()
                        .editFirstContainer()
                        .removeMatchingFromEnv(env -> "RESYNC_SECONDS".equals(env.getName()))
                        .addAllToEnv(variable)
                        .endContainer()
                        .endSpec()
                        .endTemplate()
                        .endSpec()
                        .build());
        site.awaitObject(
                Site.OPERATOR_NAMESPACE,
                Deployment.class,
                "sekisho",
                "has rolled out",
                Site.SOON.multipliedBy(2),
                d -> {
                    var status = d.getStatus();
                    return Objects.equals(
                                    status.getObservedGeneration(),
                                    d.getMetadata().getGeneration())
                            && Objects.equals(status.getReplicas(), d.getSpec().getReplicas())
                            && Objects.equals(status.getUpdatedReplicas(), status.getReplicas())
                            && Objects.equals(status.getAvailableReplicas(), status.getReplicas());
                });
    }

    /** The operator's writes in the log after an offset, but for Leases. */
    private static List<String> writes(Path log, long offset) throws IOException {
        byte[] bytes;
        try (var file = new RandomAccessFile(log.toFile(), "r")) {
            file.seek(offset);
            bytes = new byte[(int) (file.length() - offset)];
            file.readFully(bytes);
        }
        var writes = new ArrayList<String>();
        var text = new String(bytes, StandardCharsets.UTF_8);
        // A line that is still being written is looked at next time.
        var lines = text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
        for (var line : lines) {
            var event = JSON.readTree(line);
            var object = event.path("objectRef");
            if (event.at("/user/username").asText().equals(OPERATOR)
                    && !object.path("resource").asText().equals("leases")) {
                writes.add(event.path("verb").asText() + " "
                        + object.path("resource").asText() + " "
                        + object.path("namespace").asText() + "/"
                        + object.path("name").asText());
            }
        }
        return writes;
    }

    private static String run(String... command) throws IOException, InterruptedException {
        var process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (var reader = process.inputReader()) {
            var text = String.join("\n", reader.lines().toList()).strip();
            assertThat(process.waitFor()).isZero();
            return text;
        }
    }
}
