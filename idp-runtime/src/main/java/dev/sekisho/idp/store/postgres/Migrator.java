package dev.sekisho.idp.store.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import org.flywaydb.core.Flyway;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the database, its two roles and its tables. Says the same again as often as it is run, and two at once wait for
 * each other.
 */
public final class Migrator {
    /** Owns the database, the schema and its tables. */
    public static final String MIGRATOR = "sekisho_migrator";

    /** Serves: owns nothing and is under row-level security. */
    public static final String RUNTIME = "sekisho_runtime";

    /** The schema that holds every table. */
    public static final String SCHEMA = "sekisho";

    private static final Logger LOG = LoggerFactory.getLogger(Migrator.class);

    /** Any number, the same for all: who holds this advisory lock migrates. */
    private static final long LOCK = 0x53454b4953484fL;

    private static final String ATTRIBUTES =
            " with login nosuperuser nocreatedb nocreaterole noreplication nobypassrls";

    private final Administrator administrator;
    private final String databaseUrl;
    private final String migratorPassword;
    private final String runtimePassword;

    /**
     * Who may create databases and roles.
     *
     * @param url where to connect, a database that exists
     */
    public record Administrator(String url, String username, String password) {
        @Override
        public String toString() {
            return "Administrator[username=" + username + "]";
        }
    }

    /**
     * A migrator.
     *
     * @param databaseUrl the database that is made and filled
     */
    public Migrator(Administrator administrator, String databaseUrl, String migratorPassword, String runtimePassword) {
        this.administrator = administrator;
        this.databaseUrl = databaseUrl;
        this.migratorPassword = migratorPassword;
        this.runtimePassword = runtimePassword;
    }

    /**
     * Brings everything up to date.
     *
     * @return how many migrations were applied
     * @throws IllegalStateException when the database refuses or cannot be reached
     */
    public int migrate() {
        var database = databaseName(databaseUrl);
        var login = new Properties();
        login.setProperty("user", administrator.username());
        login.setProperty("password", administrator.password());
        login.setProperty("ApplicationName", "sekisho-migrate");
        login.setProperty("connectTimeout", "10");
        try (var admin = DriverManager.getConnection(administrator.url(), login)) {
            // Held until this connection ends, so also when this process dies.
            execute(admin, "select pg_advisory_lock(" + LOCK + ")");
            role(admin, MIGRATOR, migratorPassword);
            role(admin, RUNTIME, runtimePassword);
            database(admin, database);
            return tables();
        } catch (SQLException e) {
            throw new IllegalStateException("the database cannot be migrated", e);
        }
    }

    private static void role(Connection admin, String role, String password) throws SQLException {
        if (!exists(admin, "select 1 from pg_roles where rolname = ?", role)) {
            execute(admin, "create role " + role + ATTRIBUTES);
            LOG.info("Created role {}", role);
        } else {
            execute(admin, "alter role " + role + ATTRIBUTES);
        }
        // Hashes the password here, so that it never stands in a statement that the server may log.
        admin.unwrap(PGConnection.class).alterUserPassword(role, password.toCharArray(), "scram-sha-256");
    }

    private static void database(Connection admin, String database) throws SQLException {
        var name = quoted(database);
        if (!exists(admin, "select 1 from pg_database where datname = ?", database)) {
            execute(admin, "create database " + name + " owner " + MIGRATOR);
            LOG.info("Created database {}", database);
        }
        execute(admin, "revoke all on database " + name + " from public");
        execute(admin, "grant connect on database " + name + " to " + RUNTIME);
    }

    private int tables() {
        var result = Flyway.configure(Migrator.class.getClassLoader())
                .dataSource(databaseUrl, MIGRATOR, migratorPassword)
                .schemas(SCHEMA)
                .createSchemas(true)
                .locations("classpath:db/migration")
                .connectRetries(3)
                .load()
                .migrate();
        LOG.info("Schema {} is at version {}", SCHEMA, result.targetSchemaVersion);
        return result.migrationsExecuted;
    }

    private static boolean exists(Connection admin, String sql, String name) throws SQLException {
        try (var statement = admin.prepareStatement(sql)) {
            statement.setString(1, name);
            try (var rows = statement.executeQuery()) {
                return rows.next();
            }
        }
    }

    private static void execute(Connection admin, String sql) throws SQLException {
        try (var statement = admin.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String quoted(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }

    /** The database that a JDBC URL names. */
    static String databaseName(String url) {
        var properties = org.postgresql.Driver.parseURL(url, new Properties());
        var name = properties == null ? "" : properties.getProperty("PGDBNAME", "");
        if (name.isEmpty()) {
            throw new IllegalArgumentException("the JDBC URL names no database");
        }
        return name;
    }
}
