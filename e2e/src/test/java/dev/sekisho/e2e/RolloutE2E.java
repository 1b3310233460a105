package dev.sekisho.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sekisho.e2e.load.SteadyLoad;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.policy.v1.EvictionBuilder;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * No request fails while the identity provider changes. One load goes on through all the changes; the last test is the
 * minute after them.
 */
@OnSite
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RolloutE2E {
    private static final int PER_SECOND = 200;
    private static final Duration MAXIMUM = Duration.ofMinutes(20);
    /** Pods start slowly while the load takes its part of two cores. */
    private static final Duration ROLLED = Duration.ofMinutes(4);

    private static final String RUNTIME = Site.CLUSTER + "-runtime";
    private static final String GATEWAY = Site.CLUSTER + "-gateway";
    private static final String OPERATOR = "sekisho";

    private final Site site;
    private final SteadyLoad load;
    private int failedBefore;

    RolloutE2E(Site site) {
        this.site = site;
        site.apply("""
            apiVersion: sekisho.dev/v1alpha1
            kind: Tenant
            metadata: {name: rolling}
            spec:
              clusterRef: {name: demo}
              tenantId: rolling
              deletionPolicy: Delete
              clients: [{clientId: app, scopes: [api.read]}]
            """);
        var tenant = site.awaitTenantReady("rolling");
        var target = site.gateway().tokenTarget("rolling", "app", site.clientSecret(tenant, "app"));
        load = SteadyLoad.start("rollout", target, PER_SECOND, MAXIMUM);
    }

    @BeforeAll
    void theLoadRuns() {
        await("the load runs").atMost(Site.SOON).until(() -> load.requests() > PER_SECOND);
        nothingHasFailed();
    }

    @AfterAll
    void allIsAsItWas() {
        load.close();
        site.client()
                .apps()
                .deployments()
                .inNamespace(Site.OPERATOR_NAMESPACE)
                .withName(OPERATOR)
                .scale(1);
        site.patchCluster("""
            {"replicas":1,"image":null,"runtime":null,"gateway":{"replicas":1,"keepalive":null}}""");
        awaitRolled(RUNTIME, 1);
        awaitRolled(GATEWAY, 1);
        site.awaitClusterReady();
    }

    private void nothingHasFailed() {
        var failures = load.failures();
        var here = failures.subList(failedBefore, failures.size());
        failedBefore = failures.size();
        assertThat(here).isEmpty();
    }

    // --- The changes, in an order that asks for few starts of a runtime

    @Test
    @Order(1)
    void theRuntimeGrowsToThree() throws InterruptedException {
        change("replicas 1 to 3");
        site.patchCluster("{\"replicas\":3}");
        awaitRolled(RUNTIME, 3);
        nothingHasFailed();
    }

    @Test
    @Order(2)
    void aPodOfTheRuntimeIsEvicted() throws InterruptedException {
        change("a pod of the runtime is evicted");
        evictOne("runtime");
        awaitRolled(RUNTIME, 3);
        nothingHasFailed();
    }

    @Test
    @Order(3)
    void theRuntimeShrinksToOne() throws InterruptedException {
        change("replicas 3 to 1");
        site.patchCluster("{\"replicas\":1}");
        awaitRolled(RUNTIME, 1);
        nothingHasFailed();
    }

    @Test
    @Order(4)
    void theRuntimesImageChanges() throws Exception {
        tagImage("sekisho.local/idp-runtime:dev", "sekisho.local/idp-runtime:again");
        change("image");
        site.patchCluster("{\"image\":\"sekisho.local/idp-runtime:again\"}");
        awaitPodsAre(
                "runtime",
                pod -> pod.getSpec().getContainers().getFirst().getImage().equals("sekisho.local/idp-runtime:again"));
        awaitRolled(RUNTIME, 1);
        nothingHasFailed();
    }

    @Test
    @Order(5)
    void thePoolsSizeChanges() throws InterruptedException {
        var before = uids("runtime");
        change("pool size");
        site.patchCluster("{\"runtime\":{\"databasePool\":{\"maximumPoolSize\":7}}}");
        awaitPodsAre("runtime", pod -> !before.contains(pod.getMetadata().getUid()));
        awaitRolled(RUNTIME, 1);
        nothingHasFailed();
    }

    @Test
    @Order(6)
    void theGatewayChanges() throws InterruptedException {
        var before = uids("gateway");
        change("gateway configuration, and a second gateway");
        site.patchCluster("{\"gateway\":{\"keepalive\":16,\"replicas\":2}}");
        awaitPodsAre("gateway", pod -> !before.contains(pod.getMetadata().getUid()));
        awaitRolled(GATEWAY, 2);
        nothingHasFailed();
    }

    @Test
    @Order(7)
    void aPodOfTheGatewayIsEvicted() throws InterruptedException {
        change("a pod of the gateway is evicted");
        evictOne("gateway");
        awaitRolled(GATEWAY, 2);
        nothingHasFailed();
    }

    @Test
    @Order(8)
    void theGatewayShrinksToOne() throws InterruptedException {
        change("gateway 2 to 1");
        site.patchCluster("{\"gateway\":{\"replicas\":1}}");
        awaitRolled(GATEWAY, 1);
        nothingHasFailed();
    }

    @Test
    @Order(9)
    void theOperatorIsKilled() throws InterruptedException {
        var holder = holder();
        change("the operator is killed");
        // SIGKILL: it gives nothing back.
        site.client()
                .pods()
                .inNamespace(Site.OPERATOR_NAMESPACE)
                .withName(holder)
                .withGracePeriod(0)
                .delete();
        awaitRolled(Site.OPERATOR_NAMESPACE, OPERATOR, 1);
        await("another one leads").atMost(ROLLED).until(() -> !holder().equals(holder));
        nothingHasFailed();
    }

    @Test
    @Order(10)
    void theOperatorsLeadershipIsHandedOver() throws InterruptedException {
        var operators = site.client()
                .apps()
                .deployments()
                .inNamespace(Site.OPERATOR_NAMESPACE)
                .withName(OPERATOR);
        operators.scale(2);
        awaitRolled(Site.OPERATOR_NAMESPACE, OPERATOR, 2);
        var holder = holder();
        change("the leader is handed over");
        site.client()
                .pods()
                .inNamespace(Site.OPERATOR_NAMESPACE)
                .withName(holder)
                .delete();
        await("another one leads").atMost(Site.SOON).until(() -> !holder().equals(holder));
        operators.scale(1);
        awaitRolled(Site.OPERATOR_NAMESPACE, OPERATOR, 1);
        site.awaitClusterReady();
        nothingHasFailed();
    }

    @Test
    @Order(11)
    void nothingFailsInTheMinuteAfterTheLastChange() throws Exception {
        load.awaitQuiet(Duration.ofSeconds(60));
        nothingHasFailed();
        assertThat(load.requests()).isGreaterThan(60 * PER_SECOND);
    }

    // --- How

    /** Two cores have to carry several young JVMs: one change at a time. */
    private void change(String what) throws InterruptedException {
        load.awaitCalm(Site.SOON);
        load.change(what);
    }

    private void awaitRolled(String deployment, int replicas) {
        awaitRolled(Site.NAMESPACE, deployment, replicas);
    }

    /** Until all copies are of the present template and ready, and the others are gone, also those that still drain. */
    private void awaitRolled(String namespace, String deployment, int replicas) {
        var rolled = site.awaitObject(
                namespace, Deployment.class, deployment, "has " + replicas + " copies of now", ROLLED, d -> {
                    var status = d.getStatus();
                    return d.getSpec().getReplicas() == replicas
                            && Objects.equals(
                                    status.getObservedGeneration(),
                                    d.getMetadata().getGeneration())
                            && Objects.requireNonNullElse(status.getReplicas(), 0) == replicas
                            && Objects.requireNonNullElse(status.getUpdatedReplicas(), 0) == replicas
                            && Objects.requireNonNullElse(status.getReadyReplicas(), 0) == replicas;
                });
        var labels = rolled.getSpec().getSelector().getMatchLabels();
        await("former pods of " + deployment + " are gone")
                .atMost(ROLLED)
                .until(() -> site.client()
                                .pods()
                                .inNamespace(namespace)
                                .withLabels(labels)
                                .list()
                                .getItems()
                                .size()
                        == replicas);
    }

    private void awaitPodsAre(String component, Predicate<Pod> as) {
        await("all pods of " + component + " are new").atMost(ROLLED).until(() -> {
            var pods = site.pods(component);
            return !pods.isEmpty() && pods.stream().allMatch(as);
        });
    }

    private List<String> uids(String component) {
        return site.pods(component).stream().map(p -> p.getMetadata().getUid()).toList();
    }

    /** By the API that drains of nodes use, which asks the disruption budgets. */
    private void evictOne(String component) {
        var pod = site.pods(component).getFirst();
        var uid = pod.getMetadata().getUid();
        var evicted = site.client()
                .pods()
                .inNamespace(Site.NAMESPACE)
                .withName(pod.getMetadata().getName())
                .evict(new EvictionBuilder()
                        .withNewMetadata()
                        .withName(pod.getMetadata().getName())
                        .withNamespace(Site.NAMESPACE)
                        .endMetadata()
                        .build());
        assertThat(evicted).as("the budget allows it").isTrue();
        await("it is gone").atMost(ROLLED).until(() -> !uids(component).contains(uid));
    }

    private String holder() {
        var lease = site.client()
                .resources(Lease.class)
                .inNamespace(Site.OPERATOR_NAMESPACE)
                .withName("sekisho")
                .get();
        return Objects.requireNonNullElse(lease.getSpec().getHolderIdentity(), "");
    }

    private static void tagImage(String from, String to) throws IOException, InterruptedException {
        var socket = "/run/sekisho-dev/containerd/containerd.sock";
        var process = new ProcessBuilder("ctr", "-a", socket, "-n", "k8s.io", "images", "tag", "--force", from, to)
                .redirectErrorStream(true)
                .start();
        var output = String.join("\n", process.inputReader().lines().toList());
        assertThat(process.waitFor()).as(output).isZero();
    }
}
