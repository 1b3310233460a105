package dev.sekisho.loadtest.runner;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** How far a run is. Thread-safe. */
final class Progress {
    private final AtomicInteger initialized = new AtomicInteger();
    private final AtomicInteger active = new AtomicInteger();
    private final AtomicLong completed = new AtomicLong();
    private final AtomicLong interrupted = new AtomicLong();
    private volatile long startNanos;
    private volatile long endNanos;

    void start() {
        startNanos = System.nanoTime();
    }

    void end() {
        endNanos = System.nanoTime();
    }

    /** Nanoseconds from the start of setup to the end of teardown, or to now. */
    long elapsedNanos() {
        if (startNanos == 0) {
            return 0;
        }
        return (endNanos == 0 ? System.nanoTime() : endNanos) - startNanos;
    }

    double elapsedSeconds() {
        return elapsedNanos() / 1e9;
    }

    AtomicInteger initialized() {
        return initialized;
    }

    AtomicInteger active() {
        return active;
    }

    AtomicLong completed() {
        return completed;
    }

    AtomicLong interrupted() {
        return interrupted;
    }
}
