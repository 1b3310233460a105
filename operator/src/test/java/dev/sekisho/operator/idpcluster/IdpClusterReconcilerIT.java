package dev.sekisho.operator.idpcluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sekisho.api.v1alpha1.Condition;
import dev.sekisho.api.v1alpha1.IdpCluster;
import dev.sekisho.api.v1alpha1.IdpClusterStatus;
import dev.sekisho.api.v1alpha1.IdpClusterStatus.Phase;
import dev.sekisho.operator.KubeApi;
import dev.sekisho.operator.kube.Names;
import dev.sekisho.operator.status.Events;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of an IdpCluster, on a real API server and under the chart's rights. */
class IdpClusterReconcilerIT {
    private static final KubeApi API = KubeApi.shared();
    private static final String NAME = ClusterSite.NAME;
    private static KubeApi.RunningOperator operator;

    private ClusterSite site;

    @BeforeAll
    static void startOperator() {
        operator = start();
    }

    private static KubeApi.RunningOperator start() {
        var clock = Clock.systemUTC();
        return API.start(new IdpClusterReconciler(
                ClusterSite.CONFIG, ClusterSite.departures(API), new Events(API.operator(), clock, "test"), clock));
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
    void everyPartIsMadeAndTheStatusTellsWhenItServes() {
        site.applyCluster("");
        site.awaitCondition("PostgresReady", Condition.Status.False, "Starting");
        assertThat(site.cluster().getStatus().phase()).isEqualTo(Phase.Provisioning);
        assertThat(site.list(Job.class)).as("no migration before PostgreSQL").isEmpty();
        assertThat(site.find(Deployment.class, Names.runtime(NAME))).isNull();

        site.playAll();

        var status = site.cluster().getStatus();
        assertThat(status.phase()).isEqualTo(Phase.Ready);
        assertThat(status.postgres()).isNotNull().returns("main-postgres-0", IdpClusterStatus.Postgres::primary);
        assertThat(status.gatewayUrl()).isEqualTo("https://main-gateway." + site.namespace() + ".svc");
        assertThat(status.caConfigMap()).isEqualTo("main-ca-bundle");
        assertThat(status.replicas()).isEqualTo(1);
        assertThat(status.readyReplicas()).isEqualTo(1);
        assertThat(status.observedGeneration())
                .isEqualTo(site.cluster().getMetadata().getGeneration());
        assertThat(status.conditions())
                .extracting(Condition::type)
                .containsExactly(
                        "Ready",
                        "UpToDate",
                        "SecretsReady",
                        "PostgresReady",
                        "RedisReady",
                        "SchemaReady",
                        "RuntimeReady",
                        "GatewayReady",
                        "CapacityValid");
        assertThat(status.conditions()).allMatch(condition -> condition.status() == Condition.Status.True);
        assertThat(site.eventReasons()).contains("AllPartsReady", "PrimaryReady", "Migrated", "Available");

        for (var child : children().toList()) {
            assertThat(child.getMetadata().getLabels())
                    .as(child.getKind() + " " + child.getMetadata().getName())
                    .containsKeys(ClusterSite.labels().toArray(String[]::new));
        }
        assertThat(children().map(child -> child.getMetadata().getName()).toList())
                .contains(
                        "main-ca",
                        "main-gateway-tls",
                        "main-runtime-tls",
                        "main-postgres-tls",
                        "main-redis-tls",
                        "main-postgres-rw",
                        "main-postgres-ro",
                        "main-runtime-management");
    }

    /** All objects that the operator made. */
    private Stream<? extends HasMetadata> children() {
        return Stream.of(
                        Secret.class,
                        ConfigMap.class,
                        Service.class,
                        ServiceAccount.class,
                        Role.class,
                        RoleBinding.class,
                        StatefulSet.class,
                        Deployment.class,
                        Job.class,
                        NetworkPolicy.class,
                        PodDisruptionBudget.class)
                .flatMap(type -> site.list(type).stream())
                .filter(object -> object.getMetadata().getName().startsWith(NAME + "-"));
    }

    @Test
    void everythingButDataAndItsKeysGoesWithTheCluster() {
        site.applyCluster("");
        site.playAll();

        var uid = site.cluster().getMetadata().getUid();
        var unowned = children()
                .filter(child -> child.getMetadata().getOwnerReferences().stream()
                        .map(OwnerReference::getUid)
                        .noneMatch(uid::equals))
                .map(child -> child.getMetadata().getName());
        assertThat(unowned).containsExactlyInAnyOrder(Names.postgresCredentials(NAME), Names.keyEncryption(NAME));
    }

    @Test
    void whatSomebodyChangesOrRemovesIsPutBack() {
        site.applyCluster("");
        site.playAll();

        site.admin()
                .services()
                .inNamespace(site.namespace())
                .withName("main-redis")
                .delete();
        site.admin()
                .resources(ConfigMap.class)
                .inNamespace(site.namespace())
                .withName("main-gateway")
                .edit(map -> {
                    map.getData().put("nginx.conf", "nothing");
                    return map;
                });
        site.admin()
                .resources(Deployment.class)
                .inNamespace(site.namespace())
                .withName("main-runtime")
                .edit(deployment -> {
                    deployment.getSpec().setReplicas(7);
                    deployment
                            .getSpec()
                            .getTemplate()
                            .getSpec()
                            .getContainers()
                            .getFirst()
                            .setImage("example.test/other:1");
                    return deployment;
                });
        site.admin()
                .resources(Service.class)
                .inNamespace(site.namespace())
                .withName("main-gateway")
                .edit(service -> {
                    service.getMetadata().getLabels().clear();
                    service.getMetadata().getLabels().put("foreign", "label");
                    return service;
                });
        site.admin()
                .secrets()
                .inNamespace(site.namespace())
                .withName("main-redis-tls")
                .delete();

        site.await(Service.class, "main-redis");
        site.await(Secret.class, "main-redis-tls");
        site.await(
                ConfigMap.class,
                "main-gateway",
                "is itself again",
                map -> map.getData().getOrDefault("nginx.conf", "").contains("upstream runtime"));
        site.await(
                Deployment.class,
                "main-runtime",
                "is itself again",
                deployment -> deployment.getSpec().getReplicas() == 1
                        && deployment
                                .getSpec()
                                .getTemplate()
                                .getSpec()
                                .getContainers()
                                .getFirst()
                                .getImage()
                                .equals("example.test/idp-runtime:1"));
        var service = site.await(
                Service.class,
                "main-gateway",
                "has its labels again",
                found -> found.getMetadata().getLabels().keySet().containsAll(ClusterSite.labels()));
        assertThat(service.getMetadata().getLabels()).containsEntry("foreign", "label");
    }

    @Test
    void nothingIsWrittenWhileNothingChanges() {
        site.applyCluster("gateway: {replicas: 2}");
        site.playAll();
        // Whatever followed from that has been written once the same is looked at again.
        wake("1");
        var versions = versions();
        int writes = site.writes().size();

        for (int i = 2; i < 6; i++) {
            wake(Integer.toString(i));
        }
        operator.close();
        operator = start();
        site.annotate("test/look", "6");
        // The new operator has looked at everything once it has put this back.
        site.admin()
                .services()
                .inNamespace(site.namespace())
                .withName("main-redis")
                .delete();
        var redis = site.await(Service.class, "main-redis");

        var written = site.writes();
        assertThat(written.subList(writes, written.size()))
                .as("five marks that the operator put back")
                .containsOnly("patch services main-redis")
                .hasSize(5);
        var after = versions();
        after.removeIf(entry -> entry.contains(" main-redis "));
        versions.removeIf(entry -> entry.contains(" main-redis "));
        assertThat(after).isEqualTo(versions);
        assertThat(redis.getMetadata().getLabels())
                .containsKeys(ClusterSite.labels().toArray(String[]::new));
    }

    /** Makes the reconciler look at everything, and waits until it has: it puts back a label. */
    private void wake(String mark) {
        site.annotate("test/look", mark);
        site.admin()
                .resources(Service.class)
                .inNamespace(site.namespace())
                .withName("main-redis")
                .edit(service -> {
                    service.getMetadata().getLabels().put("app.kubernetes.io/version", "wrong");
                    return service;
                });
        site.await(
                Service.class,
                "main-redis",
                "has its version again",
                service -> "1.2.3".equals(service.getMetadata().getLabels().get("app.kubernetes.io/version")));
    }

    private List<String> versions() {
        return new java.util.ArrayList<>(children()
                .map(child -> child.getKind() + " " + child.getMetadata().getName() + " "
                        + child.getMetadata().getResourceVersion())
                .sorted()
                .toList());
    }

    @Test
    void aPauseLeavesEverythingAloneUntilItEnds() {
        site.applyCluster("");
        site.playAll();

        site.annotate("sekisho.dev/paused", "true");
        site.await(IdpCluster.class, NAME, "is paused", c -> c.getStatus().phase() == Phase.Paused);
        int writes = site.writes().size();
        site.admin()
                .services()
                .inNamespace(site.namespace())
                .withName("main-redis")
                .delete();
        site.annotate("test/look", "1");
        site.applyCluster("replicas: 3");
        assertThat(site.find(Service.class, "main-redis")).isNull();

        site.annotate("sekisho.dev/paused", "false");
        site.await(Service.class, "main-redis");
        site.await(
                Deployment.class,
                "main-runtime",
                "has three replicas",
                deployment -> deployment.getSpec().getReplicas() == 3);
        site.awaitCondition("RuntimeReady", Condition.Status.False, "Progressing");
        assertThat(site.writes().size()).isGreaterThan(writes);
        assertThat(site.eventReasons()).contains("Paused");
    }
}
