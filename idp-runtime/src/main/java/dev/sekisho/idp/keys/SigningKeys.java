package dev.sekisho.idp.keys;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.text.ParseException;
import java.util.UUID;

/** Makes, opens and checks signing keys. */
public final class SigningKeys {
    private static final int RSA_BITS = 2048;

    private final KeySealer sealer;
    private final CryptoProvider crypto;

    public SigningKeys(KeySealer sealer, CryptoProvider crypto) {
        this.sealer = sealer;
        this.crypto = crypto;
    }

    /** A new key of a tenant, ready to be stored. Takes up to a few hundred milliseconds for RS256. */
    public StoredKey generate(UUID tenant, Algorithm algorithm) {
        try {
            var jwk = switch (algorithm) {
                case ES256 -> generateEc();
                case RS256 -> generateRsa();
            };
            var sealed = sealer.seal(jwk.toJSONString().getBytes(StandardCharsets.UTF_8), tenant, jwk.getKeyID());
            return new StoredKey(
                    jwk.getKeyID(),
                    algorithm,
                    StoredKey.State.ACTIVE,
                    jwk.toPublicJWK().toJSONString(),
                    sealed);
        } catch (JOSEException e) {
            throw new IllegalStateException("cannot generate a signing key", e);
        }
    }

    private static JWK generateEc() throws JOSEException {
        return new ECKeyGenerator(Curve.P_256)
                .keyUse(KeyUse.SIGNATURE)
                .algorithm(Algorithm.ES256.jws())
                .keyIDFromThumbprint(true)
                .generate();
    }

    private JWK generateRsa() throws JOSEException {
        var generator = new RSAKeyGenerator(RSA_BITS)
                .keyUse(KeyUse.SIGNATURE)
                .algorithm(Algorithm.RS256.jws())
                .keyIDFromThumbprint(true);
        crypto.provider().ifPresent(generator::provider);
        return generator.generate();
    }

    /**
     * The stored key with its public half as the private half says.
     *
     * @throws KeyUnusableException when it does not open
     */
    public StoredKey repaired(UUID tenant, StoredKey stored) {
        var jwk = open(tenant, stored);
        return new StoredKey(
                stored.kid(),
                stored.algorithm(),
                stored.state(),
                jwk.toPublicJWK().toJSONString(),
                stored.sealed());
    }

    /**
     * A signer, which may be used by many threads.
     *
     * @throws KeyUnusableException when the key does not open
     */
    JWSSigner signer(UUID tenant, StoredKey stored) {
        try {
            return switch (open(tenant, stored)) {
                case ECKey ec -> {
                    var signer = new ECDSASigner(crypto.translate(ec.toPrivateKey()), Curve.P_256);
                    crypto.provider().ifPresent(signer.getJCAContext()::setProvider);
                    yield signer;
                }
                case RSAKey rsa -> {
                    var signer = new RSASSASigner(crypto.translate(rsa.toPrivateKey()));
                    crypto.provider().ifPresent(signer.getJCAContext()::setProvider);
                    yield signer;
                }
                default -> throw new KeyUnusableException("the stored key " + stored.kid() + " has an unknown type");
            };
        } catch (JOSEException | GeneralSecurityException e) {
            throw new KeyUnusableException("the stored key " + stored.kid() + " cannot sign", e);
        }
    }

    private JWK open(UUID tenant, StoredKey stored) {
        try {
            var jwk = JWK.parse(new String(sealer.open(stored.sealed(), tenant, stored.kid()), StandardCharsets.UTF_8));
            if (!jwk.computeThumbprint().toString().equals(stored.kid())
                    || !stored.algorithm().jws().equals(jwk.getAlgorithm())) {
                throw new KeyUnusableException("the stored key " + stored.kid() + " is another than it says");
            }
            return jwk;
        } catch (ParseException | JOSEException e) {
            // The cause could quote the key.
            throw new KeyUnusableException("the stored key " + stored.kid() + " holds no JWK");
        }
    }
}
