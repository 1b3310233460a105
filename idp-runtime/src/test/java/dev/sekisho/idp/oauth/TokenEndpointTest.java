package dev.sekisho.idp.oauth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jwt.JWTClaimsSet;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What no request over HTTP can show with the one grant that there is. */
class TokenEndpointTest {
    private static final Instant NOW = Instant.parse("2026-05-01T12:00:00.999Z");
    private static final String SECRET = "a-secret-of-this-test";

    private final TokenEndpoint endpoint = new TokenEndpoint(
            new ClientAuthenticator((_, _, _, _) -> false, Clock.fixed(NOW, ZoneOffset.UTC)),
            Clock.fixed(NOW, ZoneOffset.UTC));

    /** Signs nothing: the token is the claims. */
    private record ClaimsIssuer(Client only) implements Issuer {
        @Override
        public UUID key() {
            return new UUID(1, 2);
        }

        @Override
        public String issuer() {
            return "https://idp.example/t";
        }

        @Override
        public Duration accessTokenLifetime() {
            return Duration.ofSeconds(90);
        }

        @Override
        public Optional<Client> client(String clientId) {
            return Optional.of(only).filter(c -> c.clientId().equals(clientId));
        }

        @Override
        public String signAccessToken(JWTClaimsSet claims) {
            return claims.toString();
        }
    }

    private static Client client(Set<Grant> grants) {
        return new Client(
                "app", Client.Method.CLIENT_SECRET_BASIC, SecretHash.of(SECRET), grants, Set.of("read", "write"));
    }

    private static RequestBody form(String... pairs) {
        var values = new java.util.HashMap<String, List<String>>();
        for (int i = 0; i < pairs.length; i += 2) {
            values.put(pairs[i], List.of(pairs[i + 1]));
        }
        return new RequestBody.Form(new Parameters(values));
    }

    private static OAuthError errorOf(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        var thrown = org.assertj.core.api.Assertions.catchThrowableOfType(OAuthException.class, call);
        assertThat(thrown).isNotNull();
        return thrown.error();
    }

    @Test
    void aClientWithoutTheGrantIsUnauthorized() {
        var issuer = new ClaimsIssuer(client(Set.of()));
        assertThat(errorOf(() -> endpoint.answer(
                        issuer,
                        new ClientAuthentication.Basic("app", SECRET),
                        form("grant_type", "client_credentials", "scope", "read"))))
                .isEqualTo(OAuthError.UNAUTHORIZED_CLIENT);
    }

    @Test
    void timesAreWholeSecondsFromTheClock() throws Exception {
        var response = endpoint.answer(
                new ClaimsIssuer(client(Set.of(Grant.CLIENT_CREDENTIALS))),
                new ClientAuthentication.Basic("app", SECRET),
                form("grant_type", "client_credentials", "scope", "write"));
        var claims = JWTClaimsSet.parse(response.accessToken());
        assertThat(claims.getIssueTime().toInstant()).isEqualTo(Instant.parse("2026-05-01T12:00:00Z"));
        assertThat(claims.getExpirationTime().toInstant()).isEqualTo(Instant.parse("2026-05-01T12:01:30Z"));
        assertThat(response.expiresInSeconds()).isEqualTo(90);
        assertThat(response.toString()).doesNotContain(response.accessToken());
    }

    @Test
    void scopesAreParsedOnceEachInOrder() {
        assertThat(Scopes.parse("  b a  b c ")).containsExactly("b", "a", "c");
        assertThat(Scopes.parse("")).isEmpty();
        for (var bad : List.of("a\"b", "a\\b", "é", "a\tb", "a\nb", "\u007f")) {
            assertThatThrownBy(() -> Scopes.parse(bad)).as(bad).isInstanceOf(OAuthException.class);
        }
    }

    @Test
    void secretsNeverShow() {
        assertThat(new ClientAuthentication.Basic("app", SECRET).toString()).doesNotContain(SECRET);
        assertThat(new ClientAuthentication.Post("app", SECRET).toString()).doesNotContain(SECRET);
        assertThat(SecretHash.of(SECRET).toString())
                .doesNotContain(SecretHash.of(SECRET).toHex());
        assertThat(client(Set.of()).toString())
                .doesNotContain(SecretHash.of(SECRET).toHex());
    }

    @Test
    void hashesAreComparedByValue() {
        var hash = SecretHash.of(SECRET);
        assertThat(hash.matches(SecretHash.fromHex(hash.toHex()))).isTrue();
        assertThat(hash.matches(SecretHash.of("other"))).isFalse();
        assertThatThrownBy(() -> SecretHash.fromHex("00")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> SecretHash.fromHex("x".repeat(64))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void onlyNamesOfOursAreRepeatedToTheCaller() {
        var parameters = new Parameters(Map.of("<script>", List.of("1", "2")));
        assertThatThrownBy(() -> parameters.requireUnrepeated(Set.of()))
                .isInstanceOf(OAuthException.class)
                .hasMessage("A parameter is present more than once.");
    }
}
