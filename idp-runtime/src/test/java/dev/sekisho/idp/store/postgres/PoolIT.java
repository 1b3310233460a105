package dev.sekisho.idp.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.sekisho.idp.tenant.StoreBusyException;
import dev.sekisho.idp.tenant.StoreUnavailableException;
import dev.sekisho.idp.testing.Environment;
import dev.sekisho.idp.testing.Relay;
import dev.sekisho.idp.testing.StoredTenants;
import io.prometheus.client.CollectorRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What becomes of connections when the server goes, turns read-only, or does not answer. */
class PoolIT {
    private final Environment environment = Environment.shared();

    private static int processId(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var rows = statement.executeQuery("select pg_backend_pid()")) {
            rows.next();
            return rows.getInt(1);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void thatAConnectionWasEndedWhileItLayInThePoolIsNoticedByNobody() throws SQLException {
        try (var pool = environment.pool(1);
                var admin = environment.postgres().admin("postgres")) {
            var store = new PostgresTenantStore(pool);
            for (int i = 0; i < 5; i++) {
                int process = pool.use(PoolIT::processId);
                execute(admin, "select pg_terminate_backend(" + process + ", 5000)");
                assertThat(store.load(new UUID(0, i))).isEmpty();
                assertThat(pool.<Integer>use(PoolIT::processId)).isNotEqualTo(process);
            }
        }
    }

    @Test
    void aServerThatTakesNoWritesAnyMoreIsLeftWithAllConnections() {
        var key = UUID.randomUUID();
        try (var pool = environment.pool(3)) {
            var store = new PostgresTenantStore(pool);
            // What connections to a former primary are; new ones lead to the new one.
            var former = new HashSet<Integer>();
            pool.use(one -> pool.use(two -> pool.use(three -> {
                for (var connection : Set.of(one, two, three)) {
                    former.add(processId(connection));
                    execute(connection, "set session characteristics as transaction read only");
                }
                return true;
            })));
            assertThat(former).hasSize(3);
            var record = StoredTenants.record(key, "pool-" + key);
            assertThatThrownBy(() -> store.put(key, _ -> record)).isInstanceOf(StoreUnavailableException.class);
            assertThat(store.put(key, _ -> record).changed()).isTrue();
            pool.use(one -> pool.use(two -> pool.use(three -> {
                for (var connection : Set.of(one, two, three)) {
                    assertThat(processId(connection)).isNotIn(former);
                }
                return true;
            })));
        }
    }

    @Test
    void aCancelledStatementSaysNothingAboutTheServer() {
        try (var pool = environment.pool(1)) {
            assertThatThrownBy(() -> pool.use(connection -> {
                        execute(connection, "set statement_timeout = 20; select pg_sleep(10)");
                        return true;
                    }))
                    .isInstanceOf(StoreBusyException.class);
        }
    }

    @Test
    void whoGetsNoConnectionInTimeBecauseOthersHaveThemIsToldSo() {
        try (var pool = environment.pool(1)) {
            assertThatThrownBy(() -> pool.use(_ -> pool.use(PoolIT::processId)))
                    .isInstanceOf(StoreBusyException.class)
                    .hasMessageContaining("free in time");
        }
    }

    @Test
    void aServerThatCannotBeReachedIsAwayAndNotBusy() {
        try (var relay = Relay.to(environment.postgres().port());
                var pool = pool(relay, Duration.ofMillis(500))) {
            relay.cut();
            assertThatThrownBy(() -> new PostgresTenantStore(pool).load(new UUID(0, 0)))
                    .isInstanceOf(StoreUnavailableException.class)
                    .isNotInstanceOf(StoreBusyException.class);
        }
    }

    @Test
    void aServerThatDoesNotAnswerIsGivenUpAndFoundAgain() {
        try (var relay = Relay.to(environment.postgres().port());
                var pool = pool(relay, Duration.ofSeconds(2))) {
            var store = new PostgresTenantStore(pool);
            assertThat(store.load(new UUID(0, 0))).isEmpty();
            relay.silence();
            // Far below the minutes that TCP takes; nobody waits longer than the socket's timeout and the pool's wait.
            for (int i = 0; i < 2; i++) {
                assertTimeoutPreemptively(
                        Duration.ofSeconds(15),
                        () -> assertThatThrownBy(() -> store.load(new UUID(0, 0)))
                                .isInstanceOf(StoreUnavailableException.class)
                                .isNotInstanceOf(StoreBusyException.class));
            }
            relay.mend();
            org.awaitility.Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .ignoreExceptions()
                    .until(() -> store.load(new UUID(0, 0)).isEmpty());
        }
    }

    private Pool pool(Relay relay, Duration wait) {
        return new Pool(
                "jdbc:postgresql://127.0.0.1:" + relay.port() + "/" + Environment.DATABASE,
                Migrator.RUNTIME,
                () -> Environment.RUNTIME_PASSWORD,
                1,
                wait,
                new CollectorRegistry());
    }
}
