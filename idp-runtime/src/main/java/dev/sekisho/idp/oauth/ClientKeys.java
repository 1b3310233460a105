package dev.sekisho.idp.oauth;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.util.JSONObjectUtils;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The public keys that a client signs assertions with. */
public final class ClientKeys {
    /** So many keys a client may have. */
    public static final int MOST = 20;

    private static final int LEAST_RSA_BITS = 2048;
    private static final int MOST_RSA_BITS = 8192;
    private static final int MOST_EXPONENT_BITS = 64;
    private static final int ED25519_BYTES = 32;
    /** What precedes the 32 bytes of a key in X.509 form (RFC 8410, section 4). */
    private static final byte[] ED25519_PREFIX = HexFormat.of().parseHex("302a300506032b6570032100");

    private record Key(Optional<String> kid, Optional<SignatureAlgorithm> algorithm, PublicKey key) {
        boolean fits(SignatureAlgorithm wanted) {
            return wanted.fits(key) && algorithm.filter(a -> a != wanted).isEmpty();
        }
    }

    /** Those of a client that has none. */
    static final ClientKeys NONE = new ClientKeys(List.of());

    private final List<Key> keys;

    private ClientKeys(List<Key> keys) {
        this.keys = List.copyOf(keys);
    }

    /**
     * A key cannot be used.
     *
     * <p>The message speaks of the key's properties by name, and repeats none of their values.
     */
    public static final class UnusableException extends Exception {
        private static final long serialVersionUID = 1L;

        private final int index;

        private UnusableException(int index, String message) {
            super(message, null, false, false);
            this.index = index;
        }

        /** Which key of the set, from 0; -1 for the set itself. */
        public int index() {
            return index;
        }

        /** What is wrong with it. */
        public String problem() {
            return String.valueOf(getMessage());
        }
    }

    /**
     * Reads a JWK Set (RFC 7517, section 5).
     *
     * @throws UnusableException when it is none, is empty or holds more than {@link #MOST}, or when one of its keys is
     *     malformed, of a kind that no {@link SignatureAlgorithm} uses, too short or has another's kid
     */
    public static ClientKeys parse(String jwks) throws UnusableException {
        List<?> all;
        try {
            // Null for the text "null".
            @Nullable Map<String, Object> set = JSONObjectUtils.parse(jwks);
            all = set != null && set.get("keys") instanceof List<?> list ? list : List.of();
        } catch (ParseException e) {
            throw new UnusableException(-1, "is no JWK Set");
        }
        if (all.isEmpty() || all.size() > MOST) {
            throw new UnusableException(-1, "must hold 1 to " + MOST + " keys");
        }
        var keys = new ArrayList<Key>();
        var kids = new HashSet<String>();
        for (int i = 0; i < all.size(); i++) {
            var key = key(i, all.get(i));
            if (key.kid().isPresent() && !kids.add(key.kid().get())) {
                throw new UnusableException(i, "has the kid of another key");
            }
            keys.add(key);
        }
        return new ClientKeys(keys);
    }

    private static Key key(int index, Object json) throws UnusableException {
        try {
            var jwk = JWK.parse(JSONObjectUtils.toJSONString(object(index, json)));
            if (jwk.isPrivate()) {
                throw new UnusableException(index, "holds a private key; whoever can read this must take it for known");
            }
            if (jwk.getKeyUse() != null && !KeyUse.SIGNATURE.equals(jwk.getKeyUse())) {
                throw new UnusableException(index, "is not for signatures");
            }
            var key = publicKey(index, jwk);
            var algorithm = jwk.getAlgorithm() == null
                    ? Optional.<SignatureAlgorithm>empty()
                    : Optional.of(SignatureAlgorithm.of(jwk.getAlgorithm().getName())
                            .filter(a -> a.fits(key))
                            .orElseThrow(() -> new UnusableException(index, "has an alg that it does not fit")));
            return new Key(Optional.ofNullable(jwk.getKeyID()), algorithm, key);
        } catch (ParseException | JOSEException | GeneralSecurityException | IllegalArgumentException e) {
            // Their messages could quote it.
            throw new UnusableException(index, "is no public JWK");
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> object(int index, Object json) throws UnusableException {
        if (json instanceof Map<?, ?> map) {
            return (Map<String, Object>) map;
        }
        throw new UnusableException(index, "is no JSON object");
    }

    private static PublicKey publicKey(int index, JWK jwk)
            throws UnusableException, JOSEException, GeneralSecurityException {
        return switch (jwk) {
            case RSAKey rsa -> strong(index, rsa.toRSAPublicKey());
            case ECKey ec
            when Curve.P_256.equals(ec.getCurve()) || Curve.P_384.equals(ec.getCurve()) -> ec.toECPublicKey();
            case OctetKeyPair okp when Curve.Ed25519.equals(okp.getCurve()) -> ed25519(index, okp.getDecodedX());
            default -> throw new UnusableException(index, "is of no kind that signs an assertion");
        };
    }

    private static PublicKey strong(int index, RSAPublicKey key) throws UnusableException {
        int bits = key.getModulus().bitLength();
        if (bits < LEAST_RSA_BITS || bits > MOST_RSA_BITS) {
            throw new UnusableException(index, "must have " + LEAST_RSA_BITS + " to " + MOST_RSA_BITS + " bits");
        }
        var exponent = key.getPublicExponent();
        if (!exponent.testBit(0)
                || exponent.compareTo(BigInteger.TWO) < 0
                || exponent.bitLength() > MOST_EXPONENT_BITS) {
            throw new UnusableException(index, "has an exponent that no key has");
        }
        return key;
    }

    private static PublicKey ed25519(int index, byte[] bytes) throws UnusableException, GeneralSecurityException {
        if (bytes.length != ED25519_BYTES) {
            throw new UnusableException(index, "must have " + ED25519_BYTES + " bytes");
        }
        var encoded = new byte[ED25519_PREFIX.length + ED25519_BYTES];
        System.arraycopy(ED25519_PREFIX, 0, encoded, 0, ED25519_PREFIX.length);
        System.arraycopy(bytes, 0, encoded, ED25519_PREFIX.length, ED25519_BYTES);
        return KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded));
    }

    /** The key that a signature must be checked with whose header names a kid: the one that has it, else the only one without. */
    Optional<PublicKey> find(SignatureAlgorithm algorithm, String kid) {
        var named = fitting(algorithm).stream()
                .filter(key -> key.kid().filter(kid::equals).isPresent())
                .toList();
        return only(named)
                .or(() -> only(fitting(algorithm).stream()
                        .filter(key -> key.kid().isEmpty())
                        .toList()));
    }

    /** The key that a signature must be checked with whose header names no kid: the only one that fits. */
    Optional<PublicKey> find(SignatureAlgorithm algorithm) {
        return only(fitting(algorithm));
    }

    private List<Key> fitting(SignatureAlgorithm algorithm) {
        return keys.stream().filter(key -> key.fits(algorithm)).toList();
    }

    private static Optional<PublicKey> only(List<Key> keys) {
        return keys.size() == 1 ? Optional.of(keys.getFirst().key()) : Optional.empty();
    }
}
