package dev.sekisho.idp.http;

import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Ends the reading of bodies that do not arrive: Helidon's sockets have no read timeout, so a peer that stops half-way
 * would hold its place among the concurrent requests for ever.
 */
final class BodyDeadlines {
    private static final BodyDeadlines SHARED = new BodyDeadlines(Duration.ofSeconds(30), Duration.ofSeconds(1));

    private final long patience;
    private final ConcurrentHashMap<Thread, Long> readers = new ConcurrentHashMap<>();

    BodyDeadlines(Duration patience, Duration period) {
        this.patience = patience.toNanos();
        ScheduledExecutorService sweeper = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name("body-deadlines").daemon(true).factory());
        var unused =
                sweeper.scheduleWithFixedDelay(this::sweep, period.toNanos(), period.toNanos(), TimeUnit.NANOSECONDS);
    }

    static BodyDeadlines shared() {
        return SHARED;
    }

    /** The calling thread starts to read: it is interrupted, which closes its socket, unless it is done in time. */
    void start() {
        readers.put(Thread.currentThread(), System.nanoTime() + patience);
    }

    /** The calling thread is done. After this returns it is not interrupted any more. */
    void done() {
        readers.remove(Thread.currentThread());
    }

    private void sweep() {
        long now = System.nanoTime();
        for (var reader : readers.keySet()) {
            // Atomic against done(), so that no later request of the thread is hit.
            readers.computeIfPresent(reader, (thread, deadline) -> {
                if (now - deadline < 0) {
                    return deadline;
                }
                thread.interrupt();
                return null;
            });
        }
    }
}
