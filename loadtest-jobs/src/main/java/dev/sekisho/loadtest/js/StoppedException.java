package dev.sekisho.loadtest.js;

/** A script that was stopped from outside. */
public final class StoppedException extends Exception {
    private static final long serialVersionUID = 1L;

    StoppedException(Throwable cause) {
        super("stopped", cause);
    }
}
