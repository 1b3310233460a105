package dev.sekisho.loadtest.js;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.Value;

/** Hashes and encodings, for {@code k6/crypto} and {@code k6/encoding}. */
public final class BytesApi {
    private static final Map<String, String> DIGESTS = Map.of(
            "md5", "MD5",
            "sha1", "SHA-1",
            "sha256", "SHA-256",
            "sha384", "SHA-384",
            "sha512", "SHA-512",
            "sha512_224", "SHA-512/224",
            "sha512_256", "SHA-512/256");

    private final GuestTools tools;

    BytesApi(GuestTools tools) {
        this.tools = tools;
    }

    @HostAccess.Export
    public byte[] hash(String algorithm, Value input) {
        return digest(algorithm).digest(tools.textOrBytes(input));
    }

    @HostAccess.Export
    public byte[] hmac(String algorithm, Value secret, Value input) {
        return mac(algorithm, tools.textOrBytes(secret)).doFinal(tools.textOrBytes(input));
    }

    @HostAccess.Export
    public Hasher newHash(String algorithm) {
        MessageDigest digest = digest(algorithm);
        return new Hasher(tools) {
            @Override
            void add(byte[] bytes) {
                digest.update(bytes);
            }

            @Override
            byte[] result() {
                try {
                    return ((MessageDigest) digest.clone()).digest();
                } catch (CloneNotSupportedException e) {
                    throw new IllegalStateException("the JDK's digests can be cloned", e);
                }
            }
        };
    }

    @HostAccess.Export
    public Hasher newHmac(String algorithm, Value secret) {
        Mac mac = mac(algorithm, tools.textOrBytes(secret));
        return new Hasher(tools) {
            @Override
            void add(byte[] bytes) {
                mac.update(bytes);
            }

            @Override
            byte[] result() {
                try {
                    return ((Mac) mac.clone()).doFinal();
                } catch (CloneNotSupportedException e) {
                    throw new IllegalStateException("the JDK's MACs can be cloned", e);
                }
            }
        };
    }

    @HostAccess.Export
    public String encode(byte[] digest, String encoding) {
        return switch (encoding) {
            case "hex" -> HexFormat.of().formatHex(digest);
            case "base64" -> Base64.getEncoder().encodeToString(digest);
            case "base64url" -> Base64.getUrlEncoder().encodeToString(digest);
            case "base64rawurl" -> Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
            default -> throw new IllegalArgumentException("invalid output encoding: " + encoding);
        };
    }

    @HostAccess.Export
    public String hex(Value data) {
        return HexFormat.of().formatHex(tools.textOrBytes(data));
    }

    @HostAccess.Export
    public String base64(Value input, String variant) {
        Base64.Encoder encoder = variant.endsWith("url") ? Base64.getUrlEncoder() : Base64.getEncoder();
        return (variant.startsWith("raw") ? encoder.withoutPadding() : encoder)
                .encodeToString(tools.textOrBytes(input));
    }

    @HostAccess.Export
    public byte[] fromBase64(String input, String variant) {
        boolean padded = input.length() % 4 == 0;
        // The JDK takes both forms; k6 insists on the one that was named.
        if (variant.startsWith("raw") ? input.endsWith("=") : !padded) {
            throw new IllegalArgumentException("illegal base64 data at input byte " + input.length());
        }
        return (variant.endsWith("url") ? Base64.getUrlDecoder() : Base64.getDecoder()).decode(input);
    }

    @HostAccess.Export
    public String fromBase64ToText(String input, String variant) {
        return new String(fromBase64(input, variant), StandardCharsets.UTF_8);
    }

    private static MessageDigest digest(String algorithm) {
        try {
            return MessageDigest.getInstance(DIGESTS.getOrDefault(algorithm, "unknown " + algorithm));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalArgumentException("invalid algorithm: " + algorithm, e);
        }
    }

    private static Mac mac(String algorithm, byte[] secret) {
        try {
            String name = "Hmac" + DIGESTS.getOrDefault(algorithm, "unknown").replace("-", "");
            Mac mac = Mac.getInstance(name);
            // The JDK refuses an empty key; a zero byte is padded to the same block (RFC 2104 section 2).
            mac.init(new SecretKeySpec(secret.length == 0 ? new byte[1] : secret, name));
            return mac;
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalArgumentException("invalid algorithm: " + algorithm, e);
        }
    }

    /** A hash that takes its input bit by bit. */
    public abstract static class Hasher {
        private final GuestTools tools;

        private Hasher(GuestTools tools) {
            this.tools = tools;
        }

        abstract void add(byte[] bytes);

        abstract byte[] result();

        @HostAccess.Export
        public void update(Value input) {
            add(tools.textOrBytes(input));
        }

        @HostAccess.Export
        public byte[] digest() {
            return result();
        }
    }
}
