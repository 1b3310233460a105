package dev.sekisho.idp.oauth;

import java.util.List;
import java.util.Optional;

/** How a client tries to authenticate (RFC 6749, section 2.3). */
public sealed interface ClientAuthentication {
    /** Parameters that carry an assertion. */
    List<String> ASSERTION = List.of("client_assertion", "client_assertion_type");

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

    /**
     * {@code private_key_jwt} (RFC 7521, section 4.2).
     *
     * @param assertion a JWT, unchecked
     * @param clientId what {@code client_id} says, if it is sent
     */
    record Assertion(String assertion, Optional<String> clientId) implements ClientAuthentication {
        @Override
        public String toString() {
            return "Assertion";
        }
    }

    /** A client id alone, as public clients send it. */
    record IdOnly(String clientId) implements ClientAuthentication {}

    /** An Authorization header of another scheme or one that cannot be read, or an assertion of another type or none. */
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
        boolean secret = parameters.single("client_secret").isPresent();
        boolean assertion =
                ASSERTION.stream().anyMatch(name -> parameters.single(name).isPresent());
        if ((this instanceof Basic && (secret || assertion)) || (this instanceof Assertion && secret)) {
            throw new OAuthException(OAuthError.INVALID_REQUEST, "The client authenticates in more than one way.");
        }
        if (this instanceof Basic(var clientId, var unused)) {
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
        var assertion = parameters.single("client_assertion");
        var type = parameters.single("client_assertion_type");
        if (assertion.isPresent() || type.isPresent()) {
            return assertion
                    .filter(a -> type.filter(ClientAssertion.TYPE::equals).isPresent())
                    .<ClientAuthentication>map(a -> new Assertion(a, id))
                    .orElseGet(Unusable::new);
        }
        var secret = parameters.single("client_secret");
        if (id.isEmpty()) {
            return new Absent();
        }
        return secret.<ClientAuthentication>map(s -> new Post(id.get(), s)).orElseGet(() -> new IdOnly(id.get()));
    }
}
