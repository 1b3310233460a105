package dev.sekisho.loadtest.js;

import dev.sekisho.loadtest.config.Options;
import dev.sekisho.loadtest.log.RunLog;
import dev.sekisho.loadtest.metrics.BuiltinMetrics;
import dev.sekisho.loadtest.metrics.CheckGroup;
import dev.sekisho.loadtest.metrics.MetricRegistry;

/** What scripts can see and do of the run that they are part of. */
public interface RunState {
    MetricRegistry registry();

    BuiltinMetrics metrics();

    /** Where checks are counted. */
    CheckGroup rootGroup();

    RunLog log();

    /**
     * The merged options.
     *
     * @throws IllegalStateException while the script is loaded to find them
     */
    Options options();

    /** Lets the run fail once it ended: exit code 110. */
    void markFailed(String reason);

    /** Ends the run: exit code 108. The caller must not go on with the script. */
    void abort(String reason);

    /** Milliseconds since the run started. */
    double elapsedMillis();

    int vusActive();

    int vusInitialized();

    long iterationsCompleted();

    long iterationsInterrupted();
}
