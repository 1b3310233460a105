package dev.sekisho.operator.idpcluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sekisho.api.v1alpha1.Condition.Status;
import dev.sekisho.api.v1alpha1.IdpCluster;
import dev.sekisho.api.v1alpha1.IdpClusterStatus.Phase;
import dev.sekisho.operator.KubeApi;
import dev.sekisho.operator.kube.Labels;
import dev.sekisho.operator.kube.Names;
import dev.sekisho.operator.status.Events;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an IdpCluster does when something is lost, refused, changed or deleted; on a real API server. */
class IdpClusterTroubleIT {
    private static final KubeApi API = KubeApi.shared();
    private static final String NAME = ClusterSite.NAME;
    private static final ShiftedClock CLOCK = new ShiftedClock();
    private static KubeApi.RunningOperator operator;

    private ClusterSite site;

    @BeforeAll
    static void startOperator() {
        operator = API.start(new IdpClusterReconciler(
                ClusterSite.CONFIG, ClusterSite.departures(API), new Events(API.operator(), CLOCK, "test"), CLOCK));
    }

    /** The system's clock, or some time later. */
    private static final class ShiftedClock extends Clock {
        private final AtomicReference<Duration> later = new AtomicReference<>(Duration.ZERO);

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Instant instant() {
            return Instant.now().plus(later.get());
        }
    }

    @AfterAll
    static void stopOperator() {
        operator.close();
    }

    @BeforeEach
    void createSite() {
        CLOCK.later.set(Duration.ZERO);
        site = new ClusterSite(API);
    }

    // --- Secrets that lose data

    @Test
    void lostPasswordsAreNotReinventedButAwaited() {
        site.applyCluster("");
        site.playAll();
        lostAndRestored(Names.postgresCredentials(NAME));
    }

    @Test
    void aLostKeyEncryptionKeyIsNotReinventedButAwaited() {
        site.applyCluster("");
        site.playAll();
        lostAndRestored(Names.keyEncryption(NAME));
    }

    private void lostAndRestored(String name) {
        var secret = site.get(Secret.class, name);
        site.admin().resource(secret).delete();

        var condition = site.awaitCondition("SecretsReady", Status.False, "SecretLost");
        assertThat(condition.message()).contains(name).contains("restore it from a backup");
        assertThat(site.cluster().getStatus().phase()).isEqualTo(Phase.Degraded);
        // Siblings go on: what else is lost comes back.
        site.admin()
                .services()
                .inNamespace(site.namespace())
                .withName("main-redis")
                .delete();
        site.await(Service.class, "main-redis");
        assertThat(site.find(Secret.class, name)).isNull();
        assertThat(site.get(Deployment.class, "main-runtime").getSpec().getReplicas())
                .isEqualTo(1);

        // As somebody restores it who knows nothing of labels.
        site.admin()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace(site.namespace())
                        .endMetadata()
                        .withData(secret.getData())
                        .build())
                .create();
        site.awaitCondition("SecretsReady", Status.True, "Present");
        site.awaitCondition("Ready", Status.True, "AllPartsReady");
        assertThat(site.get(Secret.class, name).getData()).isEqualTo(secret.getData());
        assertThat(site.get(Secret.class, name).getMetadata().getLabels()).containsKey(Labels.VERSION);
    }

    @Test
    void aDamagedKeyEncryptionKeyIsReported() {
        site.applyCluster("");
        site.playAll();
        site.admin()
                .secrets()
                .inNamespace(site.namespace())
                .withName(Names.keyEncryption(NAME))
                .edit(secret -> {
                    secret.setData(Map.of("kek", "c2hvcnQ="));
                    return secret;
                });
        assertThat(site.awaitCondition("SecretsReady", Status.False, "SecretLost")
                        .message())
                .contains("does not hold a key of 32 bytes")
                .doesNotContain("c2hvcnQ=")
                .doesNotContain("short");
    }

    @Test
    void aNewClusterOnOldVolumesWaitsForTheirPasswords() {
        site.applyCluster("deletionPolicy: Retain");
        site.playAll();
        site.admin().resource(site.cluster()).delete();
        site.awaitGone(IdpCluster.class, NAME);
        removeOwned();
        var secret = site.get(Secret.class, Names.postgresCredentials(NAME));
        site.admin().resource(secret).delete();

        site.applyCluster("");
        site.awaitCondition("SecretsReady", Status.False, "SecretLost");
        assertThat(site.find(Secret.class, Names.postgresCredentials(NAME))).isNull();
        assertThat(site.find(StatefulSet.class, "main-postgres")).isNull();
    }

    @Test
    void aSecretThatCannotBeMadeAtFirstIsMadeLaterForNothingThatHoldsDataStoodWithoutIt() {
        try (var _ = site.refuseSecret(Names.keyEncryption(NAME))) {
            site.applyCluster("");
            assertThat(site.awaitCondition("SecretsReady", Status.False, "ApplyFailed")
                            .message())
                    .contains(Names.keyEncryption(NAME));
            site.await(StatefulSet.class, "main-redis");
            assertThat(site.find(StatefulSet.class, "main-postgres")).isNull();
        }
        site.awaitCondition("SecretsReady", Status.True, "Present");
        site.playAll();
    }

    @Test
    void aLostAuthorityIsReplacedWithoutDistrustForWhatItIssued() {
        site.applyCluster("");
        site.playAll();
        var lost = site.get(Secret.class, "main-ca");
        var leaf = Objects.requireNonNull(
                site.get(Secret.class, "main-postgres-tls").getData().get("tls.crt"));
        site.admin().resource(lost).delete();

        var bundle = site.await(
                ConfigMap.class,
                "main-ca-bundle",
                "holds two",
                map -> certificates(map.getData().get("ca.crt")) == 2);
        assertThat(bundle.getData().get("ca.crt")).contains(decoded(lost, "tls.crt"));
        assertThat(site.await(
                                Secret.class,
                                "main-postgres-tls",
                                "trusts two",
                                secret -> certificates(decoded(secret, "ca.crt")) == 2)
                        .getData()
                        .get("tls.crt"))
                .isEqualTo(leaf);

        CLOCK.later.set(Certificates.DISTRIBUTION.plusMinutes(1));
        site.annotate("test/look", "1");
        site.await(
                Secret.class,
                "main-postgres-tls",
                "is from the new one",
                secret -> !leaf.equals(secret.getData().get("tls.crt")));
        CLOCK.later.set(Certificates.OVERLAP.plusMinutes(1));
        site.annotate("test/look", "2");
        site.await(
                ConfigMap.class,
                "main-ca-bundle",
                "holds one",
                map -> certificates(map.getData().get("ca.crt")) == 1);
    }

    private static int certificates(@Nullable String pem) {
        return Objects.requireNonNullElse(pem, "").split("BEGIN CERTIFICATE", -1).length - 1;
    }

    private static String decoded(Secret secret, String key) {
        return new String(
                Base64.getDecoder()
                        .decode(Objects.requireNonNull(secret.getData().get(key))),
                StandardCharsets.UTF_8);
    }

    // --- Deletion

    @Test
    void retainKeepsVolumesAndTheirKeysForASuccessor() {
        site.applyCluster("deletionPolicy: Retain");
        site.playAll();
        var kek = site.get(Secret.class, Names.keyEncryption(NAME)).getData();
        assertThat(retention()).isEqualTo("Retain");

        site.admin().resource(site.cluster()).delete();
        site.awaitGone(IdpCluster.class, NAME);
        removeOwned();

        assertThat(site.find(PersistentVolumeClaim.class, "data-main-postgres-0"))
                .isNotNull();
        assertThat(site.find(Secret.class, Names.postgresCredentials(NAME))).isNotNull();
        assertThat(site.eventReasons()).contains("Deleted");
        site.applyCluster("");
        site.playAll();
        assertThat(site.get(Secret.class, Names.keyEncryption(NAME)).getData()).isEqualTo(kek);
    }

    @Test
    void deleteTakesVolumesKeysAndPatronisStateAlongOnceMembersStopped() {
        site.applyCluster("deletionPolicy: Delete");
        site.playAll();
        patroniConfigMap();
        assertThat(retention()).isEqualTo("Delete");

        site.admin().resource(site.cluster()).delete();
        site.await(IdpCluster.class, NAME, "is on its way", c -> c.getStatus().phase() == Phase.Deleting);
        site.awaitGone(StatefulSet.class, "main-postgres");
        assertThat(site.find(Secret.class, Names.keyEncryption(NAME)))
                .as("while a member runs, its state stays")
                .isNotNull();
        assertThat(site.find(ConfigMap.class, "main-postgres-config")).isNotNull();
        site.admin()
                .pods()
                .inNamespace(site.namespace())
                .withName("main-postgres-0")
                .withGracePeriod(0)
                .delete();

        site.awaitGone(IdpCluster.class, NAME);
        assertThat(site.find(ConfigMap.class, "main-postgres-config")).isNull();
        assertThat(site.find(Secret.class, Names.postgresCredentials(NAME))).isNull();
        assertThat(site.find(Secret.class, Names.keyEncryption(NAME))).isNull();
        var claim = site.find(PersistentVolumeClaim.class, "data-main-postgres-0");
        assertThat(claim == null || claim.isMarkedForDeletion())
                .as("gone, or held only by its protection")
                .isTrue();
    }

    private String retention() {
        return site.get(StatefulSet.class, "main-postgres")
                .getSpec()
                .getPersistentVolumeClaimRetentionPolicy()
                .getWhenDeleted();
    }

    /** Plays the garbage collector. */
    private void removeOwned() {
        for (var type :
                List.of(Secret.class, ConfigMap.class, Service.class, StatefulSet.class, Deployment.class, Job.class)) {
            site.list(type).stream()
                    .filter(object -> !object.getMetadata().getOwnerReferences().isEmpty())
                    .forEach(object -> site.admin().resource(object).delete());
        }
        site.admin().pods().inNamespace(site.namespace()).withGracePeriod(0).delete();
        site.awaitGone(Pod.class, "main-postgres-0");
        site.awaitGone(StatefulSet.class, "main-postgres");
    }

    private void patroniConfigMap() {
        site.admin()
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("main-postgres-config")
                        .withNamespace(site.namespace())
                        .addToLabels(Labels.selector(NAME, Labels.Component.POSTGRES))
                        .addToLabels(Labels.MANAGED_BY, Labels.MANAGER)
                        .addToLabels("sekisho.dev/patroni-scope", "main-postgres")
                        .addToAnnotations("initialize", "7301")
                        .endMetadata()
                        .build())
                .create();
    }

    @Test
    void patronisConfigMapsGetTheLabelThatPatroniMustNotKnow() {
        site.applyCluster("");
        patroniConfigMap();
        var labelled = site.await(
                ConfigMap.class,
                "main-postgres-config",
                "is labelled",
                map -> map.getMetadata().getLabels().containsKey(Labels.VERSION));
        assertThat(labelled.getMetadata().getAnnotations()).containsEntry("initialize", "7301");
        assertThat(labelled.getMetadata().getOwnerReferences()).isEmpty();
    }

    // --- What the API server or the world refuses

    @Test
    void aNameThatIsTakenIsReportedAndStopsNothingElse() {
        site.apply("""
            apiVersion: v1
            kind: Service
            metadata: {name: main-gateway}
            spec: {ports: [{port: 1}]}
            """);
        site.applyCluster("");
        var condition = site.awaitCondition("GatewayReady", Status.False, "ApplyFailed");
        assertThat(condition.message()).contains("Service main-gateway exists and was not made by the operator");
        assertThat(site.get(Service.class, "main-gateway").getSpec().getPorts())
                .hasSize(1)
                .allMatch(port -> port.getPort() == 1);
        site.await(StatefulSet.class, "main-postgres");
        site.await(Deployment.class, "main-gateway");

        site.admin()
                .services()
                .inNamespace(site.namespace())
                .withName("main-gateway")
                .delete();
        site.playAll();
    }

    @Test
    void aPortThatIsInUseIsReportedInTheApiServersWords() {
        site.apply("""
            apiVersion: v1
            kind: Service
            metadata: {name: other}
            spec: {type: NodePort, ports: [{port: 1, nodePort: 31234}]}
            """);
        site.applyCluster("gateway: {service: {type: NodePort, nodePort: 31234}}");
        assertThat(site.awaitCondition("GatewayReady", Status.False, "ApplyFailed")
                        .message())
                .contains("Service main-gateway")
                .contains("31234")
                .contains("already allocated");
        site.admin().services().inNamespace(site.namespace()).withName("other").delete();
        site.playAll();
    }

    @Test
    void resourcesThatNobodyKnowsAreReportedInTheApiServersWords() {
        var resources = "{resources: {limits: {no-such-thing: 1}}}";
        site.applyCluster("gateway: " + resources + "\npostgres: " + resources);
        assertThat(site.awaitCondition("GatewayReady", Status.False, "ApplyFailed")
                        .message())
                .contains("Deployment main-gateway")
                .contains("standard resource");
        site.awaitCondition("PostgresReady", Status.False, "ApplyFailed");
        site.applyCluster("");
        site.playAll();
    }

    @Test
    void whatTheSchemaLetsThroughAndNothingCanBeMadeOfStopsNothingElse() {
        site.applyCluster("redis: {maxMemory: 999999Gi}");
        assertThat(site.awaitCondition("RedisReady", Status.False, "ApplyFailed")
                        .message())
                .contains("spec.redis.maxMemory");
        site.await(StatefulSet.class, "main-postgres");
        site.await(Deployment.class, "main-gateway");
        assertThat(site.find(StatefulSet.class, "main-redis")).isNull();
        site.applyCluster("");
        site.playAll();
    }

    @Test
    void theUsersCertificateMayComeLate() {
        site.applyCluster("gateway: {tls: {secretName: mine}}");
        assertThat(site.awaitCondition("GatewayReady", Status.False, "TlsSecretMissing")
                        .message())
                .contains("mine");
        var own = site.await(Secret.class, "main-gateway-tls");
        site.admin()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName("mine")
                        .withNamespace(site.namespace())
                        .endMetadata()
                        .withType("kubernetes.io/tls")
                        .withData(Map.of(
                                "tls.crt",
                                own.getData().get("tls.crt"),
                                "tls.key",
                                own.getData().get("tls.key")))
                        .build())
                .create();
        assertThat(site.cluster().getStatus().caConfigMap())
                .as("the operator's authority has no say in it")
                .isNull();
        var gateway = site.await(Deployment.class, "main-gateway");
        assertThat(gateway.getSpec().getTemplate().getSpec().getVolumes())
                .anyMatch(volume -> volume.getSecret() != null
                        && volume.getSecret().getSecretName().equals("mine"));
    }

    // --- Changes

    @Test
    void aFailedMigrationSaysWhyAndIsTriedAgain() {
        site.applyCluster("");
        site.playPostgres();
        var first = site.awaitMigration();
        site.failMigration();
        site.awaitCondition("SchemaReady", Status.False, "MigrationFailed");
        assertThat(site.find(Deployment.class, "main-runtime")).isNull();

        CLOCK.later.set(Provisioner.MIGRATION_RETRY.plusSeconds(5));
        site.annotate("test/look", "1");
        site.await(
                Job.class,
                first.getMetadata().getName(),
                "is another",
                job -> !job.getMetadata().getUid().equals(first.getMetadata().getUid()));
        site.playAll();
    }

    @Test
    void aNewImageRunsOnlyAfterItsMigration() {
        site.applyCluster("");
        site.playAll();
        var old = site.awaitMigration();

        site.applyCluster("image: example.test/idp-runtime:2\nreplicas: 2");
        site.awaitGone(Job.class, old.getMetadata().getName());
        var scaled = site.await(
                Deployment.class,
                "main-runtime",
                "has two replicas",
                deployment -> deployment.getSpec().getReplicas() == 2);
        assertThat(image(scaled)).isEqualTo("example.test/idp-runtime:1");
        assertThat(site.awaitMigration()
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .getFirst()
                        .getImage())
                .isEqualTo("example.test/idp-runtime:2");

        site.playMigration();
        site.await(
                Deployment.class,
                "main-runtime",
                "runs the new image",
                deployment -> image(deployment).equals("example.test/idp-runtime:2"));
        // The record outlives the Job: it is not made again.
        site.admin().resource(site.awaitMigration()).delete();
        site.playDeployment("main-runtime");
        site.awaitCondition("RuntimeReady", Status.True, "Available");
        assertThat(site.list(Job.class)).isEmpty();
    }

    private static String image(Deployment deployment) {
        return deployment
                .getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .getFirst()
                .getImage();
    }

    @Test
    void aRolloutThatDoesNotSucceedIsToldWhileWhatRanBeforeServes() {
        site.applyCluster("");
        site.playAll();
        site.awaitCondition("UpToDate", Status.True, "RolledOut");

        site.applyCluster("gateway: {keepalive: 0}");
        site.awaitCondition("UpToDate", Status.False, "RollingOut");
        site.playRollout("main-gateway", "ImagePullBackOff");

        assertThat(site.awaitCondition("UpToDate", Status.False, "RolloutStuck").message())
                .contains("the gateway")
                .contains("ImagePullBackOff");
        assertThat(site.awaitCondition("Ready", Status.True, "AllPartsReady").message())
                .contains("the rollout of the gateway does not succeed");
        var cluster = site.cluster();
        assertThat(cluster.getStatus().phase()).isEqualTo(Phase.Ready);
        assertThat(cluster.getStatus().observedGeneration())
                .isEqualTo(cluster.getMetadata().getGeneration());
        site.awaitTrue("an Event warns", () -> site.eventReasons().contains("RolloutStuck"));

        site.admin()
                .pods()
                .inNamespace(site.namespace())
                .withName("main-gateway-new")
                .delete();
        site.playDeployment("main-gateway");
        site.awaitCondition("UpToDate", Status.True, "RolledOut");
    }

    @Test
    void whileTheDatabaseIsMadeReadyForANewImageTheOldOneServes() {
        site.applyCluster("");
        site.playAll();
        var old = site.awaitMigration();
        site.applyCluster("image: example.test/idp-runtime:2");
        site.awaitGone(Job.class, old.getMetadata().getName());
        site.awaitMigration();
        site.failMigration();

        site.awaitCondition("SchemaReady", Status.False, "MigrationFailed");
        site.awaitCondition("UpToDate", Status.False, "RolloutStuck");
        assertThat(site.awaitCondition("Ready", Status.True, "AllPartsReady").message())
                .contains("the database is not ready for example.test/idp-runtime:2");
    }

    @Test
    void budgetsExistOnlyWhereThereAreTwo() {
        site.applyCluster("replicas: 2\ngateway: {replicas: 2}");
        site.await(PodDisruptionBudget.class, "main-runtime");
        site.await(PodDisruptionBudget.class, "main-gateway");
        assertThat(site.find(PodDisruptionBudget.class, "main-postgres")).isNull();

        site.applyCluster("replicas: 1\ngateway: {replicas: 0}");
        site.awaitGone(PodDisruptionBudget.class, "main-runtime");
        site.awaitGone(PodDisruptionBudget.class, "main-gateway");
        site.awaitCondition("GatewayReady", Status.False, "ScaledToZero");
    }

    @Test
    void theScaleSubresourceCountsTheRuntimesPods() {
        site.applyCluster("");
        site.playAll();
        var scale = site.admin()
                .resources(IdpCluster.class)
                .inNamespace(site.namespace())
                .withName(NAME)
                .scale(3);
        assertThat(scale).isNotNull();
        site.await(
                Deployment.class,
                "main-runtime",
                "has three replicas",
                deployment -> deployment.getSpec().getReplicas() == 3);
        assertThat(site.cluster().getStatus().selector())
                .isEqualTo("app.kubernetes.io/name=sekisho,app.kubernetes.io/instance=main,"
                        + "app.kubernetes.io/component=runtime");
    }

    @Test
    void changedConfigurationAndTheRestartAnnotationRollPods() {
        site.applyCluster("");
        site.playAll();
        var before = site.get(Deployment.class, "main-gateway").getMetadata().getGeneration();
        site.applyCluster("gateway: {keepalive: 0}");
        site.await(
                Deployment.class,
                "main-gateway",
                "rolls",
                deployment -> deployment.getMetadata().getGeneration() > before);

        site.annotate("sekisho.dev/restart", "now");
        site.await(
                Deployment.class,
                "main-runtime",
                "rolls",
                deployment -> "now"
                        .equals(deployment
                                .getSpec()
                                .getTemplate()
                                .getMetadata()
                                .getAnnotations()
                                .get("sekisho.dev/restart")));
    }

    @Test
    void aPodThatCannotGetReadyMakesWayForAMendedTemplate() {
        site.applyCluster("");
        site.playAll();
        site.playRedisPod("main-redis-ready", "old", null);
        site.playRedisPod("main-redis-new", "new", "ImagePullBackOff");
        site.playRedisPod("main-redis-0", "old", "ImagePullBackOff");
        site.awaitCondition("RedisReady", Status.True, "Available");
        assertThat(site.find(Pod.class, "main-redis-0"))
                .as("as long as nothing else is wanted")
                .isNotNull();

        site.playRedisRollout("old", "new");

        site.awaitGone(Pod.class, "main-redis-0");
        assertThat(site.find(Pod.class, "main-redis-ready")).isNotNull();
        assertThat(site.find(Pod.class, "main-redis-new")).isNotNull();
        assertThat(site.writes()).contains("delete pods main-redis-0");
    }
}
