package dev.sekisho.idp;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What {@code serve} is configured with. Secrets are only ever files.
 *
 * @param publicUrl what clients call the service, without a trailing slash
 * @param listeners where it listens, and its limits
 * @param management how the management listener is protected
 * @param keyEncryptionKey 32 bytes under which signing keys are stored
 * @param database PostgreSQL
 * @param redis Redis
 * @param tenantCacheSize tenants in memory at most
 * @param drain how it stops
 * @param logLevel least severity that is logged
 */
public record RuntimeConfig(
        String publicUrl,
        Listeners listeners,
        Management management,
        SecretFile keyEncryptionKey,
        Database database,
        Redis redis,
        int tenantCacheSize,
        Drain drain,
        String logLevel) {

    private static final Set<String> LEVELS = Set.of("ERROR", "WARN", "INFO", "DEBUG");

    /** Listeners. Port 0 takes a free one. */
    public record Listeners(
            String bindAddress,
            int publicPort,
            int managementPort,
            int metricsPort,
            int maxConnections,
            int maxConcurrentRequests) {}

    /** Protection of the management listener. */
    public record Management(SecretFile token, Path certificate, Path key) {}

    /** PostgreSQL as the runtime's role. */
    public record Database(String url, String username, SecretFile password, int poolSize, Duration poolWait) {}

    /** Redis. */
    public record Redis(String url, Optional<SecretFile> password, Optional<Path> certificates) {}

    /** Stopping: not ready but accepting for {@code delay}, then at most {@code timeout} for requests in flight. */
    public record Drain(Duration delay, Duration timeout) {}

    /** What {@code migrate} is configured with. */
    public record Migration(
            String adminUrl,
            String adminUsername,
            SecretFile adminPassword,
            String databaseUrl,
            SecretFile migratorPassword,
            SecretFile runtimePassword,
            String logLevel) {
        /**
         * Reads the environment.
         *
         * @throws ConfigurationException naming every setting at fault
         */
        public static Migration from(Map<String, String> environment) {
            var settings = new Settings(environment);
            var migration = new Migration(
                    settings.jdbcUrl(Setting.DATABASE_ADMIN_URL),
                    settings.text(Setting.DATABASE_ADMIN_USERNAME),
                    settings.secret(Setting.DATABASE_ADMIN_PASSWORD_FILE),
                    settings.jdbcUrl(Setting.DATABASE_URL),
                    settings.secret(Setting.DATABASE_MIGRATOR_PASSWORD_FILE),
                    settings.secret(Setting.DATABASE_PASSWORD_FILE),
                    settings.oneOf(Setting.LOG_LEVEL, LEVELS));
            settings.check();
            return migration;
        }
    }

    /**
     * Reads the environment.
     *
     * @throws ConfigurationException naming every setting at fault
     */
    public static RuntimeConfig from(Map<String, String> environment) {
        var settings = new Settings(environment);
        var config = new RuntimeConfig(
                settings.baseUrl(Setting.PUBLIC_URL, Set.of("https", "http")),
                new Listeners(
                        settings.text(Setting.BIND_ADDRESS),
                        settings.number(Setting.PUBLIC_PORT, 0, 65535),
                        settings.number(Setting.MANAGEMENT_PORT, 0, 65535),
                        settings.number(Setting.METRICS_PORT, 0, 65535),
                        settings.number(Setting.MAX_CONNECTIONS, 16, 100_000),
                        settings.number(Setting.MAX_CONCURRENT_REQUESTS, 1, 100_000)),
                new Management(
                        settings.secret(Setting.MANAGEMENT_TOKEN_FILE),
                        settings.file(Setting.MANAGEMENT_TLS_CERT_FILE),
                        settings.file(Setting.MANAGEMENT_TLS_KEY_FILE)),
                settings.secret(Setting.KEY_ENCRYPTION_KEY_FILE),
                new Database(
                        settings.jdbcUrl(Setting.DATABASE_URL),
                        settings.text(Setting.DATABASE_USERNAME),
                        settings.secret(Setting.DATABASE_PASSWORD_FILE),
                        settings.number(Setting.DATABASE_POOL_SIZE, 1, 200),
                        settings.duration(Setting.DATABASE_POOL_WAIT)),
                new Redis(
                        settings.baseUrl(Setting.REDIS_URL, Set.of("redis", "rediss")),
                        settings.optionalFile(Setting.REDIS_PASSWORD_FILE).map(SecretFile::new),
                        settings.optionalFile(Setting.REDIS_CA_FILE)),
                settings.number(Setting.TENANT_CACHE_SIZE, 16, 1_000_000),
                new Drain(settings.duration(Setting.DRAIN_DELAY), settings.duration(Setting.DRAIN_TIMEOUT)),
                settings.oneOf(Setting.LOG_LEVEL, LEVELS));
        settings.check();
        return config;
    }
}
