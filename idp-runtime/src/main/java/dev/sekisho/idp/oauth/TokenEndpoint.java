package dev.sekisho.idp.oauth;

import com.nimbusds.jwt.JWTClaimsSet;
import java.time.Clock;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.UUID;

/** The token endpoint (RFC 6749, section 3.2): authenticates the client first, then looks at the rest. */
public final class TokenEndpoint {
    /** Where it is, after the issuer identifier. */
    public static final String PATH = "/v1/tokens";

    private final ClientAuthenticator authenticator;
    private final Clock clock;

    public TokenEndpoint(ClientAuthenticator authenticator, Clock clock) {
        this.authenticator = authenticator;
        this.clock = clock;
    }

    /**
     * Answers a request.
     *
     * @param header what the Authorization header says
     * @throws OAuthException with the error to answer
     */
    public TokenResponse answer(Issuer issuer, ClientAuthentication header, RequestBody body) {
        var authenticated = authenticator.authenticate(issuer, issuer.issuer() + PATH, header, body);
        var client = authenticated.client();
        var request = TokenRequest.of(authenticated.parameters());
        if (!client.grants().contains(request.grant())) {
            throw new OAuthException(OAuthError.UNAUTHORIZED_CLIENT);
        }
        return switch (request) {
            case TokenRequest.ClientCredentials(var scopes) -> clientCredentials(issuer, client, scopes);
        };
    }

    private TokenResponse clientCredentials(Issuer issuer, Client client, Set<String> asked) {
        var granted = new LinkedHashSet<>(asked);
        granted.retainAll(client.scopes());
        if (granted.isEmpty()) {
            throw new OAuthException(OAuthError.INVALID_SCOPE);
        }
        var scope = String.join(" ", granted);
        long lifetime = issuer.accessTokenLifetime().toSeconds();
        long now = clock.instant().getEpochSecond();
        var claims = new JWTClaimsSet.Builder()
                .issuer(issuer.issuer())
                .subject(client.clientId())
                .claim("client_id", client.clientId())
                .audience(issuer.issuer())
                .claim("iat", now)
                .claim("exp", now + lifetime)
                .jwtID(UUID.randomUUID().toString())
                .claim("scope", scope)
                .build();
        return new TokenResponse(issuer.signAccessToken(claims), lifetime, scope, Grant.CLIENT_CREDENTIALS);
    }
}
