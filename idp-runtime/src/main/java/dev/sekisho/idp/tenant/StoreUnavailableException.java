package dev.sekisho.idp.tenant;

/** The database cannot be reached, or cannot do it now. Trying again later may work. */
public class StoreUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StoreUnavailableException(String message) {
        super(message);
    }

    public StoreUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
