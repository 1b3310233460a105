package dev.sekisho.idp.oauth;

/**
 * A request is refused. Carries no stack trace: it is an answer, not a fault.
 *
 * <p>The description goes to the caller, so it holds no secret and nothing that the caller sent except parameter names
 * from a fixed list. It uses only the characters that RFC 6749, section 5.2 allows.
 */
public final class OAuthException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final OAuthError error;

    public OAuthException(OAuthError error) {
        this(error, error.description());
    }

    public OAuthException(OAuthError error, String description) {
        super(description, null, false, false);
        this.error = error;
    }

    public OAuthError error() {
        return error;
    }

    /** What is said to the caller. */
    public String description() {
        return String.valueOf(getMessage());
    }
}
