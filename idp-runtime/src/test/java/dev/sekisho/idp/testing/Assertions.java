package dev.sekisho.idp.testing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/** Makes client assertions as a client would, and wrong ones too; with the JDK alone, so that no library is in the way. */
public final class Assertions {
    private static final JsonMapper JSON = new JsonMapper();
    public static final String TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

    private Assertions() {}

    /** A key pair of a client and what assertions that it signs say of it. */
    public record Signer(String kid, String algorithm, KeyPair pair) {
        /** The public half as a JWK with its kid. */
        public Map<String, Object> jwk() {
            var jwk = new LinkedHashMap<String, Object>();
            switch (pair.getPublic()) {
                case RSAPublicKey rsa -> {
                    jwk.put("kty", "RSA");
                    jwk.put(
                            "n",
                            encode(unsigned(rsa.getModulus(), (rsa.getModulus().bitLength() + 7) / 8)));
                    jwk.put("e", encode(rsa.getPublicExponent().toByteArray()));
                }
                case ECPublicKey ec -> {
                    int size = (ec.getParams().getCurve().getField().getFieldSize() + 7) / 8;
                    jwk.put("kty", "EC");
                    jwk.put("crv", "P-" + size * 8);
                    jwk.put("x", encode(unsigned(ec.getW().getAffineX(), size)));
                    jwk.put("y", encode(unsigned(ec.getW().getAffineY(), size)));
                }
                case EdECPublicKey ed -> {
                    jwk.put("kty", "OKP");
                    jwk.put("crv", "Ed25519");
                    var encoded = ed.getEncoded();
                    jwk.put("x", encode(Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length)));
                }
                default -> throw new IllegalArgumentException("no JWK");
            }
            jwk.put("kid", kid);
            return jwk;
        }

        public String jwks() {
            return json(Map.of("keys", new Object[] {jwk()}));
        }

        public Map<String, Object> header() {
            var header = new LinkedHashMap<String, Object>();
            header.put("alg", algorithm);
            header.put("kid", kid);
            return header;
        }

        public String sign(Map<String, ?> header, Map<String, ?> claims) {
            return signParts(encode(json(header)), encode(json(claims)));
        }

        /** Signs two parts as they are. */
        public String signParts(String header, String payload) {
            var signed = header + "." + payload;
            try {
                var signature = Signature.getInstance(
                        switch (algorithm) {
                            case "ES256" -> "SHA256withECDSAinP1363Format";
                            case "ES384" -> "SHA384withECDSAinP1363Format";
                            case "RS256" -> "SHA256withRSA";
                            case "PS256" -> "RSASSA-PSS";
                            case "EdDSA" -> "Ed25519";
                            default -> throw new IllegalArgumentException(algorithm);
                        });
                if (algorithm.equals("PS256")) {
                    signature.setParameter(new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1));
                }
                signature.initSign(pair.getPrivate());
                signature.update(signed.getBytes(StandardCharsets.US_ASCII));
                return signed + "." + encode(signature.sign());
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }

        /** An assertion that is right in every way, with a jti of its own. */
        public String valid(String clientId, String audience) {
            return sign(header(), claims(clientId, audience, Instant.now()));
        }
    }

    /** A new key pair for an algorithm. */
    public static Signer signer(String algorithm) {
        return signer(algorithm, 2048);
    }

    /** A new key pair, of so many bits where the algorithm lets one choose. */
    public static Signer signer(String algorithm, int bits) {
        try {
            var generator = KeyPairGenerator.getInstance(
                    switch (algorithm) {
                        case "ES256", "ES384" -> "EC";
                        case "EdDSA" -> "Ed25519";
                        default -> "RSA";
                    });
            switch (algorithm) {
                case "ES256" -> generator.initialize(new ECGenParameterSpec("secp256r1"));
                case "ES384" -> generator.initialize(new ECGenParameterSpec("secp384r1"));
                case "EdDSA" -> {}
                default -> generator.initialize(bits);
            }
            return new Signer("key-of-" + algorithm, algorithm, generator.generateKeyPair());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The claims of a right assertion. */
    public static Map<String, Object> claims(String clientId, String audience, Instant now) {
        var claims = new LinkedHashMap<String, Object>();
        claims.put("iss", clientId);
        claims.put("sub", clientId);
        claims.put("aud", audience);
        claims.put("jti", UUID.randomUUID().toString());
        claims.put("iat", now.getEpochSecond());
        claims.put("exp", now.getEpochSecond() + 60);
        return claims;
    }

    private static byte[] unsigned(BigInteger number, int size) {
        var bytes = number.toByteArray();
        var fixed = new byte[size];
        int length = Math.min(size, bytes.length);
        System.arraycopy(bytes, bytes.length - length, fixed, size - length, length);
        return fixed;
    }

    public static String encode(String text) {
        return encode(text.getBytes(StandardCharsets.UTF_8));
    }

    public static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    public static String json(Object value) {
        try {
            return JSON.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }
}
