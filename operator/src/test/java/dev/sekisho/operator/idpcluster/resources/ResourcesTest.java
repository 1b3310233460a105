package dev.sekisho.operator.idpcluster.resources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sekisho.api.v1alpha1.IdpCluster;
import dev.sekisho.operator.OperatorConfig;
import dev.sekisho.operator.kube.Clients;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResourcesTest {
    private static Blueprint plan(String spec) {
        return plan(spec, GoldenYamlTest.CONFIG);
    }

    private static Blueprint plan(String spec, OperatorConfig config) {
        var yaml = "metadata: {name: main, namespace: idp, uid: u}\nspec:\n  publicUrl: https://idp.example:8443\n"
                + spec.indent(2);
        return new Blueprint(Clients.serialization().unmarshal(yaml, IdpCluster.class), config);
    }

    private static OperatorConfig version(String version) {
        return OperatorConfig.from(Map.of(
                "OPERATOR_VERSION", version,
                "RELATED_IMAGE_RUNTIME", "r:1",
                "RELATED_IMAGE_POSTGRES", "p:1",
                "RELATED_IMAGE_REDIS", "r:1",
                "RELATED_IMAGE_GATEWAY", "g:1",
                "RELATED_IMAGE_K6", "k:1"));
    }

    @Test
    void aNewOperatorAloneChangesNoPod() {
        var before = plan("", version("1.0.0"));
        var after = plan("", version("2.0.0"));
        assertThat(PostgresStatefulSet.desired(after, "c", "1.0.0").getSpec())
                .isEqualTo(PostgresStatefulSet.desired(before, "c", "1.0.0").getSpec());
        assertThat(RedisResources.statefulSet(after, "c", "1.0.0").getSpec())
                .isEqualTo(RedisResources.statefulSet(before, "c", "1.0.0").getSpec());
        assertThat(RuntimeResources.deployment(after, "i:1", "c", 1).getSpec())
                .isEqualTo(RuntimeResources.deployment(before, "i:1", "c", 1).getSpec());
        assertThat(GatewayResources.deployment(after, "c").getSpec())
                .isEqualTo(GatewayResources.deployment(before, "c").getSpec());
    }

    @Test
    void aUrlWithoutHostAndMemoryPastAllMeasureAreNamedAsWhatCannotBeUsed() {
        var cluster = Clients.serialization().unmarshal("""
                metadata: {name: main, namespace: idp, uid: u}
                spec: {publicUrl: "https://id..example", redis: {maxMemory: 99999999999999999999Mi}}
                """, IdpCluster.class);
        var plan = new Blueprint(cluster, GoldenYamlTest.CONFIG);
        assertThatThrownBy(() -> SubjectNames.gateway(plan))
                .isInstanceOf(UnusableSpecException.class)
                .hasMessageContaining("spec.publicUrl");
        assertThatThrownBy(() -> RedisResources.configMap(plan))
                .isInstanceOf(UnusableSpecException.class)
                .hasMessageContaining("spec.redis.maxMemory");
    }

    @Test
    void noServiceLeadsToAMigration() {
        var plan = plan("");
        var labels = MigrateJob.desired(plan, "h")
                .getSpec()
                .getTemplate()
                .getMetadata()
                .getLabels();
        assertThat(Services.desired(plan))
                .allMatch(service -> !labels.entrySet()
                        .containsAll(service.getSpec().getSelector().entrySet()));
        assertThat(labels.entrySet())
                .doesNotContainSequence(RuntimeResources.deployment(plan, "i", "c", 1)
                        .getSpec()
                        .getSelector()
                        .getMatchLabels()
                        .entrySet());
    }

    @Test
    void aMigrationIsNamedByImageAndPasswords() {
        var plan = plan("");
        var hash = MigrateJob.hash(plan, "passwords");
        assertThat(MigrateJob.hash(plan("replicas: 3"), "passwords")).isEqualTo(hash);
        assertThat(MigrateJob.hash(plan, "others")).isNotEqualTo(hash);
        assertThat(MigrateJob.hash(plan("image: other:1"), "passwords")).isNotEqualTo(hash);
    }

    @Test
    void noSecretStandsInAConfigMapOrAnArgument() {
        var plan = plan("");
        assertThat(RedisResources.configMap(plan).getData().get("redis.conf"))
                .doesNotContain("requirepass")
                .contains("include /etc/sekisho/redis-auth/auth.conf");
        assertThat(RuntimeResources.configMap(plan, "").getData()).allSatisfy((name, value) -> {
            if (name.contains("PASSWORD") || name.contains("TOKEN") || name.contains("ENCRYPTION")) {
                assertThat(name).endsWith("_FILE");
                assertThat(value).startsWith("/etc/sekisho/");
            }
        });
    }

    @Test
    void keepaliveZeroClosesEachUpstreamConnection() {
        assertThat(NginxConfig.text("main-runtime", 0))
                .contains("proxy_set_header Connection \"close\"")
                .doesNotContain("keepalive_time ");
        assertThat(NginxConfig.text("main-runtime", 32))
                .contains("proxy_set_header Connection \"\"")
                .contains("keepalive 32;")
                .contains("keepalive_time 60s;");
    }

    @Test
    void idleConnectionsOfTheGatewayEndWithinTheRuntimesDrainDelay() {
        assertThat(NginxConfig.text("main-runtime", 32)).contains("keepalive_timeout 3s;");
        assertThat(RuntimeResources.configMap(plan(""), "").getData().get("SEKISHO_DRAIN_DELAY"))
                .isEqualTo("5s");
    }

    @Test
    void aGatewayThatStopsSaysSoInEachAnswerAndOneThatStartsForgetsIt() {
        var container = GatewayResources.deployment(plan(""), "c")
                .getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .getFirst();
        assertThat(container.getLifecycle().getPreStop().getExec().getCommand().getLast())
                .startsWith("touch " + NginxConfig.DRAINING + "; sleep 5;");
        assertThat(container.getCommand().getLast()).startsWith("rm -f " + NginxConfig.DRAINING + " && exec nginx");
        assertThat(NginxConfig.text("main-runtime", 0)).contains("if (-f " + NginxConfig.DRAINING + ")");
    }

    @Test
    void certificatesNameEveryAddressThatClientsUse() {
        assertThat(SubjectNames.gateway(plan("")))
                .contains("idp.example", "main-gateway.idp.svc", "main-gateway", "localhost", "127.0.0.1");
        assertThat(SubjectNames.runtime(plan("")))
                .contains("main-runtime-management.idp.svc", "localhost", "127.0.0.1");
        assertThat(SubjectNames.postgres(plan(""))).contains("main-postgres-rw", "*.main-postgres.idp.svc");
    }

    @ParameterizedTest
    @CsvSource({"1024Mi,1Gi", "1Gi,1Gi", "1536Mi,1536Mi", "1048576Ki,1Gi", "0Mi,0Mi", "2048Gi,2Ti"})
    void sizesOfVolumesAreWrittenAsTheApiServerWritesThem(String given, String canonical) {
        assertThat(Volumes.canonical(given)).isEqualTo(new Quantity(canonical));
        assertThat(Volumes.canonical(given).toString()).isEqualTo(canonical);
    }

    @Test
    void aLimitBelowTheDefaultRequestLowersTheRequest() {
        var requests = RedisResources.statefulSet(plan("redis: {resources: {limits: {memory: 32Mi}}}"), "c", "v")
                .getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .getFirst()
                .getResources()
                .getRequests();
        assertThat(requests).containsEntry("memory", new Quantity("32Mi"));
    }

    @Test
    void managementIsClosedToAllButTheOperatorUnlessTheUserOpensIt() {
        assertThat(managementPeers("")).hasSize(1);
        assertThat(managementPeers("management: {service: {type: NodePort}}")).isEmpty();
    }

    private static java.util.List<?> managementPeers(String spec) {
        return NetworkPolicies.desired(plan(spec)).stream()
                .filter(policy -> policy.getMetadata().getName().equals("main-runtime"))
                .flatMap(policy -> policy.getSpec().getIngress().stream())
                .filter(rule -> rule.getPorts().getFirst().getPort().getIntVal() == 8443)
                .findFirst()
                .orElseThrow()
                .getFrom();
    }
}
