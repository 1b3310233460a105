package dev.sekisho.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sekisho.idp.testing.Assertions;
import dev.sekisho.idp.testing.Assertions.Signer;
import dev.sekisho.idp.testing.Declaration;
import dev.sekisho.idp.testing.Environment;
import dev.sekisho.idp.testing.RuntimeClient;
import dev.sekisho.idp.testing.RuntimeClient.Reply;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two replicas with one Redis, on servers of their own, for Redis is stopped. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PrivateKeyJwtIT {
    private static final String TENANT = "signing";
    private static final String OTHER_TENANT = "signing-too";
    private static final Signer KEY = Assertions.signer("ES256");

    private final Environment environment = Environment.own();
    private final IdpRuntime one = environment.runtime();
    private final IdpRuntime other = environment.runtime();
    private final RuntimeClient atOne = environment.client(one);
    private final RuntimeClient atOther = environment.client(other);
    private String issuer;

    @BeforeAll
    void declare() {
        for (var tenant : List.of(TENANT, OTHER_TENANT)) {
            var reply = atOne.put(Declaration.of(tenant)
                    .signingClient("app", KEY.jwks(), "read")
                    .client("secretive", "client_secret_basic", "read")
                    .client("poster", "client_secret_post", "read"));
            assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        }
        issuer = issuer(TENANT);
    }

    @AfterAll
    void stop() {
        atOne.close();
        atOther.close();
        one.close();
        other.close();
        environment.close();
    }

    private String issuer(String tenant) {
        return atOne.get("/" + tenant + "/.well-known/openid-configuration")
                .json()
                .path("issuer")
                .asText();
    }

    private static Map<String, String> parameters(String assertion) {
        var parameters = new LinkedHashMap<String, String>();
        parameters.put("grant_type", "client_credentials");
        parameters.put("scope", "read");
        parameters.put("client_assertion_type", Assertions.TYPE);
        parameters.put("client_assertion", assertion);
        return parameters;
    }

    private static Reply token(RuntimeClient at, String tenant, Map<String, String> parameters) {
        return at.send(at.tokenRequest(tenant, RuntimeClient.form(parameters)));
    }

    private static Reply token(RuntimeClient at, String assertion) {
        return token(at, TENANT, parameters(assertion));
    }

    private static void refused(Reply reply) {
        assertThat(reply.status()).as(reply.body()).isEqualTo(401);
        assertThat(reply.error()).isEqualTo("invalid_client");
        assertThat(reply.header("Cache-Control")).isEqualTo("no-store");
    }

    @Test
    void anAssertionGivesATokenOnceAndIsRefusedByEveryReplicaThen() {
        var assertion = KEY.valid("app", issuer);
        var reply = token(atOne, assertion);
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        assertThat(reply.json().path("access_token").asText()).isNotEmpty();
        refused(token(atOther, assertion));
        refused(token(atOne, assertion));
        assertThat(token(atOther, KEY.valid("app", issuer)).status()).isEqualTo(200);
    }

    @Test
    void ofManyAtOnceOneWins() throws Exception {
        var assertion = KEY.valid("app", issuer);
        var unknown = new AtomicInteger();
        var calls = new ArrayList<Callable<Integer>>();
        for (int i = 0; i < 20; i++) {
            var at = i % 2 == 0 ? atOne : atOther;
            calls.add(() -> {
                int status = token(at, assertion).status();
                // A machine with much else to do: Redis was not heard in time.
                for (int again = 0; status == 503 && again < 30; again++) {
                    unknown.incrementAndGet();
                    status = token(at, assertion).status();
                }
                return status;
            });
        }
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var statuses = new ArrayList<Integer>();
            for (var call : threads.invokeAll(calls)) {
                statuses.add(call.get());
            }
            assertThat(statuses).isSubsetOf(200, 401);
            // Whose answer got lost may have been the first; then nobody wins. Two never do.
            assertThat(Collections.frequency(statuses, 200)).isBetween(unknown.get() == 0 ? 1 : 0, 1);
        }
    }

    @Test
    void oneIdMayBeUsedInTwoTenants() {
        for (var tenant : List.of(TENANT, OTHER_TENANT)) {
            var claims = Assertions.claims("app", issuer(tenant), Instant.now());
            claims.put("jti", "the same in both");
            assertThat(token(atOne, tenant, parameters(KEY.sign(KEY.header(), claims)))
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void anAssertionForOneTenantIsNoneForAnother() {
        refused(token(atOne, OTHER_TENANT, parameters(KEY.valid("app", issuer))));
    }

    @Test
    void aRefusedAssertionUsesUpNothing() {
        var assertion = KEY.valid("app", issuer);
        refused(token(atOne, assertion.substring(0, assertion.length() - 8) + "AAAAAAAA"));
        assertThat(token(atOne, assertion).status()).isEqualTo(200);
    }

    @Test
    void theClientIdMayBeSentAndMustBeTheSame() {
        var parameters = parameters(KEY.valid("app", issuer + "/v1/tokens"));
        parameters.put("client_id", "secretive");
        refused(token(atOne, TENANT, parameters));
        parameters.put("client_id", "app");
        assertThat(token(atOne, TENANT, parameters).status()).isEqualTo(200);
    }

    @Test
    void aClientAuthenticatesByItsOwnMethodOnly() {
        refused(token(atOne, KEY.valid("secretive", issuer)));
        refused(token(atOne, KEY.valid("nobody", issuer)));
        refused(atOne.token(TENANT, "app", Declaration.SECRET, "grant_type=client_credentials"));
        refused(token(
                atOne,
                TENANT,
                Map.of("grant_type", "client_credentials", "client_id", "app", "client_secret", Declaration.SECRET)));
        refused(token(atOne, TENANT, Map.of("grant_type", "client_credentials", "client_id", "app")));
    }

    @Test
    void twoWaysAtOnceAreRefused() {
        var parameters = parameters(KEY.valid("app", issuer));
        parameters.put("client_secret", Declaration.SECRET);
        var both = token(atOne, TENANT, parameters);
        assertThat(both.status()).as(both.body()).isEqualTo(400);
        assertThat(both.error()).isEqualTo("invalid_request");
        var withHeader = atOne.token(
                TENANT,
                "secretive",
                Declaration.SECRET,
                RuntimeClient.form(parameters(KEY.valid("secretive", issuer))));
        assertThat(withHeader.status()).isEqualTo(400);
        assertThat(withHeader.error()).isEqualTo("invalid_request");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "jwt-bearer",
                "urn:ietf:params:oauth:client-assertion-type:saml2-bearer",
                "URN:IETF:PARAMS:OAUTH:CLIENT-ASSERTION-TYPE:JWT-BEARER",
                "urn:ietf:params:oauth:client-assertion-type:jwt-bearer "
            })
    void anotherTypeOfAssertionIsRefused(String type) {
        var parameters = parameters(KEY.valid("app", issuer));
        parameters.put("client_assertion_type", type);
        refused(token(atOne, TENANT, parameters));
    }

    @Test
    void aRepeatedAssertionIsRefused() {
        var form = RuntimeClient.form(parameters(KEY.valid("app", issuer)));
        var reply = atOne.send(atOne.tokenRequest(TENANT, form + "&client_assertion=x"));
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.json().path("error_description").asText()).contains("client_assertion");
    }

    @Test
    void malformedAssertionsOfAllShapesAreRefusedAndNoneIsAFault() {
        var valid = KEY.valid("app", issuer);
        var parts = valid.split("\\.", -1);
        var bad = new ArrayList<>(List.of(
                ".",
                "..",
                "...",
                "a.b.c",
                "null",
                "{}",
                "é.é.é",
                "\u0001",
                valid + ".",
                "." + valid,
                valid + "=",
                parts[0] + "." + parts[1] + ".",
                parts[0] + ".." + parts[2],
                "." + parts[1] + "." + parts[2],
                "A".repeat(16_384),
                "A".repeat(200_000),
                ".".repeat(16_384),
                "A.".repeat(8_000)));
        for (var json : List.of(
                "null",
                "[]",
                "1",
                "\"x\"",
                "{",
                "{}",
                "{}x",
                "{\"alg\":null}",
                "{\"alg\":\"none\"}",
                "{\"alg\":{}}",
                "[".repeat(5000),
                "{\"a\":".repeat(1500),
                "{\"alg\":1e999}")) {
            bad.add(KEY.signParts(Assertions.encode(json), parts[1]));
            bad.add(KEY.signParts(parts[0], Assertions.encode(json)));
        }
        for (var claim : List.of("iss", "sub", "aud", "exp", "iat", "nbf", "jti")) {
            for (var value : List.of(Map.of(), List.of(List.of()), true, 1e300, -1, "\u0000\ud83d\ude00", "")) {
                var claims = Assertions.claims("app", issuer, Instant.now());
                claims.put(claim, value);
                if (!(claim.equals("jti") && value.equals("\u0000\ud83d\ude00"))) {
                    bad.add(KEY.sign(KEY.header(), claims));
                }
            }
        }
        bad.forEach(assertion -> refused(token(atOne, assertion)));
        assertThat(token(atOne, valid).status()).isEqualTo(200);
    }

    @Test
    void aReplacedKeyStopsAndTheNewOneWorks() {
        var tenant = Declaration.freshId("rotated");
        var next = Assertions.signer("EdDSA");
        atOne.put(Declaration.of(tenant).signingClient("app", KEY.jwks(), "read"));
        var at = issuer(tenant);
        assertThat(token(atOne, tenant, parameters(KEY.valid("app", at))).status())
                .isEqualTo(200);
        var changed = Declaration.of(tenant).signingClient("app", next.jwks(), "read");
        assertThat(atOne.put(changed).json().path("changed").asBoolean()).isTrue();
        assertThat(atOne.put(changed).json().path("changed").asBoolean()).isFalse();
        refused(token(atOne, tenant, parameters(KEY.valid("app", at))));
        assertThat(token(atOne, tenant, parameters(next.valid("app", at))).status())
                .isEqualTo(200);
    }

    @Test
    void withoutRedisAssertionsGet503AndSecretsGoOnWorking() {
        environment.redis().stop();
        try {
            for (int i = 0; i < 3; i++) {
                var reply = token(i % 2 == 0 ? atOne : atOther, KEY.valid("app", issuer));
                assertThat(reply.status()).as(reply.body()).isEqualTo(503);
                assertThat(reply.error()).isEqualTo("temporarily_unavailable");
                assertThat(reply.header("Retry-After")).isNotEmpty();
                assertThat(atOne.token(
                                        TENANT,
                                        "secretive",
                                        Declaration.SECRET,
                                        "grant_type=client_credentials&scope=read")
                                .status())
                        .isEqualTo(200);
            }
            // Who cannot authenticate learns nothing of it.
            refused(token(atOne, Assertions.signer("ES256").valid("app", issuer)));
        } finally {
            environment.redis().restart();
        }
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> token(atOne, KEY.valid("app", issuer)).status() == 200
                        && token(atOther, KEY.valid("app", issuer)).status() == 200);
    }
}
