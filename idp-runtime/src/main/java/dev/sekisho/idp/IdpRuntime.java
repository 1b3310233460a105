package dev.sekisho.idp;

import dev.sekisho.idp.http.Call;
import dev.sekisho.idp.http.HttpListener;
import dev.sekisho.idp.http.MetricsApi;
import dev.sekisho.idp.http.PublicApi;
import dev.sekisho.idp.http.ServerTls;
import dev.sekisho.idp.keys.CryptoProvider;
import dev.sekisho.idp.keys.KeySealer;
import dev.sekisho.idp.keys.SigningKeys;
import dev.sekisho.idp.management.ManagementApi;
import dev.sekisho.idp.management.Tenants;
import dev.sekisho.idp.oauth.ClientAuthenticator;
import dev.sekisho.idp.oauth.TokenEndpoint;
import dev.sekisho.idp.observe.Health;
import dev.sekisho.idp.observe.Listener;
import dev.sekisho.idp.observe.Metrics;
import dev.sekisho.idp.store.postgres.Pool;
import dev.sekisho.idp.store.postgres.PostgresTenantStore;
import dev.sekisho.idp.store.redis.RedisConnection;
import dev.sekisho.idp.store.redis.RedisInvalidations;
import dev.sekisho.idp.store.redis.RedisUsedAssertions;
import dev.sekisho.idp.tenant.Invalidations;
import dev.sekisho.idp.tenant.StoreUnavailableException;
import dev.sekisho.idp.tenant.Tenant;
import dev.sekisho.idp.tenant.TenantCache;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The running identity provider: everything wired together, started and stopped in order. */
public final class IdpRuntime implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(IdpRuntime.class);
    private static final Duration RETRY = Duration.ofMillis(500);
    private static final int SMALL_LISTENER_CONNECTIONS = 1024;
    private static final int SMALL_LISTENER_REQUESTS = 256;
    private static final Duration SMALL_LISTENER_DRAIN = Duration.ofSeconds(3);

    /** What stopping takes at most beyond delay and timeout, as the reference promises. */
    private static final Duration CLOSING = Duration.ofSeconds(15);

    private final RuntimeConfig config;
    private final TenantCache.Ages ages;
    private final Metrics metrics = new Metrics();
    private final Health health = new Health();
    /** What is open, the last opened first. */
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    private int publicPort;
    private int managementPort;
    private int metricsPort;

    private IdpRuntime(RuntimeConfig config, TenantCache.Ages ages) {
        this.config = config;
        this.ages = ages;
    }

    /**
     * Starts. Returns when everything is open, which needs PostgreSQL, migrated; until it is there the probes already
     * answer and this waits. Redis is not waited for.
     *
     * @throws ConfigurationException when the configuration cannot work
     * @throws InterruptedException when it is interrupted while it waits
     */
    public static IdpRuntime start(RuntimeConfig config) throws InterruptedException {
        return start(config, TenantCache.Ages.DEFAULT);
    }

    static IdpRuntime start(RuntimeConfig config, TenantCache.Ages ages) throws InterruptedException {
        var runtime = new IdpRuntime(config, ages);
        try {
            runtime.open();
            return runtime;
        } catch (RuntimeException | InterruptedException e) {
            runtime.closeAll();
            throw e;
        }
    }

    private void open() throws InterruptedException {
        if (config.management().token().get().length() < ManagementApi.SHORTEST_TOKEN) {
            throw new ConfigurationException(Setting.MANAGEMENT_TOKEN_FILE.variable() + ": the token is shorter than "
                    + ManagementApi.SHORTEST_TOKEN + " characters");
        }
        var tls = managementTls();
        var crypto = CryptoProvider.best();
        var signingKeys = new SigningKeys(sealer(), crypto);
        metricsPort = listen(
                Listener.METRICS, config.listeners().metricsPort(), Optional.empty(), new MetricsApi(metrics, health));

        var database = config.database();
        var pool = opened(new Pool(
                database.url(),
                database.username(),
                database.password(),
                database.poolSize(),
                database.poolWait(),
                metrics.registry()));
        var store = new PostgresTenantStore(pool);
        var cache = new TenantCache(
                store,
                stored -> new Tenant(stored, config.publicUrl(), signingKeys),
                config.tenantCacheSize(),
                database.poolSize(),
                ages,
                System::nanoTime);
        metrics.gauge("sekisho_tenants_cached", "Tenants in memory.", cache::size);
        metrics.gauge(
                "sekisho_invalidations_in_touch",
                "1 while messages about changed tenants arrive over Redis, else 0.",
                () -> cache.isInTouch() ? 1 : 0);
        awaitDatabase(store);

        var redis = RedisConnection.lazily(
                config.redis().url(), config.redis().password(), config.redis().certificates());
        opened(redis::shutdown);
        var messages = opened(RedisInvalidations.start(redis, cache));
        Invalidations invalidations = (key, version) -> {
            cache.changed(key, version);
            messages.publish(key, version);
        };
        var tenants = new Tenants(store, signingKeys, config.publicUrl(), invalidations);
        var clock = Clock.systemUTC();
        var clients = new ClientAuthenticator(new RedisUsedAssertions(redis, clock), clock);
        managementPort = listen(
                Listener.MANAGEMENT,
                config.listeners().managementPort(),
                Optional.of(tls),
                new ManagementApi(tenants, config.management().token()));
        publicPort = listen(
                Listener.PUBLIC,
                config.listeners().publicPort(),
                Optional.empty(),
                new PublicApi(cache, new TokenEndpoint(clients, clock), metrics));
        health.started();
        LOG.atInfo()
                .addKeyValue("publicPort", publicPort)
                .addKeyValue("managementPort", managementPort)
                .addKeyValue("metricsPort", metricsPort)
                .addKeyValue("cryptoProvider", crypto.name())
                .log("Started");
    }

    private SSLContext managementTls() {
        try {
            return ServerTls.of(
                    config.management().certificate(), config.management().key());
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(String.valueOf(e.getMessage()));
        }
    }

    private KeySealer sealer() {
        try {
            return new KeySealer(config.keyEncryptionKey().bytes());
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(Setting.KEY_ENCRYPTION_KEY_FILE.variable() + ": " + e.getMessage());
        }
    }

    private int listen(Listener name, int port, Optional<SSLContext> tls, Call.Handler handler) {
        var limits = config.listeners();
        var timeout = config.drain().timeout();
        boolean large = name == Listener.PUBLIC;
        var options = new HttpListener.Options(
                name,
                limits.bindAddress(),
                port,
                large ? limits.maxConnections() : SMALL_LISTENER_CONNECTIONS,
                large ? limits.maxConcurrentRequests() : SMALL_LISTENER_REQUESTS,
                large ? timeout : Collections.min(List.of(timeout, SMALL_LISTENER_DRAIN)));
        return opened(HttpListener.open(options, tls, handler, metrics, health)).port();
    }

    private <T extends AutoCloseable> T opened(T resource) {
        open.addFirst(resource);
        return resource;
    }

    private static void awaitDatabase(PostgresTenantStore store) throws InterruptedException {
        var last = "";
        while (true) {
            String problem;
            try {
                if (store.ready()) {
                    return;
                }
                problem = "it takes no writes";
            } catch (StoreUnavailableException | IllegalStateException e) {
                problem = String.valueOf(e.getMessage());
            }
            if (!problem.equals(last)) {
                LOG.warn("Waiting for the database: {}", problem);
                last = problem;
            }
            Thread.sleep(RETRY);
        }
    }

    /** The public listener's port. */
    public int publicPort() {
        return publicPort;
    }

    /** The management listener's port. */
    public int managementPort() {
        return managementPort;
    }

    /** The metrics listener's port. */
    public int metricsPort() {
        return metricsPort;
    }

    /**
     * Stops gracefully: says not ready, goes on accepting for the drain delay so that everybody notices, and answers with
     * {@code Connection: close} meanwhile; then finishes the requests in flight. Takes at most 15 seconds more than the
     * drain's delay and timeout, whatever does not end.
     */
    @Override
    public void close() {
        if (health.isStopping()) {
            return;
        }
        health.stopping();
        LOG.info("Draining");
        try {
            if (health.isStarted()) {
                Thread.sleep(config.drain().delay());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        var closing = Thread.ofPlatform().name("closing").daemon(true).start(this::closeAll);
        try {
            if (!closing.join(config.drain().timeout().plus(CLOSING))) {
                LOG.warn("Stopped, though not everything is closed");
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        LOG.info("Stopped");
    }

    private void closeAll() {
        for (var resource = open.pollFirst(); resource != null; resource = open.pollFirst()) {
            try {
                resource.close();
            } catch (Exception e) {
                LOG.warn("Could not be closed properly", e);
            }
        }
    }
}
