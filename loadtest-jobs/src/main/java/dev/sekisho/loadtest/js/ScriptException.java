package dev.sekisho.loadtest.js;

/** A script that threw, or that is no script: exit code 107 where it ends a run. */
public final class ScriptException extends Exception {
    private static final long serialVersionUID = 1L;

    ScriptException(String message) {
        super(message);
    }

    ScriptException(String message, Throwable cause) {
        super(message, cause);
    }
}
