package dev.sekisho.idp;

/** The configuration cannot work; the message names each setting at fault and shows no secret. */
public final class ConfigurationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ConfigurationException(String message) {
        super(message);
    }
}
