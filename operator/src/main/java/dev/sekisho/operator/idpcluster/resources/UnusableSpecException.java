package dev.sekisho.operator.idpcluster.resources;

/** What the schema let through and nothing can be made of; the message names the field, for people. */
public final class UnusableSpecException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String reason;

    UnusableSpecException(String reason) {
        super(reason, null, false, false);
        this.reason = reason;
    }

    /** Which field, and what is wrong with it. */
    public String reason() {
        return reason;
    }
}
