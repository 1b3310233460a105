package dev.sekisho.loadtest.config;

/** Options that cannot be run: exit code 104. */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ConfigException(String message) {
        super(message);
    }
}
