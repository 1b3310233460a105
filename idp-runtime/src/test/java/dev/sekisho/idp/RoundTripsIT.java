package dev.sekisho.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sekisho.idp.testing.Declaration;
import dev.sekisho.idp.testing.Environment;
import dev.sekisho.idp.testing.RuntimeClient;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** How often a request goes to PostgreSQL and Redis, as these themselves count. On servers of its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RoundTripsIT {
    private static final String TENANT = "counted";
    private static final int REQUESTS = 50;

    private final Environment environment = Environment.own();
    private final IdpRuntime runtime = environment.runtime();
    private final RuntimeClient client = environment.client(runtime);

    @BeforeAll
    void warmUp() throws SQLException {
        try (var admin = environment.postgres().admin(Environment.DATABASE);
                var statement = admin.createStatement()) {
            statement.execute("create extension if not exists pg_stat_statements");
        }
        declare(TENANT);
        org.awaitility.Awaitility.await()
                .atMost(java.time.Duration.ofSeconds(30))
                .until(() -> client.metrics("/metrics").body().contains("sekisho_invalidations_in_touch 1.0"));
        // After the subscription, which puts all that was known before in doubt.
        assertThat(token(TENANT)).isEqualTo(200);
    }

    @AfterAll
    void stop() {
        client.close();
        runtime.close();
        environment.close();
    }

    private void declare(String tenant) {
        var reply = client.put(Declaration.of(tenant).client("app", "client_secret_basic", "read"));
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    }

    private int token(String tenant) {
        return client.token(tenant, "app", Declaration.SECRET, "grant_type=client_credentials&scope=read")
                .status();
    }

    /** Statements that the runtime's role has executed, but for those that find out whether a connection lives. */
    private long statements() throws SQLException {
        try (var admin = environment.postgres().admin(Environment.DATABASE);
                var statement = admin.createStatement();
                var rows = statement.executeQuery(
                        "select coalesce(sum(calls), 0) from pg_stat_statements s join pg_roles r"
                                + " on r.oid = s.userid where r.rolname = 'sekisho_runtime' and query like '%sekisho.%'")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private long rows(String like) throws SQLException {
        try (var admin = environment.postgres().admin(Environment.DATABASE);
                var statement = admin.createStatement();
                var rows = statement.executeQuery(
                        "select coalesce(sum(calls), 0) from pg_stat_statements s join pg_roles r"
                                + " on r.oid = s.userid where r.rolname = 'sekisho_runtime' and query like '" + like
                                + "'")) {
            rows.next();
            return rows.getLong(1);
        }
    }

    @Test
    void aKnownTenantNeedsNeitherPostgresNorRedis() throws Exception {
        long before = statements();
        var redisBefore = environment.redis().commandCalls();
        for (int i = 0; i < REQUESTS; i++) {
            assertThat(token(TENANT)).isEqualTo(200);
            assertThat(client.get("/" + TENANT + "/v1/jwks").status()).isEqualTo(200);
            assertThat(client.get("/" + TENANT + "/.well-known/openid-configuration")
                            .status())
                    .isEqualTo(200);
        }
        assertThat(statements()).isEqualTo(before);
        // Beats, pings and the connection that counts go on by the clock; a command a request would be 50 at least.
        environment
                .redis()
                .commandCalls()
                .forEach((command, calls) -> assertThat(calls - redisBefore.getOrDefault(command, 0L))
                        .as(command)
                        .isLessThan(REQUESTS / 2));
    }

    @Test
    void manyWhoAskForATenantAtOnceLoadItOnce() throws Exception {
        declare("single-flight");
        try (var fresh = environment.runtime();
                var atFresh = environment.client(fresh);
                var threads = Executors.newFixedThreadPool(16)) {
            long before = rows("%from sekisho.client order by client_id%");
            var asks = IntStream.range(0, 64)
                    .mapToObj(_ -> (Callable<Integer>)
                            () -> atFresh.get("/single-flight/v1/jwks").status())
                    .toList();
            for (var answer : threads.invokeAll(asks)) {
                assertThat(answer.get()).isEqualTo(200);
            }
            assertThat(rows("%from sekisho.client order by client_id%") - before)
                    .isEqualTo(1);
        }
    }

    @Test
    void manyWhoAskForATenantThatIsNoneAskTheDatabaseOnce() throws Exception {
        long before = rows("%from sekisho.client order by client_id%");
        for (int i = 0; i < 20; i++) {
            assertThat(client.get("/nobody-at-all/v1/jwks").status()).isEqualTo(404);
            assertThat(client.get("/Not_An_Id/v1/jwks").status()).isEqualTo(404);
        }
        // Remembered for a second; 20 requests take less than a few.
        assertThat(rows("%from sekisho.client order by client_id%") - before).isBetween(1L, 10L);
    }

    @Test
    void startingAsksForNoTenant() throws SQLException {
        long before = statements();
        try (var _ = environment.runtime()) {
            // The readiness check reads as the tenant of the nil UUID: one tenant's tables, three statements.
            assertThat(statements() - before).isEqualTo(3);
        }
    }
}
