package dev.sekisho.idp.oauth;

import java.util.Set;

/** What an authenticated client asks the token endpoint for. */
public sealed interface TokenRequest {
    /**
     * RFC 8707: {@code resource} may repeat. ({@code audience} may in token exchange only, RFC 8693, which is not
     * offered.)
     */
    Set<String> REPEATABLE = Set.of("resource");

    /** The grant it uses. */
    Grant grant();

    /**
     * RFC 6749, section 4.4.2.
     *
     * @param scopes what is asked for, in order; empty when the parameter is absent
     */
    record ClientCredentials(Set<String> scopes) implements TokenRequest {
        @Override
        public Grant grant() {
            return Grant.CLIENT_CREDENTIALS;
        }
    }

    /**
     * Reads a request.
     *
     * @throws OAuthException {@code invalid_request}, {@code unsupported_grant_type} or {@code invalid_scope}
     */
    static TokenRequest of(Parameters parameters) {
        parameters.requireUnrepeated(REPEATABLE);
        var code = parameters
                .single("grant_type")
                .orElseThrow(() -> new OAuthException(OAuthError.INVALID_REQUEST, "grant_type is missing."));
        var grant = Grant.of(code).orElseThrow(() -> new OAuthException(OAuthError.UNSUPPORTED_GRANT_TYPE));
        return switch (grant) {
            case CLIENT_CREDENTIALS ->
                new ClientCredentials(Scopes.parse(parameters.single("scope").orElse("")));
        };
    }
}
