package dev.sekisho.idp.oauth;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * SHA-256 of a client secret. Secrets have high entropy (at least 16 characters are asked for, generated ones have 256
 * bits), so no slow hash is needed.
 */
public final class SecretHash {
    private static final int LENGTH = 32;

    private final byte[] hash;

    private SecretHash(byte[] hash) {
        this.hash = hash;
    }

    /** The hash of a secret. */
    public static SecretHash of(String secret) {
        try {
            return new SecretHash(MessageDigest.getInstance("SHA-256").digest(secret.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }

    /**
     * A hash from its 64 hexadecimal digits.
     *
     * @throws IllegalArgumentException when it is none
     */
    public static SecretHash fromHex(String hex) {
        var bytes = HexFormat.of().parseHex(hex);
        if (bytes.length != LENGTH) {
            throw new IllegalArgumentException("not a SHA-256 hash");
        }
        return new SecretHash(bytes);
    }

    /** The hash as 64 hexadecimal digits. */
    public String toHex() {
        return HexFormat.of().formatHex(hash);
    }

    /** Whether both are equal, in a time that does not depend on where they differ. */
    public boolean matches(SecretHash other) {
        return MessageDigest.isEqual(hash, other.hash);
    }

    @Override
    public String toString() {
        return "SecretHash";
    }
}
