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
     * What the Authorization header and the body say together.
     *
     * @param header what the header says: {@link Basic}, {@link Unusable} or {@link Absent}
     * @throws OAuthException {@code invalid_request} when there are two ways at once, or a parameter is repeated
     */
    static ClientAuthentication of(ClientAuthentication header, RequestBody body) {
        return switch (body) {
            case RequestBody.Form(var parameters) -> of(header, parameters);
            case RequestBody.Unreadable(var reason) -> {
                if (header instanceof Absent) {
                    // Credentials could only stand in the body, and that cannot be read.
                    throw new OAuthException(OAuthError.INVALID_REQUEST, reason);
                }
                yield header;
            }
        };
    }

    private static ClientAuthentication of(ClientAuthentication header, Parameters parameters) {
        var id = parameters.single("client_id");
        var secret = parameters.single("client_secret");
        if (!(header instanceof Absent)) {
            if (secret.isPresent()) {
                throw new OAuthException(OAuthError.INVALID_REQUEST, "The client authenticates in more than one way.");
            }
            if (header instanceof Basic basic
                    && id.isPresent()
                    && !basic.clientId().equals(id.get())) {
                throw new OAuthException(
                        OAuthError.INVALID_REQUEST, "client_id differs from the client that authenticates.");
            }
            return header;
        }
        if (id.isEmpty()) {
            return new Absent();
        }
        return secret.<ClientAuthentication>map(s -> new Post(id.get(), s)).orElseGet(() -> new IdOnly(id.get()));
    }
}
