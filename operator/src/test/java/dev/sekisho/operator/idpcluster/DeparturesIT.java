package dev.sekisho.operator.idpcluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sekisho.api.management.TenantDeclaration;
import dev.sekisho.api.v1alpha1.Condition;
import dev.sekisho.api.v1alpha1.DeletionPolicy;
import dev.sekisho.api.v1alpha1.IdpCluster;
import dev.sekisho.operator.KubeApi;
import dev.sekisho.operator.kube.Clients;
import dev.sekisho.operator.management.Departures;
import dev.sekisho.operator.management.Departures.Departure;
import dev.sekisho.operator.management.ManagementClient;
import dev.sekisho.operator.status.Events;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tenants that were deleted while no runtime answered; on a real API server. */
class DeparturesIT {
    private static final KubeApi API = KubeApi.shared();

    private final ClusterSite site = new ClusterSite(API);
    private final Runtime runtime = new Runtime();
    private final Departures departures = new Departures(API.operator(), runtime, "1.2.3");
    private KubeApi.RunningOperator operator;

    /** Notes what it is told; or does not answer. */
    private final class Runtime implements ManagementClient {
        private final List<String> told = new CopyOnWriteArrayList<>();
        private volatile boolean away;

        @Override
        public Answer put(IdpCluster cluster, TenantDeclaration declaration) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Answer get(IdpCluster cluster, String tenantId) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Answer delete(IdpCluster cluster, String tenantId, String owner, DeletionPolicy policy) {
            if (!cluster.getMetadata().getNamespace().equals(site.namespace())) {
                return new Answer.Unreachable("of another test");
            }
            told.add(tenantId + " " + owner + " " + policy);
            return away ? new Answer.Unreachable("away for a test") : new Answer.Absent();
        }
    }

    @BeforeEach
    void startOperator() {
        var clock = Clock.systemUTC();
        operator = API.start(new IdpClusterReconciler(
                ClusterSite.CONFIG, departures, new Events(API.operator(), clock, "test"), clock));
    }

    @AfterEach
    void stopOperator() {
        operator.close();
    }

    @Test
    void theyAreTakenOutOfServiceAsSoonAsARuntimeAnswers() {
        departures.note(
                site.namespace(), ClusterSite.NAME, new Departure("one", "tenant/a/one", DeletionPolicy.Retain));
        departures.note(
                site.namespace(), ClusterSite.NAME, new Departure("two", "tenant/a/two", DeletionPolicy.Delete));
        runtime.away = true;
        site.applyCluster("");
        assertThat(runtime.told).as("no runtime, no call").isEmpty();
        site.playAll();
        site.awaitTrue("the runtime is asked", () -> !runtime.told.isEmpty());
        assertThat(site.get(ConfigMap.class, "main-departures").getData()).hasSize(2);

        runtime.away = false;
        site.awaitGone(ConfigMap.class, "main-departures");
        assertThat(runtime.told).contains("one tenant/a/one Retain", "two tenant/a/two Delete");
    }

    @Test
    void troubleWithAnotherPartIsNoReasonToServeThem() {
        site.apply("""
                apiVersion: v1
                kind: Service
                metadata: {name: main-gateway}
                spec: {ports: [{port: 1}]}
                """);
        departures.note(
                site.namespace(), ClusterSite.NAME, new Departure("one", "tenant/a/one", DeletionPolicy.Retain));
        site.applyCluster("");
        site.playPostgres();
        site.playMigration();
        site.playDeployment("main-runtime");
        site.awaitCondition("GatewayReady", Condition.Status.False, "ApplyFailed");
        site.awaitGone(ConfigMap.class, "main-departures");
        assertThat(runtime.told).contains("one tenant/a/one Retain");
    }

    @Test
    void whatIsDeclaredAnewIsLeftToItsTenant() {
        var owner = "tenant/" + site.namespace() + "/acme";
        site.apply("""
                apiVersion: sekisho.dev/v1alpha1
                kind: Tenant
                metadata: {name: acme}
                spec: {clusterRef: {name: main}, tenantId: acme}
                """);
        departures.note(site.namespace(), ClusterSite.NAME, new Departure("acme", owner, DeletionPolicy.Retain));
        departures.note(site.namespace(), ClusterSite.NAME, new Departure("other", owner, DeletionPolicy.Retain));
        site.applyCluster("");
        site.playAll();
        site.await(
                ConfigMap.class,
                "main-departures",
                "holds one",
                map -> map.getData().size() == 1);
        assertThat(runtime.told).containsOnly("other " + owner + " Retain");
    }

    @Test
    void whatMayNotBeLookedAtIsLeftAlone() {
        var rightless = new ConfigBuilder(Config.fromKubeconfig(API.kubeconfig()))
                .withImpersonateUsername("nobody")
                .build();
        try (var client = Clients.lenient(rightless)) {
            var remembered = new ConfigMapBuilder()
                    .addToData("one", "Delete one tenant/elsewhere/one")
                    .build();
            site.applyCluster("");
            assertThat(new Departures(client, runtime, "1.2.3").sweep(site.cluster(), remembered))
                    .isTrue();
        }
        assertThat(runtime.told).isEmpty();
    }

    @Test
    void theyGoWithTheDataWhenTheClusterIsDeleted() {
        site.applyCluster("deletionPolicy: Delete");
        site.playAll();
        departures.note(site.namespace(), "main", new Departure("one", "tenant/a/one", DeletionPolicy.Retain));
        runtime.away = true;
        site.admin().resource(site.cluster()).delete();
        site.admin()
                .pods()
                .inNamespace(site.namespace())
                .withName("main-postgres-0")
                .withGracePeriod(0)
                .delete();
        site.awaitGone(IdpCluster.class, ClusterSite.NAME);
        assertThat(site.find(ConfigMap.class, "main-departures")).isNull();
    }
}
