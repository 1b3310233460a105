package dev.sekisho.loadtest.runner;

import dev.sekisho.loadtest.js.ScriptInstance;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The script instances that run now, so that the end of a run can stop them. Thread-safe. */
final class LiveInstances {
    private final Set<ScriptInstance> instances = ConcurrentHashMap.newKeySet();

    void add(ScriptInstance instance) {
        instances.add(instance);
    }

    void remove(ScriptInstance instance) {
        instances.remove(instance);
    }

    /** Stops all, without waiting for them. */
    void stopAll() {
        for (ScriptInstance instance : instances) {
            Thread.ofVirtual().name("stop").start(instance::stop);
        }
    }
}
