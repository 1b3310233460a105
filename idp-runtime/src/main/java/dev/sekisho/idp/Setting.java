package dev.sekisho.idp;

import java.util.EnumSet;
import java.util.Set;

/**
 * Every setting of the process: an environment variable, its syntax, its default and the commands that read it.
 *
 * <p>The reference page is rendered from this, so a setting that is not documented cannot exist.
 */
public enum Setting {
    PUBLIC_URL(
            "https URL",
            Setting.REQUIRED,
            Command.SERVE,
            "What clients call the service; a tenant's issuer is `<public URL>/<tenant id>`. Scheme http is for"
                    + " development."),
    BIND_ADDRESS("address", "0.0.0.0", Command.SERVE, "The address on which all listeners accept connections."),
    PUBLIC_PORT("0 to 65535", "8080", Command.SERVE, "Port of the public listener (plain HTTP, behind the gateway)."),
    MANAGEMENT_PORT("0 to 65535", "8443", Command.SERVE, "Port of the management listener (HTTPS, bearer token)."),
    METRICS_PORT("0 to 65535", "9090", Command.SERVE, "Port of the listener for `/metrics` and `/health/…`."),
    MANAGEMENT_TOKEN_FILE(
            "file",
            Setting.REQUIRED,
            Command.SERVE,
            "The bearer token that the management API asks for, at least 16 characters. Read again when it changes."),
    MANAGEMENT_TLS_CERT_FILE(
            "file",
            Setting.REQUIRED,
            Command.SERVE,
            "PEM chain of the management listener. Read again when it changes."),
    MANAGEMENT_TLS_KEY_FILE(
            "file",
            Setting.REQUIRED,
            Command.SERVE,
            "PEM private key (PKCS#8) of the management listener. Read again when it changes."),
    KEY_ENCRYPTION_KEY_FILE(
            "file",
            Setting.REQUIRED,
            Command.SERVE,
            "Exactly 32 random bytes: the AES-256 key under which signing keys are stored. Losing it loses them."),
    DATABASE_URL(
            "JDBC URL",
            Setting.REQUIRED,
            Command.BOTH,
            "The database, such as `jdbc:postgresql://host:5432/sekisho?sslmode=verify-full&sslrootcert=/file`. Must"
                    + " lead to the primary."),
    DATABASE_USERNAME("name", "sekisho_runtime", Command.SERVE, "The role as which the runtime logs in."),
    DATABASE_PASSWORD_FILE(
            "file",
            Setting.REQUIRED,
            Command.BOTH,
            "Password of the runtime's role. `serve` reads it for each new connection; `migrate` sets it."),
    DATABASE_POOL_SIZE("1 to 200", "10", Command.SERVE, "Connections to PostgreSQL at most."),
    DATABASE_POOL_WAIT(
            "duration", "2s", Command.SERVE, "How long a request waits for a connection before it answers 503."),
    DATABASE_ADMIN_URL(
            "JDBC URL",
            Setting.REQUIRED,
            Command.MIGRATE,
            "Where the administrator connects to make the database and its roles, such as `…/postgres`."),
    DATABASE_ADMIN_USERNAME("name", "postgres", Command.MIGRATE, "The administrator's role."),
    DATABASE_ADMIN_PASSWORD_FILE("file", Setting.REQUIRED, Command.MIGRATE, "The administrator's password."),
    DATABASE_MIGRATOR_PASSWORD_FILE(
            "file", Setting.REQUIRED, Command.MIGRATE, "Password that `sekisho_migrator`, who owns the tables, gets."),
    REDIS_URL(
            "redis or rediss URL",
            Setting.REQUIRED,
            Command.SERVE,
            "Redis, such as `rediss://host:6379`. Only its loss is tolerated: nothing waits for it."),
    REDIS_PASSWORD_FILE("file", "", Command.SERVE, "Redis' password. Empty: none."),
    REDIS_CA_FILE("file", "", Command.SERVE, "PEM certificates that Redis' is checked against. Empty: the JVM's."),
    TENANT_CACHE_SIZE("16 to 1000000", "10000", Command.SERVE, "Tenants held in memory at most."),
    MAX_CONNECTIONS("16 to 100000", "8192", Command.SERVE, "TCP connections of the public listener at most."),
    MAX_CONCURRENT_REQUESTS(
            "1 to 100000",
            "1024",
            Command.SERVE,
            "Requests that the public listener works on at once; further ones get 503."),
    DRAIN_DELAY(
            "duration",
            "5s",
            Command.SERVE,
            "How long, after SIGTERM, the runtime says not ready and still accepts connections."),
    DRAIN_TIMEOUT("duration", "20s", Command.SERVE, "How long requests in flight may take after the drain delay."),
    LOG_LEVEL("ERROR, WARN, INFO, DEBUG", "INFO", Command.BOTH, "Least severity that is logged.");

    static final String REQUIRED = "\0required";

    private final String syntax;
    private final String defaultValue;
    private final Command command;
    private final String description;

    Setting(String syntax, String defaultValue, Command command, String description) {
        this.syntax = syntax;
        this.defaultValue = defaultValue;
        this.command = command;
        this.description = description;
    }

    /** The environment variable. */
    public String variable() {
        return "SEKISHO_" + name();
    }

    /** What a value looks like. */
    public String syntax() {
        return syntax;
    }

    /** Whether there is no default. */
    public boolean required() {
        return defaultValue.equals(REQUIRED);
    }

    /** The value that absence stands for; empty for optional settings. */
    public String defaultValue() {
        return defaultValue;
    }

    /** What it is for, in Markdown. */
    public String description() {
        return description;
    }

    /** The commands that read it. */
    public Set<Command> commands() {
        return command == Command.BOTH ? EnumSet.of(Command.SERVE, Command.MIGRATE) : EnumSet.of(command);
    }

    /** Commands of the process. */
    public enum Command {
        SERVE,
        MIGRATE,
        BOTH
    }
}
