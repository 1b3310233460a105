package dev.sekisho.idp.oauth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sekisho.idp.testing.Assertions;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientKeysTest {
    private static final Map<String, Object> EC = Assertions.signer("ES256").jwk();

    private static ClientKeys.UnusableException refusal(String jwks) {
        var refusal = catchThrowableOfType(ClientKeys.UnusableException.class, () -> ClientKeys.parse(jwks));
        assertThat(refusal).as("it was taken: %s", jwks).isNotNull();
        return refusal;
    }

    private static String set(Object... keys) {
        return Assertions.json(Map.of("keys", keys));
    }

    private static Map<String, Object> with(String name, Object value) {
        var jwk = new LinkedHashMap<>(EC);
        jwk.put(name, value);
        return jwk;
    }

    @ParameterizedTest
    @ValueSource(strings = {"ES256", "ES384", "PS256", "RS256", "EdDSA"})
    void keysOfEveryKindAreTaken(String algorithm) {
        var jwk = new LinkedHashMap<>(Assertions.signer(algorithm).jwk());
        jwk.put("alg", algorithm);
        jwk.put("use", "sig");
        assertThatCode(() -> ClientKeys.parse(set(jwk))).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "null", "[]", "{}", "{\"keys\":{}}", "{\"keys\":[]}", "{\"keys\":null}", "x"})
    void whatIsNoSetOfKeysIsRefused(String jwks) {
        assertThat(refusal(jwks).index()).isEqualTo(-1);
    }

    @Test
    void aSetHoldsAtMostTwentyKeys() {
        assertThat(refusal(set(Collections.nCopies(21, EC).toArray())).problem())
                .contains("1 to 20");
    }

    @Test
    void twoKeysDoNotShareAKid() {
        var refusal = refusal(set(EC, Assertions.signer("ES256").jwk()));
        assertThat(refusal.index()).isEqualTo(1);
        assertThat(refusal.problem()).contains("kid of another");
    }

    @Test
    void aShortRsaKeyIsRefused() {
        assertThat(refusal(set(Assertions.signer("RS256", 1024).jwk())).problem())
                .contains("2048");
    }

    @Test
    void anRsaExponentThatIsEvenOrOneIsRefused() {
        for (var exponent : List.of("AQ", "Ag", "AQABAQABAQABAQAB")) {
            var jwk = new LinkedHashMap<>(Assertions.signer("RS256").jwk());
            jwk.put("e", exponent);
            refusal(set(jwk));
        }
    }

    @Test
    void aPointThatIsNotOnTheCurveIsRefused() {
        refusal(set(with("x", String.valueOf(EC.get("y")))));
    }

    @Test
    void aPrivateKeyIsRefusedAndNotRepeated() {
        var refusal = refusal(set(with("d", "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3I")));
        assertThat(refusal.problem()).contains("private").doesNotContain("c2Vj");
    }

    @Test
    void keysForOtherThingsAreRefused() {
        refusal(set(with("use", "enc")));
        refusal(set(with("alg", "ES384")));
        refusal(set(with("alg", "HS256")));
        refusal(set(with("crv", "secp256k1")));
        refusal(set(Map.of("kty", "oct", "k", "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3I")));
        refusal(set(Map.of("kty", "OKP", "crv", "X25519", "x", "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LXNlY3I")));
        refusal(set(Map.of("kty", "OKP", "crv", "Ed25519", "x", "c2hvcnQ")));
        refusal(set("text"));
        refusal(set(Map.of()));
    }
}
