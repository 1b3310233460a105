package dev.sekisho.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sekisho.api.v1alpha1.IdpCluster;
import dev.sekisho.api.v1alpha1.IdpClusterStatus;
import dev.sekisho.e2e.load.SteadyLoad;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The primary of PostgreSQL changes, stops, is killed and vanishes, while numbered rows are committed and tokens are
 * asked for. No request for a token fails in all of it, for none needs the database.
 */
@OnSite
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FailoverE2E {
    private static final Logger LOG = LoggerFactory.getLogger(FailoverE2E.class);
    private static final int PER_SECOND = 200;
    private static final Duration MAXIMUM = Duration.ofMinutes(15);
    /** A primary that vanishes without a word is missed after 20 seconds. */
    private static final Duration TAKEN_OVER = Duration.ofSeconds(90);

    private final Site site;
    private final SteadyLoad load;
    private NumberedRows.Database database;

    FailoverE2E(Site site) {
        this.site = site;
        site.apply("""
            apiVersion: sekisho.dev/v1alpha1
            kind: Tenant
            metadata: {name: failing-over}
            spec:
              clusterRef: {name: demo}
              tenantId: failing-over
              deletionPolicy: Delete
              clients: [{clientId: app, scopes: [api.read]}]
            """);
        var tenant = site.awaitTenantReady("failing-over");
        var target = site.gateway().tokenTarget("failing-over", "app", site.clientSecret(tenant, "app"));
        load = SteadyLoad.start("failover", target, PER_SECOND, MAXIMUM);
        database = new NumberedRows.Database("", "");
    }

    @BeforeAll
    void aReplicaJoins(@TempDir Path folder) throws Exception {
        var ca = Files.writeString(folder.resolve("ca.crt"), site.ca(Site.NAMESPACE));
        var address = site.client()
                .services()
                .inNamespace(Site.NAMESPACE)
                .withName(Site.CLUSTER + "-postgres-rw")
                .get()
                .getSpec()
                .getClusterIP();
        database = new NumberedRows.Database(
                "jdbc:postgresql://" + address + ":5432/postgres?sslmode=verify-ca&sslrootcert=" + ca,
                site.secret(Site.NAMESPACE, Site.CLUSTER + "-postgres-credentials", "superuser"));
        load.change("a replica joins");
        site.patchCluster("{\"postgres\":{\"replicas\":2}}");
        awaitBothMembers();
        nothingHasFailed();
    }

    @AfterEach
    void noTokenWasRefused() {
        nothingHasFailed();
    }

    @AfterAll
    void allIsAsItWas() {
        load.close();
        site.patchCluster("{\"postgres\":{\"replicas\":1,\"synchronous\":null}}");
        site.awaitClusterReady();
    }

    @Test
    @Order(1)
    void aPlannedSwitchoverLosesNothing() throws Exception {
        changePrimary(
                "planned switchover",
                () -> site.client()
                        .resources(IdpCluster.class)
                        .inNamespace(Site.NAMESPACE)
                        .withName(Site.CLUSTER)
                        .patch(
                                PatchContext.of(PatchType.JSON_MERGE),
                                "{\"metadata\":{\"annotations\":{\"sekisho.dev/switchover\":\"any/" + System.nanoTime()
                                        + "\"}}}"));
        assertThat(postgres().orElseThrow().switchover())
                .isNotNull()
                .returns("Succeeded", IdpClusterStatus.Switchover::outcome);
    }

    @Test
    @Order(2)
    void theGracefulDeletionOfThePrimarysPodLosesNothing() throws Exception {
        changePrimary(
                "graceful deletion",
                () -> site.client()
                        .pods()
                        .inNamespace(Site.NAMESPACE)
                        .withName(primary())
                        .delete());
    }

    @Test
    @Order(3)
    void killingThePrimarysContainerLosesNothing() throws Exception {
        var timeline = timeline();
        try (var rows = NumberedRows.start(database, "killed")) {
            await("rows are written").atMost(Site.SOON).until(() -> rows.count() > 200);
            var unused = rows.outage();
            load.change("container of the primary killed");
            int before = rows.count();
            PodProcesses.of(pod(primary())).signal("KILL", PodProcesses::any);
            await("rows are written again").atMost(TAKEN_OVER).until(() -> rows.count() > before + 200);
            LOG.info(
                    "Container of the primary killed: write outage {} ms",
                    rows.outage().toMillis());
            rows.stop();
            assertThat(rows.lost()).isEmpty();
        }
        awaitBothMembers();
        // It leads again, or the other does; both begin a new timeline.
        assertThat(timeline()).isGreaterThan(timeline);
    }

    @Test
    @Order(4)
    void aPrimaryThatVanishesBeforeItsReplicaHasAllTakesNoAcknowledgedRowWithIt() throws Exception {
        try (var rows = NumberedRows.start(database, "synchronous")) {
            vanish(rows, "synchronous");
            assertThat(rows.lost()).isEmpty();
        }
    }

    @Test
    @Order(5)
    void withoutSynchronousCommitTheSameLosesRows() throws Exception {
        site.patchCluster("{\"postgres\":{\"synchronous\":false}}");
        await("commits wait for no replica")
                .atMost(Site.SOON)
                .ignoreExceptions()
                .until(() -> "".equals(NumberedRows.ask(database, "show synchronous_standby_names")));
        try (var rows = NumberedRows.start(database, "asynchronous")) {
            vanish(rows, "asynchronous");
            assertThat(rows.lost())
                    .as("else the test before this one shows nothing")
                    .isNotEmpty();
            LOG.info(
                    "Asynchronous: {} of {} acknowledged rows lost", rows.lost().size(), rows.count());
        }
    }

    @Test
    @Order(6)
    void noTokenIsRefusedInTheMinuteAfterwards() throws Exception {
        load.awaitQuiet(Duration.ofSeconds(60));
        assertThat(load.requests()).isGreaterThan(60 * PER_SECOND);
    }

    // --- How

    private void changePrimary(String what, Runnable change) throws Exception {
        var led = primary();
        var timeline = timeline();
        try (var rows = NumberedRows.start(database, what)) {
            await("rows are written").atMost(Site.SOON).until(() -> rows.count() > 200);
            var unused = rows.outage();
            load.change(what);
            change.run();
            await("another leads, on a new timeline")
                    .atMost(TAKEN_OVER)
                    .until(() -> postgres()
                            .filter(p -> p.primary() != null && !p.primary().equals(led))
                            .filter(p -> p.timeline() != null && p.timeline() > timeline)
                            .isPresent());
            int before = rows.count();
            await("rows are written again").atMost(TAKEN_OVER).until(() -> rows.count() > before + 200);
            LOG.info("{}: write outage {} ms", what, rows.outage().toMillis());
            rows.stop();
            assertThat(rows.lost()).isEmpty();
        }
        awaitBothMembers();
    }

    /**
     * The replica stops receiving, rows go on being committed, and then the primary stops with a jerk and stays away, so
     * that the replica takes over with what it has. Freezing is what a lost node looks like from outside; no pod is
     * deleted by force.
     */
    private void vanish(NumberedRows rows, String what) throws Exception {
        await("rows are written").atMost(Site.SOON).until(() -> rows.count() > 200);
        var led = primary();
        var primary = PodProcesses.of(pod(led));
        var replica = PodProcesses.of(pod(replica()));
        load.change("primary vanishes, " + what);
        replica.signal("STOP", FailoverE2E::receives);
        boolean waits = what.equals("synchronous");
        int before = rows.count();
        // Rows that only the primary has; few enough that Patroni lets the replica lead.
        await("rows are committed, or wait for the replica")
                .atMost(Site.SOON)
                .pollDelay(waits ? Duration.ofSeconds(3) : Duration.ofMillis(100))
                .until(() -> waits || rows.count() > before + 500);
        primary.signal("STOP", PodProcesses::any);
        try {
            // What is on its way to the replica is lost with the receiver.
            replica.signal("KILL", FailoverE2E::receives);
            await("the replica leads")
                    .atMost(TAKEN_OVER)
                    .until(() -> postgres()
                            .filter(p -> p.primary() != null && !p.primary().equals(led))
                            .isPresent());
            int taken = rows.count();
            await("rows are written again").atMost(TAKEN_OVER).until(() -> rows.count() > taken + 50);
        } finally {
            primary.signal("CONT", PodProcesses::any);
        }
        rows.stop();
        awaitBothMembers();
    }

    private static boolean receives(String commandLine) {
        return commandLine.contains("walreceiver");
    }

    private void awaitBothMembers() {
        site.awaitObject(IdpCluster.class, Site.CLUSTER, "both members run on one timeline", TAKEN_OVER, cluster -> {
            var postgres = cluster.getStatus().postgres();
            return postgres != null
                    && postgres.primary() != null
                    && postgres.members().size() == 2
                    && postgres.members().stream()
                            .allMatch(m ->
                                    m.state().equals("running") && Objects.equals(m.timeline(), postgres.timeline()))
                    && Site.isTrue(cluster.getStatus().conditions(), "PostgresReady");
        });
        await("the replica follows")
                .atMost(TAKEN_OVER)
                .ignoreExceptions()
                .until(() -> "1"
                        .equals(NumberedRows.ask(
                                database, "select count(*) from pg_stat_replication where state = 'streaming'")));
        // With synchronous commit Patroni lets nobody lead who is not on its list of those who have all.
        await("the replica may lead")
                .atMost(TAKEN_OVER)
                .until(() -> !synchronous() || replica().equals(standby()));
    }

    private boolean synchronous() {
        return Objects.requireNonNull(site.get(IdpCluster.class, Site.CLUSTER))
                .getSpec()
                .postgres()
                .synchronous();
    }

    private String standby() {
        var sync = site.get(ConfigMap.class, Site.CLUSTER + "-postgres-sync");
        return sync == null ? "" : sync.getMetadata().getAnnotations().getOrDefault("sync_standby", "");
    }

    private Optional<IdpClusterStatus.Postgres> postgres() {
        return Optional.ofNullable(site.get(IdpCluster.class, Site.CLUSTER))
                .map(IdpCluster::getStatus)
                .map(IdpClusterStatus::postgres);
    }

    private String primary() {
        return postgres().map(IdpClusterStatus.Postgres::primary).orElseThrow();
    }

    private String replica() {
        return postgres().orElseThrow().members().stream()
                .map(IdpClusterStatus.Member::name)
                .filter(name -> !name.equals(primary()))
                .findFirst()
                .orElseThrow();
    }

    private int timeline() {
        return postgres().map(IdpClusterStatus.Postgres::timeline).orElseThrow();
    }

    private Pod pod(String name) {
        return Objects.requireNonNull(site.get(Pod.class, name));
    }

    private void nothingHasFailed() {
        assertThat(load.failures()).isEmpty();
    }
}
