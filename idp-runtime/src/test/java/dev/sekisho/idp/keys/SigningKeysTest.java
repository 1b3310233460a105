package dev.sekisho.idp.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SigningKeysTest {
    private final UUID tenant = UUID.randomUUID();
    private final KeySealer sealer = new KeySealer(new byte[32]);
    private final SigningKeys corretto = new SigningKeys(sealer, CryptoProvider.best());
    private final SigningKeys jdk = new SigningKeys(sealer, CryptoProvider.jdk());

    @Test
    void correttosProviderLoadsHere() {
        assertThat(CryptoProvider.best().name()).isEqualTo("AmazonCorrettoCryptoProvider");
        assertThat(CryptoProvider.jdk().name()).isEqualTo("JDK");
    }

    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void whatEitherProviderMadeBothSignWith(Algorithm algorithm) throws Exception {
        for (var maker : List.of(corretto, jdk)) {
            var key = maker.generate(tenant, algorithm);
            for (var user : List.of(corretto, jdk)) {
                var ring = new KeyRing(tenant, List.of(key), algorithm, user);
                var token = SignedJWT.parse(ring.signAccessToken(
                        new JWTClaimsSet.Builder().subject("x").build()));
                assertThat(token.getHeader().toString())
                        .isEqualTo("{\"kid\":\"" + key.kid() + "\",\"typ\":\"at+jwt\",\"alg\":\"" + algorithm + "\"}");
                var jwk = JWKSet.parse(ring.publicJwks()).getKeyByKeyId(key.kid());
                JWSVerifier verifier = switch (algorithm) {
                    case ES256 -> new ECDSAVerifier(jwk.toECKey());
                    case RS256 -> new RSASSAVerifier(jwk.toRSAKey());
                };
                assertThat(token.verify(verifier)).isTrue();
            }
        }
    }

    @Test
    void privateHalvesNeverShow() {
        var key = jdk.generate(tenant, Algorithm.ES256);
        var opened = new String(sealer.open(key.sealed(), tenant, key.kid()), StandardCharsets.UTF_8);
        assertThat(opened).contains("\"d\"");
        assertThat(key.publicJwk()).doesNotContain("\"d\"");
        assertThat(key.toString()).doesNotContain(key.sealed());
        // A public half that somebody replaced by the private one is still published as public only.
        var leaky = new StoredKey(key.kid(), key.algorithm(), key.state(), opened, key.sealed());
        assertThat(new KeyRing(tenant, List.of(leaky), Algorithm.ES256, jdk).publicJwks())
                .doesNotContain("\"d\"");
    }

    @Test
    void aKeyOpensForItsTenantAndKidAndKeyEncryptionKeyOnly() {
        var key = jdk.generate(tenant, Algorithm.ES256);
        var other = new byte[32];
        other[0] = 1;
        assertThatThrownBy(() -> jdk.repaired(UUID.randomUUID(), key)).isInstanceOf(KeyUnusableException.class);
        assertThatThrownBy(() -> new SigningKeys(new KeySealer(other), CryptoProvider.jdk()).repaired(tenant, key))
                .isInstanceOf(KeyUnusableException.class);
        assertThatThrownBy(() -> sealer.open(key.sealed(), tenant, "other")).isInstanceOf(KeyUnusableException.class);
        var sealed = Base64.getDecoder().decode(key.sealed());
        for (int i = 0; i < sealed.length; i += 7) {
            var bent = sealed.clone();
            bent[i] ^= 1;
            assertThatThrownBy(() -> sealer.open(Base64.getEncoder().encodeToString(bent), tenant, key.kid()))
                    .isInstanceOf(KeyUnusableException.class);
        }
        for (var nonsense : List.of("", "!", "AAAA")) {
            assertThatThrownBy(() -> sealer.open(nonsense, tenant, key.kid())).isInstanceOf(KeyUnusableException.class);
        }
    }

    @Test
    void aKeyIsNeverTakenForAnother() {
        var key = jdk.generate(tenant, Algorithm.ES256);
        var rsa = new StoredKey(key.kid(), Algorithm.RS256, key.state(), key.publicJwk(), key.sealed());
        assertThatThrownBy(() -> jdk.repaired(tenant, rsa)).isInstanceOf(KeyUnusableException.class);
        var sealed = sealer.seal("{\"kty\":\"no\"}".getBytes(StandardCharsets.UTF_8), tenant, key.kid());
        var broken = new StoredKey(key.kid(), key.algorithm(), key.state(), key.publicJwk(), sealed);
        assertThatThrownBy(() -> jdk.repaired(tenant, broken)).isInstanceOf(KeyUnusableException.class);
    }

    @Test
    void noTwoSealingsAreTheSame() {
        var plain = "x".getBytes(StandardCharsets.UTF_8);
        assertThat(sealer.seal(plain, tenant, "k")).isNotEqualTo(sealer.seal(plain, tenant, "k"));
    }

    @Test
    void theKeyEncryptionKeyHas32Bytes() {
        for (int length : new int[] {0, 16, 31, 33}) {
            assertThatThrownBy(() -> new KeySealer(new byte[length])).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aRingWithoutAnActiveKeyCannotSign() {
        var key = jdk.generate(tenant, Algorithm.ES256);
        var retired = new StoredKey(key.kid(), key.algorithm(), StoredKey.State.RETIRED, key.publicJwk(), key.sealed());
        var ring = new KeyRing(tenant, List.of(retired), Algorithm.ES256, jdk);
        assertThat(ring.publicJwks()).contains(key.kid());
        assertThatThrownBy(() -> ring.signAccessToken(new JWTClaimsSet.Builder().build()))
                .isInstanceOf(KeyUnusableException.class);
    }
}
