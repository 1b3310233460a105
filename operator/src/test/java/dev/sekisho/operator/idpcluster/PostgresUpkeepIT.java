package dev.sekisho.operator.idpcluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sekisho.api.v1alpha1.Condition.Status;
import dev.sekisho.api.v1alpha1.IdpCluster;
import dev.sekisho.api.v1alpha1.IdpClusterStatus;
import dev.sekisho.operator.KubeApi;
import dev.sekisho.operator.idpcluster.postgres.Switchover;
import dev.sekisho.operator.idpcluster.resources.PatroniSettings;
import dev.sekisho.operator.idpcluster.resources.PostgresStatefulSet;
import dev.sekisho.operator.idpcluster.resources.Services;
import dev.sekisho.operator.kube.Names;
import dev.sekisho.operator.status.Events;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetStatusBuilder;
import java.time.Clock;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** PostgreSQL's members on day two, with a hand that plays Patroni, on a real API server. */
class PostgresUpkeepIT {
    private static final KubeApi API = KubeApi.shared();
    private static final String SCOPE = Names.postgres(ClusterSite.NAME);
    private static final String ZERO = SCOPE + "-0";
    private static final String ONE = SCOPE + "-1";
    private static KubeApi.RunningOperator operator;

    private ClusterSite site;

    @BeforeAll
    static void startOperator() {
        operator = API.start(new IdpClusterReconciler(
                ClusterSite.CONFIG,
                ClusterSite.departures(API),
                new Events(API.operator(), Clock.systemUTC(), "test"),
                Clock.systemUTC()));
    }

    @AfterAll
    static void stopOperator() {
        operator.close();
    }

    @BeforeEach
    void createSite() {
        site = new ClusterSite(API);
    }

    @Test
    void aChangedSettingReachesPatroniAndWhatIsNotTheOperatorsStays() {
        site.applyCluster("postgres: {replicas: 2, parameters: {work_mem: 8MB}}");
        patronisConfigMap(
                PatroniSettings.configMap(SCOPE),
                Map.of(
                        "config",
                        "{\"ttl\":20,\"mine\":1,\"postgresql\":{\"parameters\":{\"old\":\"1\"}}}",
                        "history",
                        "[]"));
        var written = site.await(
                ConfigMap.class,
                PatroniSettings.configMap(SCOPE),
                "has the setting",
                found -> config(found).contains("\"work_mem\":\"8MB\""));
        assertThat(config(written))
                .contains("\"mine\":1", "\"synchronous_mode\":true")
                .doesNotContain("\"old\"");
        assertThat(written.getMetadata().getAnnotations()).containsEntry("history", "[]");

        site.applyCluster("postgres: {replicas: 2, synchronous: false}");
        var changed = site.await(
                ConfigMap.class,
                PatroniSettings.configMap(SCOPE),
                "has no setting any more",
                found -> !config(found).contains("work_mem"));
        assertThat(config(changed)).contains("\"synchronous_mode\":false");
    }

    @Test
    void aSettingThatSomebodyEditsComesBack() {
        site.applyCluster("");
        patronisConfigMap(PatroniSettings.configMap(SCOPE), Map.of("config", "{}"));
        var name = PatroniSettings.configMap(SCOPE);
        var good = config(site.await(
                ConfigMap.class, name, "is set", found -> config(found).contains("ttl")));
        patch(name, Map.of("config", good.replace("\"failsafe_mode\":true", "\"failsafe_mode\":false")));
        site.await(ConfigMap.class, name, "is as before", found -> config(found).equals(good));
    }

    @Test
    void patroniIsNotToldAnythingBeforeItHasWrittenItsSettings() {
        site.applyCluster("");
        patronisConfigMap(PatroniSettings.configMap(SCOPE), Map.of("initialize", "7"));
        site.await(
                ConfigMap.class,
                PatroniSettings.configMap(SCOPE),
                "has all labels",
                found -> found.getMetadata().getLabels().containsKey("app.kubernetes.io/version"));
        assertThat(site.get(ConfigMap.class, PatroniSettings.configMap(SCOPE))
                        .getMetadata()
                        .getAnnotations())
                .doesNotContainKey("config");
    }

    @Test
    void aSwitchoverIsAskedOfPatroniUntilItFollowsAndItsOutcomeShown() {
        site.applyCluster("postgres: {replicas: 2}");
        site.await(StatefulSet.class, SCOPE);
        member(ZERO, Services.PRIMARY, "r1", 3);
        member(ONE, "replica", "r1", 3);
        site.annotate(Switchover.ANNOTATION, "any");
        var name = Switchover.configMap(SCOPE);
        site.await(
                ConfigMap.class,
                name,
                "asks",
                found -> ZERO.equals(annotations(found).get("leader")));

        // Patroni cannot follow yet and takes the request out; it is asked again.
        patch(name, new LinkedHashMap<>(Collections.singletonMap("leader", null)));
        site.await(
                ConfigMap.class,
                name,
                "asks again",
                found -> ZERO.equals(annotations(found).get("leader")));
        role(ZERO, "replica", 3);
        role(ONE, Services.PRIMARY, 4);
        var cluster = site.await(
                IdpCluster.class,
                ClusterSite.NAME,
                "tells of the switchover",
                found -> switchover(found)
                        .filter(s -> s.outcome().equals("Succeeded"))
                        .isPresent());
        assertThat(cluster.getStatus().postgres())
                .returns(ONE, IdpClusterStatus.Postgres::primary)
                .returns(4, IdpClusterStatus.Postgres::timeline);
        assertThat(annotations(site.get(ConfigMap.class, name))).doesNotContainKey("leader");
        assertThat(site.eventReasons()).contains("SwitchoverSucceeded");
    }

    @Test
    void aSwitchoverWithoutAReplicaFailsAndSaysWhy() {
        site.applyCluster("");
        site.await(StatefulSet.class, SCOPE);
        member(ZERO, Services.PRIMARY, "r1", 1);
        site.annotate(Switchover.ANNOTATION, "any/1");
        site.await(
                IdpCluster.class,
                ClusterSite.NAME,
                "says why",
                found -> switchover(found)
                        .filter(s -> s.outcome().equals("Failed")
                                && String.valueOf(s.message()).contains("no replica"))
                        .isPresent());
    }

    @Test
    void membersRestartReplicasFirstAndThePrimaryLast() {
        site.applyCluster("postgres: {replicas: 2}");
        var set = site.await(StatefulSet.class, SCOPE);
        member(ZERO, Services.PRIMARY, "r1", 1);
        member(ONE, "replica", "r1", 1);
        revision(set, "r2");
        site.awaitGone(Pod.class, ONE);
        site.awaitCondition("UpToDate", Status.False, "RollingOut");
        assertThat(site.find(Pod.class, ZERO)).isNotNull();

        member(ONE, "replica", "r2", 1);
        site.awaitGone(Pod.class, ZERO);
    }

    @Test
    void theRuntimeIsNotScaledOutBeyondTheDatabasesConnections() {
        site.applyCluster("replicas: 2\npostgres: {parameters: {max_connections: \"45\"}}");
        site.playAll();
        assertThat(site.awaitCondition("CapacityValid", Status.True, "Sufficient")
                        .message())
                .contains("max_connections is 45");

        site.applyCluster("replicas: 9\npostgres: {parameters: {max_connections: \"45\"}}");
        assertThat(site.awaitCondition("CapacityValid", Status.False, "TooFewConnections")
                        .message())
                .contains("(9 replicas + 1) × 10 connections + 15 = 115", "max_connections is 45");
        assertThat(site.get(Deployment.class, Names.runtime(ClusterSite.NAME))
                        .getSpec()
                        .getReplicas())
                .isEqualTo(2);

        site.applyCluster("replicas: 9\npostgres: {parameters: {max_connections: \"115\"}}");
        site.await(
                Deployment.class,
                Names.runtime(ClusterSite.NAME),
                "has all",
                found -> found.getSpec().getReplicas() == 9);
        site.awaitCondition("CapacityValid", Status.True, "Sufficient");
    }

    // --- Playing Patroni

    private void patronisConfigMap(String name, Map<String, String> annotations) {
        var labels = new LinkedHashMap<>(
                site.await(StatefulSet.class, SCOPE).getSpec().getSelector().getMatchLabels());
        labels.put("app.kubernetes.io/managed-by", "sekisho-operator");
        labels.put(PostgresStatefulSet.SCOPE, SCOPE);
        site.admin()
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace(site.namespace())
                        .withLabels(labels)
                        .withAnnotations(annotations)
                        .endMetadata()
                        .build())
                .create();
    }

    private void patch(String name, Map<String, String> annotations) {
        var json = site.admin()
                .getKubernetesSerialization()
                .asJson(Map.of("metadata", Map.of("annotations", annotations)));
        site.admin()
                .configMaps()
                .inNamespace(site.namespace())
                .withName(name)
                .patch(
                        io.fabric8.kubernetes.client.dsl.base.PatchContext.of(
                                io.fabric8.kubernetes.client.dsl.base.PatchType.JSON_MERGE),
                        json);
    }

    private void member(String name, String role, String revision, int timeline) {
        site.playMember(name, revision);
        role(name, role, timeline);
    }

    private void role(String name, String role, int timeline) {
        var status = "{\"state\":\"running\",\"xlog_location\":1000,\"timeline\":" + timeline
                + (role.equals("replica") ? ",\"replication_state\":\"streaming\"}" : "}");
        site.admin()
                .pods()
                .inNamespace(site.namespace())
                .withName(name)
                .edit(pod -> new PodBuilder(pod)
                        .editMetadata()
                        .addToLabels(Services.ROLE, role)
                        .addToAnnotations("status", status)
                        .endMetadata()
                        .build());
    }

    private void revision(StatefulSet set, String revision) {
        var fresh = site.get(StatefulSet.class, set.getMetadata().getName());
        fresh.setStatus(new StatefulSetStatusBuilder()
                .withReplicas(2)
                .withReadyReplicas(2)
                .withUpdatedReplicas(0)
                .withUpdateRevision(revision)
                .withObservedGeneration(fresh.getMetadata().getGeneration())
                .build());
        site.status(fresh);
    }

    private static Optional<IdpClusterStatus.Switchover> switchover(IdpCluster cluster) {
        return Optional.ofNullable(cluster.getStatus())
                .map(IdpClusterStatus::postgres)
                .map(IdpClusterStatus.Postgres::switchover);
    }

    private static String config(ConfigMap configMap) {
        return annotations(configMap).getOrDefault("config", "");
    }

    private static Map<String, String> annotations(ConfigMap configMap) {
        var annotations = configMap.getMetadata().getAnnotations();
        return annotations == null ? Map.of() : annotations;
    }
}
