package dev.sekisho.idp.oauth;

import java.time.Clock;
import java.util.List;
import java.util.Set;

/** Authenticates clients, for every endpoint that they call (RFC 6749, section 2.3). */
public final class ClientAuthenticator {
    private static final SecretHash NOBODY =
            SecretHash.fromHex("0000000000000000000000000000000000000000000000000000000000000000");

    private final UsedAssertions used;
    private final Clock clock;

    public ClientAuthenticator(UsedAssertions used, Clock clock) {
        this.used = used;
        this.clock = clock;
    }

    /**
     * A client that has shown who it is.
     *
     * @param client the client
     * @param parameters what else it sent
     */
    public record Authenticated(Client client, Parameters parameters) {}

    /**
     * Authenticates the client of a request; only then looks whether the rest can be read.
     *
     * @param endpoint the URL that is called, which an assertion may be for
     * @param header what the Authorization header says
     * @throws OAuthException {@code invalid_client}; {@code invalid_request} when the body cannot be read, or holds a
     *     second way to authenticate; {@code temporarily_unavailable} when an assertion cannot be checked now
     */
    public Authenticated authenticate(Issuer issuer, String endpoint, ClientAuthentication header, RequestBody body) {
        var authentication = ClientAuthentication.of(header, body);
        var client = client(issuer, endpoint, authentication);
        return switch (body) {
            case RequestBody.Form(var parameters) -> {
                authentication.requireAlone(parameters);
                yield new Authenticated(client, parameters);
            }
            case RequestBody.Unreadable(var reason) -> throw new OAuthException(OAuthError.INVALID_REQUEST, reason);
        };
    }

    private Client client(Issuer issuer, String endpoint, ClientAuthentication authentication) {
        return switch (authentication) {
            case ClientAuthentication.Basic(var id, var secret) ->
                bySecret(issuer, id, secret, Client.Method.CLIENT_SECRET_BASIC);
            case ClientAuthentication.Post(var id, var secret) ->
                bySecret(issuer, id, secret, Client.Method.CLIENT_SECRET_POST);
            case ClientAuthentication.Assertion(var jwt, var id) -> {
                var assertion = ClientAssertion.parse(jwt);
                if (id.filter(i -> !i.equals(assertion.clientId())).isPresent()) {
                    throw new OAuthException(OAuthError.INVALID_CLIENT);
                }
                yield byAssertion(issuer, endpoint, assertion);
            }
            case ClientAuthentication.IdOnly _, ClientAuthentication.Unusable _, ClientAuthentication.Absent _ ->
                throw new OAuthException(OAuthError.INVALID_CLIENT);
        };
    }

    private static Client bySecret(Issuer issuer, String clientId, String secret, Client.Method method) {
        var client = issuer.client(clientId);
        var credential = client.map(Client::credential)
                .filter(Client.Credential.Secret.class::isInstance)
                .map(Client.Credential.Secret.class::cast);
        // An unknown client costs the same work, so that time does not tell which ids exist.
        boolean matches =
                credential.map(Client.Credential.Secret::hash).orElse(NOBODY).matches(SecretHash.of(secret));
        return client.filter(c ->
                        matches && credential.filter(s -> s.method() == method).isPresent())
                .orElseThrow(() -> new OAuthException(OAuthError.INVALID_CLIENT));
    }

    private Client byAssertion(Issuer issuer, String endpoint, ClientAssertion assertion) {
        var client = issuer.client(assertion.clientId());
        var keys = client.map(Client::credential)
                .filter(Client.Credential.Keys.class::isInstance)
                .map(c -> ((Client.Credential.Keys) c).keys())
                .orElse(ClientKeys.NONE);
        var audiences = Set.copyOf(List.of(issuer.issuer(), issuer.issuer() + TokenEndpoint.PATH, endpoint));
        var use = assertion.verify(keys, audiences, clock.instant());
        // Last, so that only whoever has the key makes us remember something.
        if (!used.use(
                issuer.key(), assertion.clientId(), use.jti(), use.expiresAt().plus(ClientAssertion.LEEWAY))) {
            throw new OAuthException(OAuthError.INVALID_CLIENT, "The client assertion was used before.");
        }
        return client.orElseThrow(() -> new OAuthException(OAuthError.INVALID_CLIENT));
    }
}
