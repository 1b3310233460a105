package dev.sekisho.idp.oauth;

/** How a client tries to authenticate (RFC 6749, section 2.3). */
public sealed interface ClientAuthentication {
    /** {@code client_secret_basic}. */
    record Basic(String clientId, String secret) implements ClientAuthentication {
        @Override
        public String toString() {
            return "Basic[clientId=" + clientId + "]";
        }
    }

    /** {@code client_secret_post}. */
    record Post(String clientId, String secret) implements ClientAuthentication {
        @Override
        public String toString() {
            return "Post[clientId=" + clientId + "]";
        }
    }

    /** A client id alone, as public clients send it. */
    record IdOnly(String clientId) implements ClientAuthentication {}

    /** An Authorization header of another scheme, or one that cannot be read. */
    record Unusable() implements ClientAuthentication {}

    /** Nothing at all. */
    record Absent() implements ClientAuthentication {}

    /**
     * How the client tries to authenticate: by the header if there is one, else by the body.
     *
     * @param header what the header says: {@link Basic}, {@link Unusable} or {@link Absent}
     * @throws OAuthException {@code invalid_request} when credentials could only stand in the body, and that cannot be
     *     read or repeats them
     */
    static ClientAuthentication of(ClientAuthentication header, RequestBody body) {
        if (!(header instanceof Absent)) {
            return header;
        }
        return switch (body) {
            case RequestBody.Form(var parameters) -> of(parameters);
            case RequestBody.Unreadable(var reason) -> throw new OAuthException(OAuthError.INVALID_REQUEST, reason);
        };
    }

    /**
     * Checks that the body of a client that has authenticated does not say otherwise (RFC 6749, section 2.3: one method
     * in a request). Called afterwards, so that whoever cannot authenticate learns only that.
     *
     * @throws OAuthException {@code invalid_request} when there are two ways at once, two clients, or a repeated
     *     parameter
     */
    default void requireAlone(Parameters parameters) {
        if (this instanceof Basic(var clientId, var unused)) {
            if (parameters.single("client_secret").isPresent()) {
                throw new OAuthException(OAuthError.INVALID_REQUEST, "The client authenticates in more than one way.");
            }
            if (parameters
                    .single("client_id")
                    .filter(id -> !id.equals(clientId))
                    .isPresent()) {
                throw new OAuthException(
                        OAuthError.INVALID_REQUEST, "client_id differs from the client that authenticates.");
            }
        }
    }

    private static ClientAuthentication of(Parameters parameters) {
        var id = parameters.single("client_id");
        var secret = parameters.single("client_secret");
        if (id.isEmpty()) {
            return new Absent();
        }
        return secret.<ClientAuthentication>map(s -> new Post(id.get(), s)).orElseGet(() -> new IdOnly(id.get()));
    }
}
