package dev.sekisho.operator;

import dev.sekisho.operator.kube.Labels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.monitoring.micrometer.MicrometerMetrics;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.prometheus.PrometheusConfig;
import io.micrometer.prometheus.PrometheusMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The running operator: the framework with its reconcilers, the lease, and the health endpoints. */
final class OperatorProcess implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OperatorProcess.class);
    private static final Duration STOP = Duration.ofSeconds(5);
    private static final int WORKERS = 20;
    private static final Duration CACHE_SYNC = Duration.ofSeconds(60);

    private final OperatorConfig config;
    private final Operator operator;
    private final ThreadPoolExecutor workers = workers();
    private final HealthServer health;
    private final KubernetesClient client;
    private final @Nullable LeaderElection election;

    // The framework's meters of one name differ in their labels, which the newer registry refuses.
    @SuppressWarnings("deprecation")
    private final PrometheusMeterRegistry metrics = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    private volatile boolean started;
    private volatile boolean stopping;

    OperatorProcess(
            OperatorConfig config,
            Config kubernetes,
            KubernetesClient client,
            List<? extends Reconciler<?>> reconcilers)
            throws IOException {
        this.config = config;
        this.client = client;
        bindJvmMetrics();
        this.operator = new Operator(overrides -> overrides
                .withKubernetesClient(client)
                .withCloseClientOnStop(false)
                .withExecutorService(workers)
                // Labels of metrics per object would have no bound.
                .withMetrics(MicrometerMetrics.withoutPerResourceMetrics(metrics))
                .withCacheSyncTimeout(CACHE_SYNC)
                .withReconciliationTerminationTimeout(STOP));
        for (var reconciler : reconcilers) {
            register(reconciler);
        }
        this.election = config.leaderElection()
                ? new LeaderElection(kubernetes, config, this::work, OperatorProcess::die)
                : null;
        this.health = new HealthServer(config.httpPort(), this::isAlive, this::isReady, metrics::scrape);
    }

    private <P extends HasMetadata> void register(Reconciler<P> reconciler) {
        operator.<P>register(reconciler, overrides -> {
            overrides
                    .withFieldManager(Labels.MANAGER)
                    .withRetry(retry())
                    .withReconciliationMaxInterval(config.resync());
            if (config.watchNamespaces().isEmpty()) {
                overrides.watchingAllNamespaces();
            } else {
                overrides.settingNamespaces(config.watchNamespaces());
            }
        });
    }

    /** Tries for ever, at most half a minute apart. */
    private static GenericRetry retry() {
        return new GenericRetry()
                .setInitialInterval(500)
                .setIntervalMultiplier(2)
                .setMaxInterval(30_000)
                .withoutMaxAttempts();
    }

    void start() {
        health.start();
        LOG.info(
                "Sekisho operator {}: watching {}, health and metrics on port {}",
                config.version(),
                config.watchNamespaces().isEmpty() ? "all namespaces" : config.watchNamespaces(),
                health.port());
        if (election == null) {
            work();
        } else {
            election.start();
        }
    }

    int httpPort() {
        return health.port();
    }

    private void work() {
        if (stopping) {
            return;
        }
        try {
            operator.start();
            started = true;
        } catch (RuntimeException e) {
            LOG.error("The operator cannot start", e);
            // On its own thread: the shutdown hook gives the lease back.
            System.exit(1);
        }
    }

    /** Without the lease another copy works already: nothing more may be written, not even in a shutdown hook. */
    private static void die() {
        Runtime.getRuntime().halt(1);
    }

    private boolean isAlive() {
        return stopping || election == null || election.isAlive();
    }

    private boolean isReady() {
        if (stopping) {
            return false;
        }
        if (election != null && !election.isLeading()) {
            return election.isAlive();
        }
        return started && operator.getRuntimeInfo().allEventSourcesAreHealthy();
    }

    /**
     * Ends work in hand, then stops the framework, then gives the lease back. In that order: the framework empties its
     * caches before it waits for reconcilers, which would then believe that everything is gone.
     */
    @Override
    public void close() {
        if (stopping) {
            return;
        }
        stopping = true;
        LOG.info("Stopping");
        finishWork();
        if (started) {
            operator.stop();
        }
        if (election != null) {
            election.close();
        }
        health.close();
        client.close();
        LOG.info("Stopped");
    }

    private void finishWork() {
        workers.shutdown();
        try {
            if (!workers.awaitTermination(STOP.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("Some work was not finished in time");
                workers.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What comes after the end is dropped: whoever leads next looks at everything. */
    private static ThreadPoolExecutor workers() {
        var threads = new AtomicInteger();
        var pool = new ThreadPoolExecutor(
                WORKERS,
                WORKERS,
                1,
                TimeUnit.MINUTES,
                new LinkedBlockingQueue<>(),
                task -> new Thread(task, "reconcile-" + threads.incrementAndGet()),
                new ThreadPoolExecutor.DiscardPolicy());
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private void bindJvmMetrics() {
        new JvmMemoryMetrics().bindTo(metrics);
        new JvmThreadMetrics().bindTo(metrics);
        // Its listeners live as long as the process.
        @SuppressWarnings("resource")
        var gc = new JvmGcMetrics();
        gc.bindTo(metrics);
    }
}
