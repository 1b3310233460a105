package dev.sekisho.loadtest.metrics;

/** A threshold that cannot be evaluated: malformed, on an unknown metric, or asking what its metric does not have. */
public final class InvalidThresholdException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InvalidThresholdException(String message) {
        super(message);
    }
}
