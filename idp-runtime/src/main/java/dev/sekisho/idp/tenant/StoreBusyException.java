package dev.sekisho.idp.tenant;

/** The database is there, but there was no turn or no resource in time: it says nothing about the next request. */
public final class StoreBusyException extends StoreUnavailableException {
    private static final long serialVersionUID = 1L;

    public StoreBusyException(String message) {
        super(message);
    }

    public StoreBusyException(String message, Throwable cause) {
        super(message, cause);
    }
}
