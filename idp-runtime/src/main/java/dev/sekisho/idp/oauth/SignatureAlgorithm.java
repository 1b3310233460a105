package dev.sekisho.idp.oauth;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.security.spec.RSAPublicKeySpec;
import java.util.Arrays;
import java.util.Optional;

/**
 * JWS algorithms (RFC 7518, section 3.1; RFC 8037, section 3.1) that client assertions may be signed with. There is
 * neither {@code none} nor any that uses a shared secret.
 */
public enum SignatureAlgorithm {
    ES256("ES256", "SHA256withECDSAinP1363Format", 64),
    ES384("ES384", "SHA384withECDSAinP1363Format", 96),
    PS256("PS256", "RSASSA-PSS", 0),
    RS256("RS256", "SHA256withRSA", 0),
    EDDSA("EdDSA", "Ed25519", 64);

    private static final int P256_BITS = 256;
    private static final int P384_BITS = 384;

    private final String code;
    private final String jca;
    /** Of a signature in bytes; 0 where the key decides. */
    private final int length;

    SignatureAlgorithm(String code, String jca, int length) {
        this.code = code;
        this.jca = jca;
        this.length = length;
    }

    /** The value of {@code alg}. */
    public String code() {
        return code;
    }

    /** The algorithm of a code, if it is one of these. */
    public static Optional<SignatureAlgorithm> of(String code) {
        return Arrays.stream(values()).filter(a -> a.code.equals(code)).findFirst();
    }

    /** Whether a key is of the type and the curve that this algorithm uses. */
    boolean fits(PublicKey key) {
        return switch (this) {
            case ES256 -> key instanceof ECPublicKey ec && bits(ec) == P256_BITS;
            case ES384 -> key instanceof ECPublicKey ec && bits(ec) == P384_BITS;
            case PS256, RS256 -> key instanceof RSAPublicKey;
            case EDDSA -> key instanceof EdECPublicKey;
        };
    }

    private static int bits(ECPublicKey key) {
        return key.getParams().getCurve().getField().getFieldSize();
    }

    /** Whether a signature is right. A signature that is none is not. */
    boolean verifies(PublicKey key, byte[] signed, byte[] signature) {
        if (length > 0 && signature.length != length) {
            return false;
        }
        try {
            var verifier = Signature.getInstance(jca);
            if (this == PS256) {
                verifier.setParameter(new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1));
            }
            verifier.initVerify(key);
            verifier.update(signed);
            return verifier.verify(signature);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** Does the work of {@link #verifies} for a key that is not there, so that time does not tell. */
    void pretend(byte[] signed, byte[] signature) {
        var unused = verifies(Decoys.of(this), signed, signature);
    }

    /** Public keys of nobody. */
    private static final class Decoys {
        private static final PublicKey P256 = generate("EC", "secp256r1");
        private static final PublicKey P384 = generate("EC", "secp384r1");
        private static final PublicKey ED25519 = generate("Ed25519", "");
        private static final PublicKey RSA = rsa();

        static PublicKey of(SignatureAlgorithm algorithm) {
            return switch (algorithm) {
                case ES256 -> P256;
                case ES384 -> P384;
                case PS256, RS256 -> RSA;
                case EDDSA -> ED25519;
            };
        }

        private static PublicKey generate(String type, String curve) {
            try {
                var generator = KeyPairGenerator.getInstance(type);
                if (!curve.isEmpty()) {
                    generator.initialize(new ECGenParameterSpec(curve));
                }
                return generator.generateKeyPair().getPublic();
            } catch (GeneralSecurityException e) {
                throw new AssertionError("every JDK has " + type, e);
            }
        }

        /** Any odd number of 2,048 bits will do: nobody is to sign with it. */
        private static PublicKey rsa() {
            try {
                return KeyFactory.getInstance("RSA")
                        .generatePublic(new RSAPublicKeySpec(
                                BigInteger.TWO.pow(2047).add(BigInteger.valueOf(0x10001)), BigInteger.valueOf(65_537)));
            } catch (GeneralSecurityException e) {
                throw new AssertionError("every JDK has RSA", e);
            }
        }
    }
}
