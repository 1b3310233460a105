package dev.sekisho.operator.idpcluster;

import java.util.Set;

/** Reasons of conditions that are on their way; {@code status.Events} knows the same words. */
final class Reasons {
    static final String WAITING = "Waiting";
    static final String STARTING = "Starting";
    static final String RUNNING = "Running";
    static final String PROGRESSING = "Progressing";

    static final String ROLLING_OUT = "RollingOut";
    static final String UPDATE_PENDING = "UpdatePending";
    static final String ROLLOUT_STUCK = "RolloutStuck";

    private static final Set<String> PROGRESS = Set.of(WAITING, STARTING, RUNNING, PROGRESSING);

    private Reasons() {}

    /** Whether nothing but time is needed. */
    static boolean isProgress(String reason) {
        return PROGRESS.contains(reason);
    }
}
