package dev.sekisho.loadtest.runner;

/** What ends a run before its time. */
final class RunFailure extends Exception {
    private static final long serialVersionUID = 1L;

    private final ExitCode exitCode;

    RunFailure(ExitCode exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    ExitCode exitCode() {
        return exitCode;
    }
}
