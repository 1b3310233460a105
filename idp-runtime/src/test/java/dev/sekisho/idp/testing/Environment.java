package dev.sekisho.idp.testing;

import dev.sekisho.idp.IdpRuntime;
import dev.sekisho.idp.RuntimeConfig;
import dev.sekisho.idp.Setting;
import dev.sekisho.idp.observe.Logs;
import dev.sekisho.idp.store.postgres.Migrator;
import dev.sekisho.idp.store.postgres.Pool;
import io.prometheus.client.CollectorRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;

/** PostgreSQL, Redis, certificates and secret files; and runtimes on them. */
public final class Environment implements AutoCloseable {
    public static final String MANAGEMENT_TOKEN = "management-token-of-tests";
    public static final String PUBLIC_URL = "https://idp.example.test";
    public static final String DATABASE = "sekisho";
    public static final String RUNTIME_PASSWORD = "runtime-of-tests";
    public static final String MIGRATOR_PASSWORD = "migrator-of-tests";

    private static final class Shared {
        private static final Environment INSTANCE = new Environment();
    }

    static {
        Logs.configure("WARN");
    }

    private final Path directory = Processes.directory("sekisho-env-");
    private final TestCertificates certificates = TestCertificates.in(directory);
    private final PostgresServer postgres = PostgresServer.start();
    private final RedisServer redis = RedisServer.start(certificates);

    private Environment() {
        migrator().migrate();
    }

    /** The environment that all tests of a JVM share, for those that leave its servers alone. */
    public static Environment shared() {
        return Shared.INSTANCE;
    }

    /** One of its own, for a test that stops servers. */
    public static Environment own() {
        return new Environment();
    }

    /** What {@code migrate} runs. */
    public Migrator migrator() {
        return new Migrator(
                new Migrator.Administrator(
                        postgres.url("postgres"), PostgresServer.ADMIN, PostgresServer.ADMIN_PASSWORD),
                postgres.url(DATABASE),
                MIGRATOR_PASSWORD,
                RUNTIME_PASSWORD);
    }

    /** Ends the servers. */
    @Override
    public void close() {
        redis.stop();
        postgres.stop();
    }

    public PostgresServer postgres() {
        return postgres;
    }

    public RedisServer redis() {
        return redis;
    }

    public TestCertificates certificates() {
        return certificates;
    }

    /** A connection as the runtime's role. */
    public Connection asRuntimeRole() {
        try {
            return DriverManager.getConnection(postgres.url(DATABASE), Migrator.RUNTIME, RUNTIME_PASSWORD);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A pool of the runtime's. */
    public Pool pool(int size) {
        return new Pool(
                postgres.url(DATABASE),
                Migrator.RUNTIME,
                () -> RUNTIME_PASSWORD,
                size,
                Duration.ofSeconds(2),
                new CollectorRegistry());
    }

    /** A secret in a file. */
    public Path file(String name, byte[] content) {
        try {
            return Files.write(directory.resolve(name), content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path file(String name, String content) {
        return file(name, content.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    /** The settings of a runtime on free loopback ports. */
    public Map<Setting, String> settings() {
        var settings = new EnumMap<Setting, String>(Setting.class);
        settings.put(Setting.PUBLIC_URL, PUBLIC_URL);
        settings.put(Setting.BIND_ADDRESS, "127.0.0.1");
        settings.put(Setting.PUBLIC_PORT, "0");
        settings.put(Setting.MANAGEMENT_PORT, "0");
        settings.put(Setting.METRICS_PORT, "0");
        settings.put(
                Setting.MANAGEMENT_TOKEN_FILE,
                file("token", MANAGEMENT_TOKEN + "\n").toString());
        settings.put(
                Setting.MANAGEMENT_TLS_CERT_FILE, certificates.certificate().toString());
        settings.put(Setting.MANAGEMENT_TLS_KEY_FILE, certificates.key().toString());
        settings.put(
                Setting.KEY_ENCRYPTION_KEY_FILE,
                file("kek", keyEncryptionKey(1)).toString());
        settings.put(Setting.DATABASE_URL, postgres.url(DATABASE));
        settings.put(
                Setting.DATABASE_PASSWORD_FILE,
                file("runtime-password", RUNTIME_PASSWORD).toString());
        settings.put(Setting.REDIS_URL, redis.url());
        settings.put(
                Setting.REDIS_PASSWORD_FILE,
                file("redis-password", RedisServer.PASSWORD).toString());
        settings.put(Setting.REDIS_CA_FILE, certificates.authorityFile().toString());
        settings.put(Setting.DRAIN_DELAY, "0s");
        settings.put(Setting.DRAIN_TIMEOUT, "5s");
        return settings;
    }

    /** A key-encryption key for tests. */
    public static byte[] keyEncryptionKey(long seed) {
        var key = new byte[32];
        new SplittableRandom(seed).nextBytes(key);
        return key;
    }

    /** Starts a runtime. */
    public IdpRuntime runtime() {
        return runtime(settings());
    }

    /** A configuration of those settings. */
    public static RuntimeConfig config(Map<Setting, String> settings) {
        var environment = new LinkedHashMap<String, String>();
        settings.forEach((setting, value) -> environment.put(setting.variable(), value));
        return RuntimeConfig.from(environment);
    }

    /** Starts a runtime with other settings. */
    public IdpRuntime runtime(Map<Setting, String> settings) {
        try {
            return IdpRuntime.start(config(settings));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** A client of a runtime's listeners. */
    public RuntimeClient client(IdpRuntime runtime) {
        return new RuntimeClient(runtime, certificates.trusting());
    }
}
