package dev.sekisho.loadtest.runner;

import dev.sekisho.loadtest.js.ScriptInstance;
import java.time.Duration;

/** Stops a script instance when it takes too long. */
final class Watchdog implements AutoCloseable {
    private final Thread thread;
    private volatile boolean late;

    Watchdog(Duration timeout, ScriptInstance instance) {
        thread = Thread.ofVirtual().name("watchdog").start(() -> {
            try {
                Thread.sleep(timeout);
            } catch (InterruptedException e) {
                return;
            }
            late = true;
            instance.stop();
        });
    }

    /** Whether it had to stop the instance. */
    boolean late() {
        return late;
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
