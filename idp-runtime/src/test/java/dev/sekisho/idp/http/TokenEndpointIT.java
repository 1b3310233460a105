package dev.sekisho.idp.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jwt.SignedJWT;
import dev.sekisho.idp.IdpRuntime;
import dev.sekisho.idp.testing.Declaration;
import dev.sekisho.idp.testing.Environment;
import dev.sekisho.idp.testing.Golden;
import dev.sekisho.idp.testing.RuntimeClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TokenEndpointIT {
    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String GRANT = "grant_type=client_credentials";
    private static final String A = "tokens-a";
    private static final String B = "tokens-b";
    private static final String SECRET_B = "another-secret-of-tenant-b";

    private final Environment environment = Environment.shared();
    private final IdpRuntime runtime = environment.runtime();
    private final RuntimeClient client = environment.client(runtime);

    @BeforeAll
    void declareTenants() {
        var a = Declaration.of(A)
                .client("basic", "client_secret_basic", "read", "write")
                .client("post", "client_secret_post", "read")
                .client("odd", "client_secret_basic", "read")
                .secret("odd", "pass word+%&=:~ \"x\"");
        var b = Declaration.of(B).client("basic", "client_secret_basic", "read").secret("basic", SECRET_B);
        for (var declaration : List.of(a, b)) {
            var reply = client.put(declaration);
            assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        }
    }

    @AfterAll
    void stop() {
        client.close();
        runtime.close();
    }

    @Test
    void anAccessTokenIsWhatRfc9068Says() throws Exception {
        var before = Instant.now().minusSeconds(2);
        var reply = client.token(A, "basic", Declaration.SECRET, GRANT + "&scope=write+read");
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.header("Cache-Control")).isEqualTo("no-store");
        assertThat(reply.header("Pragma")).isEqualTo("no-cache");
        assertThat(reply.header("Content-Type")).isEqualTo("application/json");
        assertThat(reply.json().path("token_type").asText()).isEqualTo("Bearer");
        assertThat(reply.json().path("expires_in").asLong()).isEqualTo(300);
        assertThat(reply.json().path("scope").asText()).isEqualTo("write read");

        var token = SignedJWT.parse(reply.json().path("access_token").asText());
        assertThat(token.getHeader().getType().getType()).isEqualTo("at+jwt");
        assertThat(token.getHeader().getAlgorithm().getName()).isEqualTo("ES256");
        var claims = token.getJWTClaimsSet();
        var issuer = Environment.PUBLIC_URL + "/" + A;
        assertThat(claims.getIssuer()).isEqualTo(issuer);
        assertThat(claims.getAudience()).containsExactly(issuer);
        assertThat(claims.getSubject()).isEqualTo("basic");
        assertThat(claims.getStringClaim("client_id")).isEqualTo("basic");
        assertThat(claims.getStringClaim("scope")).isEqualTo("write read");
        assertThat(UUID.fromString(claims.getJWTID())).isNotNull();
        var issued = claims.getDateClaim("iat").toInstant();
        assertThat(issued).isAfter(before).isBefore(Instant.now().plusSeconds(2));
        assertThat(claims.getDateClaim("exp").toInstant()).isEqualTo(issued.plusSeconds(300));
        assertThat(claims.getClaims().keySet())
                .containsExactlyInAnyOrder("iss", "aud", "sub", "client_id", "scope", "jti", "iat", "exp");
    }

    @Test
    void noTwoTokensAreTheSame() {
        var first = client.token(A, "basic", Declaration.SECRET, GRANT + "&scope=read");
        var second = client.token(A, "basic", Declaration.SECRET, GRANT + "&scope=read");
        assertThat(first.json().path("access_token")).isNotEqualTo(second.json().path("access_token"));
    }

    @Test
    void unregisteredScopesAreDroppedSilently() {
        var reply = client.token(A, "basic", Declaration.SECRET, GRANT + "&scope=admin+read+read+openid");
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.json().path("scope").asText()).isEqualTo("read");
    }

    @Test
    void secretsInTheBodyWorkForAClientRegisteredSo() {
        var reply = client.send(
                client.tokenRequest(A, GRANT + "&scope=read&client_id=post&client_secret=" + Declaration.SECRET));
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    }

    @Test
    void credentialsInTheHeaderAreFormEncodedAsRfc6749Says() {
        var reply = client.token(A, "odd", "pass word+%&=:~ \"x\"", GRANT + "&scope=read");
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    }

    @Test
    void theBodyMayRepeatTheClientIdThatAuthenticates() {
        var reply = client.token(A, "basic", Declaration.SECRET, GRANT + "&scope=read&client_id=basic");
        assertThat(reply.status()).isEqualTo(200);
    }

    @Test
    void parametersWithoutValueCountAsAbsentAndUnknownOnesAreIgnored() {
        var reply = client.token(
                A, "basic", Declaration.SECRET, GRANT + "&scope=read&client_secret=&unknown=1&resource=a&resource=b");
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    }

    @Test
    void aTenantMaySignWithRs256() throws Exception {
        var id = Declaration.freshId("rsa");
        var declaration = Declaration.of(id).client("app", "client_secret_basic", "read");
        declaration.spec().putObject("signing").put("algorithm", "RS256");
        declaration.spec().putObject("tokens").put("accessTokenLifetime", "1h30m");
        assertThat(client.put(declaration).status()).isEqualTo(200);
        var reply = client.token(id, "app", Declaration.SECRET, GRANT + "&scope=read");
        assertThat(reply.json().path("expires_in").asLong()).isEqualTo(5400);
        var token = SignedJWT.parse(reply.json().path("access_token").asText());
        var key = JWKSet.parse(client.get("/" + id + "/v1/jwks").body())
                .getKeyByKeyId(token.getHeader().getKeyID());
        assertThat(token.verify(new RSASSAVerifier(key.toRSAKey()))).isTrue();
    }

    @Test
    void credentialsOfOneTenantNeverWorkAtAnother() {
        assertThat(client.token(B, "basic", SECRET_B, GRANT + "&scope=read").status())
                .isEqualTo(200);
        assertThat(client.token(A, "basic", SECRET_B, GRANT + "&scope=read").status())
                .isEqualTo(401);
        assertThat(client.token(B, "basic", Declaration.SECRET, GRANT + "&scope=read")
                        .status())
                .isEqualTo(401);
        assertThat(client.token(B, "post", Declaration.SECRET, GRANT + "&scope=read")
                        .status())
                .isEqualTo(401);
    }

    @Test
    void keysOfOneTenantAreNotAnothers() throws Exception {
        var reply = client.token(A, "basic", Declaration.SECRET, GRANT + "&scope=read");
        var token = SignedJWT.parse(reply.json().path("access_token").asText());
        var keysOfB = JWKSet.parse(client.get("/" + B + "/v1/jwks").body());
        assertThat(keysOfB.getKeyByKeyId(token.getHeader().getKeyID())).isNull();
        assertThat(token.getJWTClaimsSet().getIssuer()).isNotEqualTo(Environment.PUBLIC_URL + "/" + B);
    }

    /** Each refusal, as status, headers that matter and body. */
    @Test
    void refusalsAreTheGoldenOnes() {
        var rendered = new StringBuilder();
        refusals().forEach((name, request) -> {
            var reply = client.send(request.get());
            rendered.append("## ")
                    .append(name)
                    .append('\n')
                    .append(reply.status())
                    .append('\n');
            for (var header : List.of(
                    "Content-Type", "Cache-Control", "Pragma", "WWW-Authenticate", "Allow", "Retry-After", "Server")) {
                if (!reply.header(header).isEmpty()) {
                    rendered.append(header)
                            .append(": ")
                            .append(reply.header(header))
                            .append('\n');
                }
            }
            rendered.append(reply.body()).append("\n\n");
            assertThat(reply.status()).as(name).isBetween(400, 499);
            assertThat(reply.header("X-Request-Id")).as(name).isNotEmpty();
        });
        Golden.check("token-refusals.txt", rendered.toString());
    }

    private Map<String, Supplier<HttpRequest.Builder>> refusals() {
        Map<String, Supplier<HttpRequest.Builder>> all = new LinkedHashMap<>();
        var ok = GRANT + "&scope=read";
        all.put("unknown tenant", () -> authenticated("no-such-tenant", ok));
        all.put("a path segment that is no tenant id", () -> authenticated("No_Tenant", ok));
        all.put("wrong method", () -> HttpRequest.newBuilder(uri(A)).GET());
        all.put("made-up method", () -> HttpRequest.newBuilder(uri(A)).method("FOO", BodyPublishers.noBody()));
        all.put("no credentials", () -> client.tokenRequest(A, ok));
        all.put("unknown client", () -> basic(A, "nobody", Declaration.SECRET, ok));
        all.put("wrong secret", () -> basic(A, "basic", "a-wrong-secret-of-the-tests", ok));
        all.put("wrong secret in the body", () -> client.tokenRequest(A, ok + "&client_id=post&client_secret=wrong"));
        all.put("client id alone", () -> client.tokenRequest(A, ok + "&client_id=post"));
        all.put(
                "another method than registered: body",
                () -> client.tokenRequest(A, ok + "&client_id=basic&client_secret=" + Declaration.SECRET));
        all.put("another method than registered: header", () -> basic(A, "post", Declaration.SECRET, ok));
        all.put(
                "wrong secret before everything else",
                () -> basic(A, "basic", "wrong", "\0&grant_type=x&scope=a&scope=b"));
        all.put(
                "wrong secret and a secret in the body",
                () -> basic(A, "basic", "wrong", ok + "&client_secret=" + Declaration.SECRET));
        all.put("wrong secret and another's client_id", () -> basic(A, "basic", "wrong", ok + "&client_id=post"));
        all.put(
                "wrong secret and client_id twice",
                () -> basic(A, "basic", "wrong", ok + "&client_id=basic&client_id=basic"));
        all.put(
                "wrong secret with a JSON body",
                () -> HttpRequest.newBuilder(uri(A))
                        .header("Authorization", RuntimeClient.basic("basic", "wrong"))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString("{}")));
        all.put("header without Base64", () -> header("Basic !!!"));
        all.put("header without colon", () -> header("Basic " + base64("basic")));
        all.put("header without id", () -> header("Basic " + base64(":secret")));
        all.put("header that is not percent-encoded", () -> header("Basic " + base64("basic:%zz")));
        all.put(
                "header that is not UTF-8",
                () -> header("Basic " + Base64.getEncoder().encodeToString(new byte[] {'a', ':', (byte) 0xff})));
        all.put("header of another scheme", () -> header("Bearer abc"));
        all.put("empty header", () -> header(""));
        all.put("header and body at once", () -> authenticated(A, ok + "&client_secret=" + Declaration.SECRET));
        all.put("client_id is another's", () -> authenticated(A, ok + "&client_id=post"));
        all.put("client_id twice", () -> client.tokenRequest(A, ok + "&client_id=post&client_id=post&client_secret=x"));
        all.put(
                "JSON body",
                () -> HttpRequest.newBuilder(uri(A))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString("{\"grant_type\":\"client_credentials\"}")));
        all.put(
                "JSON body with good credentials",
                () -> HttpRequest.newBuilder(uri(A))
                        .header("Authorization", RuntimeClient.basic("basic", Declaration.SECRET))
                        .header("Content-Type", "application/json; charset=utf-8")
                        .POST(BodyPublishers.ofString("{}")));
        all.put(
                "no content type",
                () -> HttpRequest.newBuilder(uri(A))
                        .header("Authorization", RuntimeClient.basic("basic", Declaration.SECRET))
                        .POST(BodyPublishers.ofString(ok)));
        all.put("NUL", () -> authenticated(A, ok + "&x=a\0b"));
        all.put("encoded NUL", () -> authenticated(A, ok + "&x=%00"));
        all.put("NUL in the client id", () -> client.tokenRequest(A, ok + "&client_id=a%00b&client_secret=x"));
        all.put("broken percent-encoding", () -> authenticated(A, ok + "&x=%4"));
        all.put("not UTF-8", () -> authenticated(A, ok + "&x=%ff"));
        all.put("repeated scope", () -> authenticated(A, ok + "&scope=write"));
        all.put("repeated grant_type", () -> authenticated(A, ok + "&" + GRANT));
        all.put("repeated unknown parameter", () -> authenticated(A, ok + "&<b>=1&<b>=2"));
        all.put("too many parameters", () -> authenticated(A, ok + "&a=1".repeat(300)));
        all.put("long form", () -> authenticated(A, ok + "&x=" + "x".repeat(300_000)));
        all.put("no grant_type", () -> authenticated(A, "scope=read"));
        all.put("empty body", () -> authenticated(A, ""));
        all.put("unsupported grant", () -> authenticated(A, "grant_type=password&scope=read"));
        all.put("no scope", () -> authenticated(A, GRANT));
        all.put("no scope that remains", () -> authenticated(A, GRANT + "&scope=admin+root"));
        all.put("malformed scope", () -> authenticated(A, GRANT + "&scope=read%22"));
        all.put("more than 10 MB", () -> authenticated(A, "x".repeat(Call.MAX_BODY + 1)));
        all.put("unknown path", () -> HttpRequest.newBuilder(client.publicUri("/" + A + "/v1/token")));
        all.put("trailing slash", () -> HttpRequest.newBuilder(client.publicUri("/" + A + "/v1/tokens/")));
        all.put("root", () -> HttpRequest.newBuilder(client.publicUri("/")));
        all.put(
                "management is not public",
                () -> HttpRequest.newBuilder(client.publicUri("/management/v1/tenants/" + A)));
        return all;
    }

    private java.net.URI uri(String tenant) {
        return client.publicUri("/" + tenant + "/v1/tokens");
    }

    private HttpRequest.Builder basic(String tenant, String id, String secret, String form) {
        return client.tokenRequest(tenant, form).header("Authorization", RuntimeClient.basic(id, secret));
    }

    private HttpRequest.Builder authenticated(String tenant, String form) {
        return basic(tenant, "basic", Declaration.SECRET, form);
    }

    private HttpRequest.Builder header(String value) {
        return HttpRequest.newBuilder(uri(A))
                .header("Authorization", value)
                .header("Content-Type", FORM)
                .POST(BodyPublishers.ofString(GRANT + "&scope=read"));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
