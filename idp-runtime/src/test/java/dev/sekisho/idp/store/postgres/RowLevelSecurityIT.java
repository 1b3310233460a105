package dev.sekisho.idp.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sekisho.idp.testing.Environment;
import dev.sekisho.idp.testing.StoredTenants;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What PostgreSQL itself guarantees to tenants, whatever the runtime's code does. */
class RowLevelSecurityIT {
    /** Tables without tenant rows, each with the reason why it may be so. */
    private static final Map<String, String> NOT_A_TENANTS =
            Map.of("flyway_schema_history", "Flyway's list of migrations; the runtime's role may not even read it");

    /** Unique constraints that need not contain the tenant: none. */
    private static final List<String> UNIQUE_WITHOUT_TENANT = List.of();

    private final Environment environment = Environment.shared();
    private final UUID a = UUID.randomUUID();
    private final UUID b = UUID.randomUUID();
    private Connection runtime = environment.asRuntimeRole();

    @BeforeEach
    void twoTenantsWithARowInEveryTable() throws SQLException {
        runtime = environment.asRuntimeRole();
        var pool = environment.pool(1);
        try (pool) {
            var store = new PostgresTenantStore(pool);
            store.put(a, _ -> StoredTenants.record(a, "rls-" + a));
            store.put(b, _ -> StoredTenants.record(b, "rls-" + b));
        }
        // The connection serves both first, as a pooled one does.
        for (var tenant : List.of(b, a)) {
            as(tenant, () -> count("sekisho.tenant"));
        }
    }

    @AfterEach
    void close() throws SQLException {
        runtime.close();
    }

    @Test
    void theFixtureHasARowInEveryTable() throws SQLException {
        for (var table : tenantTables()) {
            assertThat(as(a, () -> count(table))).as(table).isPositive();
        }
    }

    @Test
    void withoutASettingThereIsAnErrorAndNeverRows() throws SQLException {
        for (var table : tenantTables()) {
            // On this connection the setting was made before, so it is empty now rather than unknown.
            assertThatThrownBy(() -> count(table))
                    .as(table)
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("uuid");
            try (var fresh = environment.asRuntimeRole();
                    var statement = fresh.createStatement()) {
                assertThatThrownBy(() -> statement.executeQuery("select * from " + table))
                        .as(table)
                        .hasMessageContaining("app.tenant_id");
            }
            for (var statement : List.of(
                    "update " + table + " set tenant_id = tenant_id",
                    "delete from " + table,
                    "insert into " + table + " (tenant_id) values ('" + a + "')")) {
                assertThatThrownBy(() -> execute(statement))
                        .as(statement)
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                e -> assertThat(e.getSQLState()).isEqualTo("22P02"));
            }
        }
    }

    @Test
    void aTenantSeesNoneOfAnothersRows() throws SQLException {
        for (var table : tenantTables()) {
            assertThat(as(a, () -> query("select count(*) from " + table + " where tenant_id <> '" + a + "'")))
                    .as(table)
                    .isZero();
            assertThat(as(a, () -> query("select count(*) from " + table + " where tenant_id = '" + b + "'")))
                    .as(table)
                    .isZero();
        }
    }

    @Test
    void aTenantInsertsNothingForAnother() throws SQLException {
        for (var table : tenantTables()) {
            // A copy of its own row, which is valid in all but the tenant.
            var columns = columns(table);
            var copy = "insert into " + table + " (" + String.join(", ", columns) + ") select "
                    + String.join(", ", columns).replaceFirst("\\btenant_id\\b", "'" + b + "'::uuid") + " from "
                    + table;
            assertThatThrownBy(() -> as(a, () -> execute(copy)))
                    .as(table)
                    .hasMessageContaining("row-level security policy");
        }
    }

    @Test
    void aTenantChangesAndDeletesNothingOfAnothersAndGivesNothingAway() throws SQLException {
        for (var table : tenantTables()) {
            assertThat(as(
                            a,
                            () -> execute(
                                    "update " + table + " set tenant_id = tenant_id where tenant_id = '" + b + "'")))
                    .as(table)
                    .isZero();
            assertThat(as(a, () -> execute("delete from " + table + " where tenant_id = '" + b + "'")))
                    .as(table)
                    .isZero();
            assertThatThrownBy(() -> as(a, () -> execute("update " + table + " set tenant_id = '" + b + "'")))
                    .as(table)
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("row-level security policy");
            assertThat(as(b, () -> count(table))).as(table).isPositive();
        }
    }

    @Test
    void theSettingEndsWithItsTransaction() throws SQLException {
        assertThat(as(a, () -> count("sekisho.tenant"))).isEqualTo(1);
        try (var statement = runtime.createStatement();
                var rows = statement.executeQuery("select current_setting('app.tenant_id', true)")) {
            rows.next();
            assertThat(rows.getString(1)).isEmpty();
        }
    }

    @Test
    void theRuntimesRoleIsNobodySpecial() throws SQLException {
        try (var admin = environment.postgres().admin(Environment.DATABASE);
                var statement = admin.createStatement()) {
            try (var rows = statement.executeQuery("select rolsuper, rolbypassrls, rolcreatedb, rolcreaterole,"
                    + " rolreplication from pg_roles where rolname = 'sekisho_runtime'")) {
                rows.next();
                for (int i = 1; i <= 5; i++) {
                    assertThat(rows.getBoolean(i)).isFalse();
                }
            }
            assertThat(number(
                            statement,
                            "select count(*) from pg_shdepend d join pg_roles r on r.oid = d.refobjid"
                                    + " where r.rolname = 'sekisho_runtime' and d.deptype = 'o'"))
                    .as("objects it owns")
                    .isZero();
            assertThat(number(
                            statement,
                            "select count(*) from pg_auth_members m join pg_roles r on r.oid = m.member"
                                    + " where r.rolname = 'sekisho_runtime'"))
                    .as("roles it is a member of")
                    .isZero();
            assertThat(
                            number(
                                    statement,
                                    "select count(*) from information_schema.role_table_grants where grantee ="
                                            + " 'sekisho_runtime' and privilege_type not in ('SELECT', 'INSERT', 'UPDATE', 'DELETE')"))
                    .as("rights beyond rows (TRUNCATE, REFERENCES and TRIGGER go around policies)")
                    .isZero();
            assertThat(number(
                            statement,
                            "select count(*) from pg_proc p join pg_namespace n on n.oid = p.pronamespace"
                                    + " where p.prosecdef and n.nspname not in ('pg_catalog', 'information_schema')"))
                    .as("functions that run as their owner")
                    .isZero();
        }
        assertThatThrownBy(() -> execute("set role sekisho_migrator")).isInstanceOf(SQLException.class);
        assertThatThrownBy(() -> execute("truncate sekisho.client")).hasMessageContaining("permission denied");
        assertThatThrownBy(() -> execute("alter table sekisho.client disable row level security"))
                .hasMessageContaining("must be owner");
        assertThatThrownBy(() -> execute("create table sekisho.mine (x int)"))
                .hasMessageContaining("permission denied");
        assertThatThrownBy(() -> execute("create table public.mine (x int)")).hasMessageContaining("permission denied");
        assertThatThrownBy(() -> execute("create temp table mine (x int)")).hasMessageContaining("permission denied");
        // With row security off it gets an error, never rows.
        execute("set row_security = off");
        assertThatThrownBy(() -> as(a, () -> count("sekisho.tenant"))).hasMessageContaining("row-level security");
    }

    @Test
    void everyTableIsUnderForcedPoliciesOrOnTheListOfExceptions() throws SQLException {
        try (var admin = environment.postgres().admin(Environment.DATABASE);
                var statement = admin.createStatement();
                var rows = statement.executeQuery("""
                        select n.nspname || '.' || c.relname as name, c.relname, c.relrowsecurity, c.relforcerowsecurity,
                            (select count(*) from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id'
                                and a.attnotnull and a.atttypid = 'uuid'::regtype) as tenant_columns,
                            (select count(*) from pg_policy p where p.polrelid = c.oid) as policies,
                            (select count(*) from pg_policy p where p.polrelid = c.oid and p.polpermissive and p.polcmd = '*'
                                and p.polroles = '{0}'
                                and pg_get_expr(p.polqual, c.oid) = pg_get_expr(p.polwithcheck, c.oid)
                                and pg_get_expr(p.polqual, c.oid) like '%tenant_id = (( SELECT current_setting(''app.tenant_id''%::uuid)')
                                as right_policies
                        from pg_class c join pg_namespace n on n.oid = c.relnamespace
                        where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname not in ('pg_catalog', 'information_schema')
                            and n.nspname not like 'pg_toast%' and not exists (select 1 from pg_depend d
                                where d.objid = c.oid and d.deptype = 'e')
                        """)) {
            var seen = new ArrayList<String>();
            while (rows.next()) {
                var table = rows.getString("name");
                seen.add(rows.getString("relname"));
                if (NOT_A_TENANTS.containsKey(rows.getString("relname"))) {
                    assertThatThrownBy(() -> count(table)).as(table).hasMessageContaining("permission denied");
                    continue;
                }
                assertThat(rows.getInt("tenant_columns"))
                        .as("tenant_id of %s", table)
                        .isEqualTo(1);
                assertThat(rows.getBoolean("relrowsecurity"))
                        .as("row security of %s", table)
                        .isTrue();
                assertThat(rows.getBoolean("relforcerowsecurity"))
                        .as("force on %s", table)
                        .isTrue();
                assertThat(rows.getInt("policies")).as("policies of %s", table).isEqualTo(1);
                assertThat(rows.getInt("right_policies"))
                        .as("USING and WITH CHECK of %s", table)
                        .isEqualTo(1);
            }
            assertThat(seen).contains("tenant", "client", "signing_key").containsAll(NOT_A_TENANTS.keySet());
        }
    }

    @Test
    void everyKeyAndUniqueIndexAndForeignKeyContainsTheTenant() throws SQLException {
        try (var admin = environment.postgres().admin(Environment.DATABASE);
                var statement = admin.createStatement()) {
            int checked = 0;
            try (var rows = statement.executeQuery("""
                    select i.indexrelid::regclass::text as name, exists (select 1 from pg_attribute a
                        where a.attrelid = i.indrelid and a.attname = 'tenant_id' and a.attnum = any (i.indkey)) as has_tenant
                    from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
                    where i.indisunique and n.nspname = 'sekisho' and c.relname <> all (array['flyway_schema_history'])
                    """)) {
                while (rows.next()) {
                    checked++;
                    if (!UNIQUE_WITHOUT_TENANT.contains(rows.getString("name"))) {
                        assertThat(rows.getBoolean("has_tenant"))
                                .as(rows.getString("name"))
                                .isTrue();
                    }
                }
            }
            assertThat(checked).isGreaterThanOrEqualTo(4);
            int foreign = 0;
            try (var rows = statement.executeQuery("""
                    select k.conname, exists (select 1 from generate_subscripts(k.conkey, 1) s
                        join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[s] and a.attname = 'tenant_id'
                        join pg_attribute f on f.attrelid = k.confrelid and f.attnum = k.confkey[s] and f.attname = 'tenant_id')
                        as has_tenant
                    from pg_constraint k join pg_namespace n on n.oid = k.connamespace
                    where k.contype = 'f' and n.nspname = 'sekisho'
                    """)) {
                while (rows.next()) {
                    foreign++;
                    assertThat(rows.getBoolean("has_tenant"))
                            .as(rows.getString("conname"))
                            .isTrue();
                }
            }
            assertThat(foreign).isGreaterThanOrEqualTo(2);
        }
    }

    private static List<String> tenantTables() throws SQLException {
        try (var admin = Environment.shared().postgres().admin(Environment.DATABASE);
                var statement = admin.createStatement();
                var rows = statement.executeQuery(
                        "select 'sekisho.' || c.relname from pg_class c join pg_namespace n on"
                                + " n.oid = c.relnamespace where n.nspname = 'sekisho' and c.relkind in ('r', 'p') order by 1")) {
            var tables = new ArrayList<String>();
            while (rows.next()) {
                if (!NOT_A_TENANTS.containsKey(rows.getString(1).substring("sekisho.".length()))) {
                    tables.add(rows.getString(1));
                }
            }
            return tables;
        }
    }

    private static List<String> columns(String table) throws SQLException {
        try (var admin = Environment.shared().postgres().admin(Environment.DATABASE);
                var statement = admin.createStatement();
                var rows = statement.executeQuery("select * from " + table + " limit 0")) {
            var columns = new ArrayList<String>();
            for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                columns.add(rows.getMetaData().getColumnName(i));
            }
            return columns;
        }
    }

    @FunctionalInterface
    private interface Sql {
        long run() throws SQLException;
    }

    /** Runs something as a tenant, in a transaction that is rolled back. */
    private long as(UUID tenant, Sql sql) throws SQLException {
        runtime.setAutoCommit(false);
        try {
            query("select length(set_config('app.tenant_id', '" + tenant + "', true))");
            return sql.run();
        } finally {
            runtime.rollback();
            runtime.setAutoCommit(true);
        }
    }

    private long count(String table) throws SQLException {
        return query("select count(*) from " + table);
    }

    private long query(String sql) throws SQLException {
        try (var statement = runtime.createStatement()) {
            return number(statement, sql);
        }
    }

    private static long number(java.sql.Statement statement, String sql) throws SQLException {
        try (var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private long execute(String sql) throws SQLException {
        try (var statement = runtime.createStatement()) {
            return statement.executeUpdate(sql);
        }
    }

    static {
        DriverManager.setLoginTimeout(20);
    }
}
