package dev.sekisho.operator.idpcluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sekisho.api.v1alpha1.Condition.Status;
import dev.sekisho.operator.KubeApi;
import dev.sekisho.operator.OperatorConfig;
import dev.sekisho.operator.status.Events;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.time.Clock;
import org.junit.jupiter.api.Test;

/** What a new release of the operator does to a cluster that an older one made; on a real API server. */
class OperatorUpgradeIT {
    private static final KubeApi API = KubeApi.shared();
    private static final OperatorConfig NEXT = ClusterSite.CONFIG.with(new OperatorConfig.Images(
            "example.test/idp-runtime:next",
            "example.test/postgres:next",
            "example.test/redis:next",
            "example.test/nginx:next",
            "example.test/k6:next"));

    private final ClusterSite site = new ClusterSite(API);

    private static KubeApi.RunningOperator start(OperatorConfig config) {
        var clock = Clock.systemUTC();
        return API.start(new IdpClusterReconciler(
                config, ClusterSite.departures(API), new Events(API.operator(), clock, "test"), clock));
    }

    @Test
    void nothingRestartsUntilSomebodySaysSo() {
        long postgres;
        long gateway;
        try (var _ = start(ClusterSite.CONFIG)) {
            site.applyCluster("");
            site.playAll();
            site.awaitCondition("UpToDate", Status.True, "RolledOut");
            postgres = generation(StatefulSet.class, "main-postgres");
            gateway = generation(Deployment.class, "main-gateway");
        }
        try (var _ = start(NEXT)) {
            assertThat(site.awaitCondition("UpToDate", Status.False, "UpdatePending")
                            .message())
                    .contains("example.test/postgres:next instead of example.test/postgres:17");
            site.awaitCondition("Ready", Status.True, "AllPartsReady");
            assertThat(generation(StatefulSet.class, "main-postgres")).isEqualTo(postgres);
            assertThat(generation(Deployment.class, "main-gateway")).isEqualTo(gateway);

            // Nor does an autoscaler, and what somebody edits still comes back.
            site.applyCluster("replicas: 2");
            site.await(
                    Deployment.class, "main-runtime", "scales", d -> d.getSpec().getReplicas() == 2);
            site.admin()
                    .apps()
                    .statefulSets()
                    .inNamespace(site.namespace())
                    .withName("main-redis")
                    .edit(set -> {
                        set.getSpec()
                                .getTemplate()
                                .getSpec()
                                .getContainers()
                                .getFirst()
                                .setImage("edited:1");
                        return set;
                    });
            site.await(
                    StatefulSet.class,
                    "main-redis",
                    "is as it was",
                    set -> image(set.getSpec().getTemplate()).equals("example.test/redis:7"));
            assertThat(generation(StatefulSet.class, "main-postgres")).isEqualTo(postgres);

            site.annotate("sekisho.dev/restart", "now");
            site.await(
                    StatefulSet.class,
                    "main-postgres",
                    "has the new image",
                    set -> image(set.getSpec().getTemplate()).equals("example.test/postgres:next"));
            site.await(
                    Deployment.class,
                    "main-gateway",
                    "has the new image",
                    set -> image(set.getSpec().getTemplate()).equals("example.test/nginx:next"));
            site.awaitTrue("it is recorded", () -> {
                var images = site.cluster().getStatus().images();
                return images != null && "now".equals(images.restart());
            });
        }
    }

    private <T extends io.fabric8.kubernetes.api.model.HasMetadata> long generation(Class<T> type, String name) {
        return site.get(type, name).getMetadata().getGeneration();
    }

    private static String image(PodTemplateSpec template) {
        return template.getSpec().getContainers().getFirst().getImage();
    }
}
