package dev.sekisho.idp.oauth;

import com.nimbusds.jwt.JWTClaimsSet;
import java.time.Clock;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.UUID;

/** The token endpoint (RFC 6749, section 3.2): authenticates the client first, then looks at the rest. */
public final class TokenEndpoint {
    private static final SecretHash NOBODY =
            SecretHash.fromHex("0000000000000000000000000000000000000000000000000000000000000000");

    private final Clock clock;

    public TokenEndpoint(Clock clock) {
        this.clock = clock;
    }

    /**
     * Answers a request.
     *
     * @param header what the Authorization header says
     * @throws OAuthException with the error to answer
     */
    public TokenResponse answer(Issuer issuer, ClientAuthentication header, RequestBody body) {
        var authentication = ClientAuthentication.of(header, body);
        var client = authenticate(issuer, authentication);
        var request = switch (body) {
            case RequestBody.Form(var parameters) -> {
                authentication.requireAlone(parameters);
                yield TokenRequest.of(parameters);
            }
            case RequestBody.Unreadable(var reason) -> throw new OAuthException(OAuthError.INVALID_REQUEST, reason);
        };
        if (!client.grants().contains(request.grant())) {
            throw new OAuthException(OAuthError.UNAUTHORIZED_CLIENT);
        }
        return switch (request) {
            case TokenRequest.ClientCredentials(var scopes) -> clientCredentials(issuer, client, scopes);
        };
    }

    private static Client authenticate(Issuer issuer, ClientAuthentication authentication) {
        return switch (authentication) {
            case ClientAuthentication.Basic(var id, var secret) ->
                check(issuer, id, secret, Client.Method.CLIENT_SECRET_BASIC);
            case ClientAuthentication.Post(var id, var secret) ->
                check(issuer, id, secret, Client.Method.CLIENT_SECRET_POST);
            case ClientAuthentication.IdOnly _, ClientAuthentication.Unusable _, ClientAuthentication.Absent _ ->
                throw new OAuthException(OAuthError.INVALID_CLIENT);
        };
    }

    private static Client check(Issuer issuer, String clientId, String secret, Client.Method method) {
        var client = issuer.client(clientId);
        // An unknown client costs the same work, so that time does not tell which ids exist.
        boolean matches = client.map(Client::secretHash).orElse(NOBODY).matches(SecretHash.of(secret));
        return client.filter(c -> matches && c.method() == method)
                .orElseThrow(() -> new OAuthException(OAuthError.INVALID_CLIENT));
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
