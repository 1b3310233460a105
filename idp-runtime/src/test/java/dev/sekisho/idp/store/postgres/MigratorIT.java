package dev.sekisho.idp.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sekisho.idp.testing.Declaration;
import dev.sekisho.idp.testing.Environment;
import dev.sekisho.idp.testing.PostgresServer;
import dev.sekisho.idp.testing.StoredTenants;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class MigratorIT {
    private final Environment environment = Environment.shared();
    private final PostgresServer postgres = environment.postgres();

    private Migrator migrator(String database, String runtimePassword) {
        return new Migrator(
                new Migrator.Administrator(
                        postgres.url("postgres"), PostgresServer.ADMIN, PostgresServer.ADMIN_PASSWORD),
                postgres.url(database),
                Environment.MIGRATOR_PASSWORD,
                runtimePassword);
    }

    private static String freshDatabase() {
        return Declaration.freshId("migrated").replace('-', '_');
    }

    @Test
    void aSecondRunChangesNothing() {
        var database = freshDatabase();
        assertThat(migrator(database, Environment.RUNTIME_PASSWORD).migrate()).isPositive();
        assertThat(migrator(database, Environment.RUNTIME_PASSWORD).migrate()).isZero();
    }

    @Test
    void severalAtOnceMigrateOnce() throws Exception {
        var database = freshDatabase();
        try (var threads = Executors.newFixedThreadPool(4)) {
            var runs = new ArrayList<Callable<Integer>>();
            for (int i = 0; i < 4; i++) {
                runs.add(() -> migrator(database, Environment.RUNTIME_PASSWORD).migrate());
            }
            int applied = 0;
            int winners = 0;
            for (var run : threads.invokeAll(runs)) {
                applied += run.get();
                winners += run.get() > 0 ? 1 : 0;
            }
            assertThat(applied).isPositive();
            assertThat(winners).isEqualTo(1);
        }
    }

    @Test
    void rolesThatSomebodyChangedArePutRight() throws SQLException {
        try (var admin = postgres.admin("postgres");
                var statement = admin.createStatement()) {
            statement.execute("alter role sekisho_runtime superuser bypassrls createdb password 'other'");
        }
        migrator(freshDatabase(), Environment.RUNTIME_PASSWORD).migrate();
        try (var runtime = environment.asRuntimeRole();
                var statement = runtime.createStatement();
                var rows = statement.executeQuery(
                        "select rolsuper or rolbypassrls or rolcreatedb from pg_roles where rolname = current_user")) {
            rows.next();
            assertThat(rows.getBoolean(1)).isFalse();
        }
    }

    @Test
    void othersMayNotConnectToTheDatabase() throws SQLException {
        var database = freshDatabase();
        migrator(database, Environment.RUNTIME_PASSWORD).migrate();
        var stranger = "stranger_" + database;
        try (var admin = postgres.admin("postgres");
                var statement = admin.createStatement()) {
            statement.execute("create role " + stranger + " login password 'stranger'");
        }
        assertThatThrownBy(() -> {
                    try (var _ = DriverManager.getConnection(postgres.url(database), stranger, "stranger")) {
                        throw new AssertionError("connected");
                    }
                })
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("permission denied");
    }

    @Test
    void passwordsNeverStandInStatements() throws SQLException {
        migrator(freshDatabase(), Environment.RUNTIME_PASSWORD).migrate();
        try (var admin = postgres.admin("postgres");
                var statement = admin.createStatement()) {
            statement.execute("create extension if not exists pg_stat_statements");
            try (var rows = statement.executeQuery("select count(*) from pg_stat_statements where query like '%"
                    + Environment.RUNTIME_PASSWORD.substring(0, 10) + "%' and query not like '%pg_stat_statements%'")) {
                rows.next();
                assertThat(rows.getInt(1)).isZero();
            }
        }
    }

    @Test
    void aRoleThatSeesThroughPoliciesIsRefusedByTheRuntime() {
        try (var pool = new Pool(
                postgres.url(Environment.DATABASE),
                PostgresServer.ADMIN,
                () -> PostgresServer.ADMIN_PASSWORD,
                1,
                java.time.Duration.ofSeconds(5),
                new io.prometheus.client.CollectorRegistry())) {
            assertThatThrownBy(() -> new PostgresTenantStore(pool).ready())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("exempt from row-level security");
        }
    }

    @Test
    void aDatabaseWithoutTablesIsNotReady() throws SQLException {
        var database = freshDatabase();
        try (var admin = postgres.admin("postgres");
                var statement = admin.createStatement()) {
            statement.execute("create database " + database);
        }
        try (var pool = new Pool(
                postgres.url(database),
                Migrator.RUNTIME,
                () -> Environment.RUNTIME_PASSWORD,
                1,
                java.time.Duration.ofSeconds(5),
                new io.prometheus.client.CollectorRegistry())) {
            assertThatThrownBy(() -> new PostgresTenantStore(pool).ready()).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void theDatabasesNameComesFromItsUrl() {
        assertThat(Migrator.databaseName("jdbc:postgresql://host:5432/sekisho?sslmode=verify-full&sslrootcert=/x"))
                .isEqualTo("sekisho");
        assertThatThrownBy(() -> Migrator.databaseName("jdbc:mysql://host/x"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void migratedTablesTakeTenants() {
        var key = UUID.randomUUID();
        try (var pool = environment.pool(1)) {
            var store = new PostgresTenantStore(pool);
            assertThat(store.put(key, _ -> StoredTenants.record(key, "m-" + key))
                            .changed())
                    .isTrue();
        }
    }
}
