package dev.sekisho.operator.loadtest;

/** Why a load test is in its phase, or has its verdict: the closed set of {@code status.reason}. */
final class Reasons {
    // Waiting.
    static final String WAITING = "Waiting";
    static final String CLUSTER_NOT_FOUND = "ClusterNotFound";
    static final String NAMESPACE_NOT_ALLOWED = "NamespaceNotAllowed";
    static final String CLUSTER_NOT_READY = "ClusterNotReady";
    static final String SCRIPT_NOT_FOUND = "ScriptNotFound";
    static final String FORMER_RUN = "FormerRunEnding";
    static final String FORMER_RUN_STUCK = "FormerRunStuck";
    static final String RUNTIME_UNREACHABLE = "RuntimeUnreachable";
    static final String AUTHORITY_MISSING = "AuthorityMissing";
    static final String PREPARING = "Preparing";
    static final String RUNNING = "Running";
    static final String RECONCILE_FAILED = "ReconcileFailed";

    // Refused, or could not be prepared.
    static final String LOAD_TESTS_DENIED = "LoadTestsDenied";
    static final String CLUSTER_OFFLINE = "ClusterOffline";
    static final String CLUSTER_GONE = "ClusterGone";
    static final String PREPARATION_TIMED_OUT = "PreparationTimedOut";
    static final String TENANT_ID_CONFLICT = "TenantIdConflict";
    static final String PREPARATION_REFUSED = "PreparationRefused";
    static final String SCRIPT_TOO_LARGE = "ScriptTooLarge";
    static final String NAME_TAKEN = "NameTaken";
    static final String JOB_REFUSED = "JobRefused";

    // The pod could not start, or broke.
    static final String IMAGE_PULL_FAILED = "ImagePullFailed";
    static final String UNSCHEDULABLE = "Unschedulable";
    static final String POD_NOT_STARTED = "PodNotStarted";
    static final String DEADLINE_EXCEEDED = "DeadlineExceeded";
    static final String OOM_KILLED = "OOMKilled";
    static final String POD_LOST = "PodLost";

    // The engine or the script broke.
    static final String SETUP_FAILED = "SetupFailed";
    static final String SETUP_TIMED_OUT = "SetupTimedOut";
    static final String TEARDOWN_TIMED_OUT = "TeardownTimedOut";
    static final String SCRIPT_FAILED = "ScriptFailed";
    static final String SCRIPT_ABORTED = "ScriptAborted";
    static final String INVALID_CONFIGURATION = "InvalidConfiguration";
    static final String INTERRUPTED = "Interrupted";
    static final String ENGINE_FAILED = "EngineFailed";
    static final String RESULT_MISSING = "ResultMissing";
    static final String RESULT_UNREADABLE = "ResultUnreadable";

    // Judged.
    static final String OBJECTIVES_MET = "ObjectivesMet";
    static final String OBJECTIVE_MISSED = "ObjectiveMissed";
    static final String THRESHOLD_FAILED = "ThresholdFailed";
    static final String TEST_FAILED = "TestFailed";
    static final String SCRIPT_ERRORS = "ScriptErrors";
    static final String ALL_CHECKS_FAILED = "AllChecksFailed";
    static final String NO_SAMPLES = "NoSamples";
    static final String NO_CHECKS = "NoChecks";
    static final String NO_OBJECTIVES = "NoObjectives";

    private Reasons() {}
}
