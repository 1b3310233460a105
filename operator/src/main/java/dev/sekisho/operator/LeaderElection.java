package dev.sekisho.operator;

import dev.sekisho.operator.kube.Clients;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfig;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElector;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets one copy of the operator work at a time, by a Lease.
 *
 * <p>Stands beside the framework's own election for two reasons. Its calls have timeouts and no retries, so that a
 * leader cut off from the API server leaves before its lease ends. And it knows when the lease was last renewed, so that
 * liveness can depend on it.
 */
final class LeaderElection implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderElection.class);

    private final KubernetesClient client;
    private final ExecutorService executor = Executors.newCachedThreadPool(
            Thread.ofPlatform().daemon().name("lease-", 0).factory());
    private final Duration leaseDuration;
    private final LeaderElector elector;
    private volatile @Nullable CompletableFuture<?> running;
    private volatile boolean leading;
    private volatile boolean closing;
    private volatile long lastAnswer = System.nanoTime();

    /**
     * @param kubernetes how to reach the API server
     * @param config names of lease and holder, and its duration
     * @param onLeading called once, on a thread of its own, when this copy begins to lead
     * @param onLost called once when it leads no more although nobody closed this; must end the process
     */
    LeaderElection(Config kubernetes, OperatorConfig config, Runnable onLeading, Runnable onLost) {
        this.leaseDuration = config.leaseDuration();
        // Renew deadline and one call together stay below the lease.
        var call = leaseDuration.dividedBy(5);
        this.client = Clients.impatient(kubernetes, call);
        var callbacks = new LeaderCallbacks(
                () -> {
                    leading = true;
                    LOG.info("Leading as {}", config.identity());
                    Thread.ofPlatform().name("start").start(onLeading);
                },
                () -> {
                    if (leading && !closing) {
                        leading = false;
                        LOG.error("Lost the lease {}/{}", config.leaseNamespace(), config.leaseName());
                        onLost.run();
                    }
                },
                leader -> LOG.info("The leader is {}", leader));
        var settings = new LeaderElectionConfig(
                new ObservedLock(config),
                leaseDuration,
                leaseDuration.multipliedBy(6).dividedBy(10),
                leaseDuration.dividedBy(5),
                callbacks,
                true,
                config.leaseName());
        this.elector = new LeaderElector(client, settings, executor);
    }

    void start() {
        running = elector.start();
    }

    boolean isLeading() {
        return leading;
    }

    /** Whether the loop goes on: the API server answered about the lease within three lease durations. */
    boolean isAlive() {
        return System.nanoTime() - lastAnswer < leaseDuration.multipliedBy(3).toNanos();
    }

    /** Gives the lease back, so that another copy takes over at once. */
    @Override
    public void close() {
        closing = true;
        var future = running;
        if (future != null) {
            future.cancel(true);
        }
        executor.shutdown();
        try {
            if (!executor.awaitTermination(leaseDuration.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("The lease was not given back in time");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        client.close();
    }

    /** A lease that notes when the API server last answered about it. */
    private final class ObservedLock extends LeaseLock {
        ObservedLock(OperatorConfig config) {
            super(config.leaseNamespace(), config.leaseName(), config.identity());
        }

        @Override
        public synchronized LeaderElectionRecord get(KubernetesClient api) {
            var found = super.get(api);
            if (!leading) {
                lastAnswer = System.nanoTime();
            }
            return found;
        }

        @Override
        public synchronized void create(KubernetesClient api, LeaderElectionRecord wanted) {
            super.create(api, wanted);
            lastAnswer = System.nanoTime();
        }

        @Override
        public synchronized void update(KubernetesClient api, LeaderElectionRecord wanted) {
            super.update(api, wanted.getHolderIdentity() == null ? givenBack(wanted) : wanted);
            lastAnswer = System.nanoTime();
        }

        /** An absent holder would not be written: a merge patch leaves out what is null. */
        private static LeaderElectionRecord givenBack(LeaderElectionRecord record) {
            return new LeaderElectionRecord(
                    "",
                    record.getLeaseDuration(),
                    record.getAcquireTime(),
                    record.getRenewTime(),
                    record.getLeaderTransitions());
        }
    }
}
