package dev.sekisho.loadtest.runner;

/** k6's exit codes. */
public enum ExitCode {
    OK(0),
    THRESHOLDS_FAILED(99),
    SETUP_TIMEOUT(100),
    TEARDOWN_TIMEOUT(101),
    INVALID_CONFIG(104),
    SIGNAL(105),
    SCRIPT_ERROR(107),
    SCRIPT_ABORTED(108),
    MARKED_AS_FAILED(110),
    USAGE(255);

    private final int code;

    ExitCode(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }
}
