package dev.sekisho.idp.oauth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sekisho.idp.testing.Assertions;
import dev.sekisho.idp.testing.Assertions.Signer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each rule for client assertions, broken alone. */
class ClientAssertionTest {
    private static final Instant NOW = Instant.parse("2026-05-01T12:00:00Z");
    private static final long SECONDS = NOW.getEpochSecond();
    private static final String ISSUER = "https://idp.example/t";
    private static final Set<String> AUDIENCES = Set.of(ISSUER, ISSUER + "/v1/tokens");
    private static final Signer KEY = Assertions.signer("ES256");
    private static final ClientKeys KEYS = keys(KEY.jwks());

    private static ClientKeys keys(String jwks) {
        try {
            return ClientKeys.parse(jwks);
        } catch (ClientKeys.UnusableException e) {
            throw new AssertionError(e);
        }
    }

    private static Map<String, Object> claims() {
        return Assertions.claims("app", ISSUER, NOW);
    }

    private static ClientAssertion.Use verify(String assertion) {
        return verify(assertion, KEYS);
    }

    private static ClientAssertion.Use verify(String assertion, ClientKeys keys) {
        return ClientAssertion.parse(assertion).verify(keys, AUDIENCES, NOW);
    }

    private static OAuthException refusal(String assertion) {
        return refusal(assertion, KEYS);
    }

    private static OAuthException refusal(String assertion, ClientKeys keys) {
        var refusal = catchThrowableOfType(OAuthException.class, () -> verify(assertion, keys));
        assertThat(refusal).as("it was taken").isNotNull();
        assertThat(refusal.error()).isEqualTo(OAuthError.INVALID_CLIENT);
        return refusal;
    }

    private static void refusedWithoutAWord(String assertion) {
        assertThat(refusal(assertion).description()).isEqualTo(OAuthError.INVALID_CLIENT.description());
    }

    // --- What is taken

    @ParameterizedTest
    @ValueSource(strings = {"ES256", "ES384", "PS256", "RS256", "EdDSA"})
    void everyAlgorithmWorksWithItsKindOfKey(String algorithm) {
        var signer = Assertions.signer(algorithm);
        var claims = claims();
        var use = verify(signer.sign(signer.header(), claims), keys(signer.jwks()));
        assertThat(use.jti()).isEqualTo(claims.get("jti"));
        assertThat(use.expiresAt()).isEqualTo(NOW.plusSeconds(60));
    }

    static Stream<Arguments> taken() {
        return Stream.of(
                taken("aud is one of several", c -> c.put("aud", List.of("https://other.example", ISSUER))),
                taken("aud is the token endpoint", c -> c.put("aud", ISSUER + "/v1/tokens")),
                taken("exp is an hour ahead", c -> c.put("exp", SECONDS + 3600)),
                taken("exp went by within the leeway", c -> c.put("exp", SECONDS - 9)),
                taken("exp has a fraction", c -> c.put("exp", SECONDS + 60.5)),
                taken("iat is ahead within the leeway", c -> c.put("iat", SECONDS + 10)),
                taken("nbf is ahead within the leeway", c -> c.put("nbf", SECONDS + 10)),
                taken("there is no iat", c -> c.remove("iat")),
                taken("jti is as long as may be", c -> c.put("jti", "j".repeat(256))),
                taken("there are other claims", c -> c.put("x", Map.of("y", List.of(1, true)))));
    }

    private static Arguments taken(String rule, Consumer<Map<String, Object>> change) {
        return Arguments.of(rule, change);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("taken")
    void whatTheRulesAllowIsTaken(String rule, Consumer<Map<String, Object>> change) {
        var claims = claims();
        change.accept(claims);
        assertThat(verify(KEY.sign(KEY.header(), claims)).jti()).isEqualTo(claims.get("jti"));
    }

    // --- Claims: rule, change, what the owner of the key is told

    static Stream<Arguments> refused() {
        return Stream.of(
                refused("aud is missing", c -> c.remove("aud"), "aud"),
                refused("aud is another server", c -> c.put("aud", "https://other.example"), "aud"),
                refused("aud only begins like the issuer", c -> c.put("aud", ISSUER + "x"), "aud"),
                refused("aud is another tenant", c -> c.put("aud", "https://idp.example/u"), "aud"),
                refused("aud is a number", c -> c.put("aud", 1), "aud"),
                refused("aud is an empty list", c -> c.put("aud", List.of()), "aud"),
                refused("aud holds no texts", c -> c.put("aud", List.of(1, Map.of())), "aud"),
                refused("exp is missing", c -> c.remove("exp"), "exp is missing"),
                refused("exp went by", c -> c.put("exp", SECONDS - 10), "expired"),
                refused("exp is too far ahead", c -> c.put("exp", SECONDS + 3611), "60 minutes"),
                refused("exp is a text", c -> c.put("exp", Long.toString(SECONDS + 60)), "exp is no time"),
                refused("exp is null", c -> c.put("exp", null), "exp is no time"),
                refused("exp is beyond all times", c -> c.put("exp", 1e300), "exp is no time"),
                refused("exp is in milliseconds", c -> c.put("exp", (SECONDS + 60) * 1000), "exp is no time"),
                refused("exp is negative", c -> c.put("exp", -1), "exp is no time"),
                refused("iat is in the future", c -> c.put("iat", SECONDS + 11), "iat is in the future"),
                refused("iat is no time", c -> c.put("iat", true), "iat is no time"),
                refused("nbf is in the future", c -> c.put("nbf", SECONDS + 11), "nbf is in the future"),
                refused("nbf is no time", c -> c.put("nbf", Map.of()), "nbf is no time"),
                refused("jti is missing", c -> c.remove("jti"), "jti"),
                refused("jti is empty", c -> c.put("jti", ""), "jti"),
                refused("jti is too long", c -> c.put("jti", "j".repeat(257)), "jti"),
                refused("jti is a number", c -> c.put("jti", 7), "jti"));
    }

    private static Arguments refused(String rule, Consumer<Map<String, Object>> change, String said) {
        return Arguments.of(rule, change, said);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refused")
    void aWrongClaimIsRefusedAndNamedToWhoeverHasTheKey(
            String rule, Consumer<Map<String, Object>> change, String said) {
        var claims = claims();
        change.accept(claims);
        var description = refusal(KEY.sign(KEY.header(), claims)).description();
        assertThat(description).contains(said);
        // RFC 6749, section 5.2.
        assertThat(description).matches("[\\x20-\\x21\\x23-\\x5B\\x5D-\\x7E]+");
    }

    @Test
    void issuerAndSubjectMustBeTheSame() {
        for (var claim : List.of("iss", "sub")) {
            for (var value : new Object[] {"other", "", 1, List.of("app")}) {
                var claims = claims();
                claims.put(claim, value);
                refusedWithoutAWord(KEY.sign(KEY.header(), claims));
            }
            var claims = claims();
            claims.remove(claim);
            refusedWithoutAWord(KEY.sign(KEY.header(), claims));
        }
    }

    // --- Header and signature

    @Test
    void anUnsignedAssertionIsRefused() {
        var payload = Assertions.encode(Assertions.json(claims()));
        for (var alg : List.of("none", "None", "NONE", "")) {
            var header = Assertions.encode(Assertions.json(Map.of("alg", alg)));
            refusedWithoutAWord(header + "." + payload + ".");
            refusedWithoutAWord(header + "." + payload + ".AA");
            refusedWithoutAWord(header + "." + payload);
        }
    }

    @Test
    void aSignatureWithThePublicKeyAsASharedSecretIsRefused() throws Exception {
        var signed = Assertions.encode(Assertions.json(Map.of("alg", "HS256", "kid", KEY.kid()))) + "."
                + Assertions.encode(Assertions.json(claims()));
        for (var secret : List.of(
                KEY.jwks().getBytes(StandardCharsets.UTF_8),
                KEY.pair().getPublic().getEncoded())) {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            var tag = mac.doFinal(signed.getBytes(StandardCharsets.US_ASCII));
            refusedWithoutAWord(signed + "." + Assertions.encode(tag));
        }
    }

    @Test
    void anotherKeysSignatureIsRefused() {
        var other = Assertions.signer("ES256");
        refusedWithoutAWord(other.sign(KEY.header(), claims()));
    }

    @Test
    void aKeyInTheHeaderIsNotBelieved() {
        var other = Assertions.signer("ES256");
        var header = other.header();
        header.put("jwk", other.jwk());
        header.put("jku", "https://attacker.example/jwks");
        header.put("x5u", "https://attacker.example/certificate");
        refusedWithoutAWord(other.sign(header, claims()));
    }

    @Test
    void aChangedPayloadIsRefused() {
        var parts = KEY.sign(KEY.header(), claims()).split("\\.", -1);
        refusedWithoutAWord(parts[0] + "." + Assertions.encode(Assertions.json(claims())) + "." + parts[2]);
    }

    @Test
    void signaturesOfZerosAndOfOtherLengthsAreRefused() {
        var parts = KEY.sign(KEY.header(), claims()).split("\\.", -1);
        for (int length : new int[] {1, 63, 64, 65, 72, 96, 512}) {
            refusedWithoutAWord(parts[0] + "." + parts[1] + "." + Assertions.encode(new byte[length]));
        }
    }

    @Test
    void criticalHeadersAreNotUnderstood() {
        var critical = KEY.header();
        critical.put("crit", List.of("exp"));
        refusedWithoutAWord(KEY.sign(critical, claims()));
        var raw = KEY.header();
        raw.put("b64", false);
        refusedWithoutAWord(KEY.sign(raw, claims()));
    }

    @Test
    void anAlgorithmThatTheKeyIsNotForIsRefused() {
        var rsa = Assertions.signer("RS256");
        var pss = new Signer(rsa.kid(), "PS256", rsa.pair());
        var jwk = new LinkedHashMap<>(rsa.jwk());
        assertThat(verify(pss.sign(pss.header(), claims()), keys(set(jwk)))).isNotNull();
        jwk.put("alg", "RS256");
        refusal(pss.sign(pss.header(), claims()), keys(set(jwk)));
        var lying = new LinkedHashMap<>(KEY.header());
        lying.put("alg", "ES384");
        refusedWithoutAWord(KEY.sign(lying, claims()));
    }

    @Test
    void anAssertionThatIsTooLongIsRefused() {
        var claims = claims();
        claims.put("x", "y".repeat(ClientAssertion.LONGEST));
        refusedWithoutAWord(KEY.sign(KEY.header(), claims));
    }

    // --- Choice of the key

    private static String set(Object... keys) {
        return Assertions.json(Map.of("keys", keys));
    }

    @Test
    void theKidChoosesTheKey() {
        var other = Assertions.signer("ES256");
        var jwk = new LinkedHashMap<>(other.jwk());
        jwk.put("kid", "second");
        var both = keys(set(KEY.jwk(), jwk));
        var header = KEY.header();
        assertThat(verify(KEY.sign(header, claims()), both)).isNotNull();
        refusal(other.sign(header, claims()), both);
        header.put("kid", "second");
        assertThat(verify(other.sign(header, claims()), both)).isNotNull();
        header.put("kid", "third");
        refusal(other.sign(header, claims()), both);
        header.put("kid", 7);
        refusal(other.sign(header, claims()), both);
    }

    @Test
    void withoutAKidTheOnlyKeyThatFitsIsMeant() {
        var header = KEY.header();
        header.remove("kid");
        var rsa = Assertions.signer("RS256");
        assertThat(verify(KEY.sign(header, claims()), keys(set(rsa.jwk(), KEY.jwk()))))
                .isNotNull();
        var second = new LinkedHashMap<>(Assertions.signer("ES256").jwk());
        second.put("kid", "second");
        refusal(KEY.sign(header, claims()), keys(set(second, KEY.jwk())));
    }

    @Test
    void aKeyWithoutAKidServesEveryKid() {
        var jwk = new LinkedHashMap<>(KEY.jwk());
        jwk.remove("kid");
        assertThat(verify(KEY.sign(KEY.header(), claims()), keys(set(jwk)))).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ES256", "ES384", "PS256", "RS256", "EdDSA"})
    void aClientWithoutKeysIsRefusedLikeOneWithAnother(String algorithm) {
        var signer = Assertions.signer(algorithm);
        var assertion = ClientAssertion.parse(signer.sign(signer.header(), claims()));
        var refusal =
                catchThrowableOfType(OAuthException.class, () -> assertion.verify(ClientKeys.NONE, AUDIENCES, NOW));
        assertThat(refusal.description()).isEqualTo(OAuthError.INVALID_CLIENT.description());
    }

    // --- Things that are no assertions

    @Test
    void whatIsNoAssertionIsRefusedAndNeverAFault() {
        var valid = KEY.sign(KEY.header(), claims());
        var parts = valid.split("\\.", -1);
        var bad = new ArrayList<>(List.of(
                "",
                ".",
                "..",
                "...",
                "a.b",
                "a.b.c",
                "a.b.c.d.e",
                "null",
                "{}",
                "é.é.é",
                valid + ".",
                "." + valid,
                valid + "=",
                valid + " ",
                valid + "\n",
                parts[0] + "." + parts[1] + "." + "A"));
        for (var json : List.of(
                "",
                "null",
                "[]",
                "1",
                "\"x\"",
                "true",
                "{",
                "{}",
                "{}x",
                "{\"alg\":null}",
                "{\"alg\":1}",
                "{\"alg\":\"ES256\",\"alg\":\"none\"}",
                "{\"alg\":\"ES256\",\"kid\":{}}",
                "\u0000",
                "\ud800",
                "[".repeat(5000),
                "{\"a\":".repeat(2000),
                "{\"alg\":" + "[".repeat(5000) + "]".repeat(5000) + "}")) {
            bad.add(KEY.signParts(Assertions.encode(json), parts[1]));
            bad.add(KEY.signParts(parts[0], Assertions.encode(json)));
        }
        bad.add(KEY.signParts(parts[0], Assertions.encode(new byte[] {'{', (byte) 0xff, '}'})));
        bad.forEach(assertion -> {
            var refusal = catchThrowableOfType(OAuthException.class, () -> verify(assertion));
            assertThat(refusal)
                    .as(assertion.substring(0, Math.min(80, assertion.length())))
                    .isNotNull();
            assertThat(refusal.error()).isEqualTo(OAuthError.INVALID_CLIENT);
        });
    }

    @Test
    void aDamagedAssertionIsRefusedAndNeverAFault() {
        var random = new SplittableRandom(20260501);
        var valid = KEY.sign(KEY.header(), claims());
        for (int i = 0; i < 3000; i++) {
            var damaged = new StringBuilder(valid);
            // The last character is spared: two of its bits mean nothing.
            for (int n = random.nextInt(1, 4); n > 0; n--) {
                int at = random.nextInt(damaged.length() - 2);
                switch (random.nextInt(3)) {
                    case 0 -> damaged.setCharAt(at, (char) random.nextInt(1, 256));
                    case 1 -> damaged.deleteCharAt(at);
                    default -> damaged.insert(at, (char) random.nextInt(1, 256));
                }
            }
            if (!damaged.toString().equals(valid)) {
                refusal(damaged.toString());
            }
        }
    }

    @Test
    void aRepeatedMemberIsRefused() {
        var payload = Assertions.json(claims());
        var repeated = payload.substring(0, payload.length() - 1) + ",\"exp\":" + (SECONDS + 60) + "}";
        refusedWithoutAWord(
                KEY.signParts(Assertions.encode(Assertions.json(KEY.header())), Assertions.encode(repeated)));
    }
}
