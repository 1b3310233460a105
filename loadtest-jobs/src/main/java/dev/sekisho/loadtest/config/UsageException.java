package dev.sekisho.loadtest.config;

/** A command line that cannot be understood: exit code 255. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(message);
    }
}
