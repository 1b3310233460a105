package dev.sekisho.idp.keys;

/** A stored key cannot be opened: another key-encryption key, or rows that somebody changed. */
public final class KeyUnusableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public KeyUnusableException(String message, Throwable cause) {
        super(message, cause);
    }

    public KeyUnusableException(String message) {
        super(message);
    }
}
