package dev.sekisho.api.v1alpha1;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * A tenant's id and its key.
 *
 * <p>The id is what people write in a {@code Tenant} and in URLs: a UUID, or a DNS label. The key is what rows carry:
 * the UUID itself, or one derived from the label, so that no look-up stands between a URL and row-level security.
 */
public final class TenantIds {
    /** A DNS label (RFC 1123, so also each lower-case UUID). */
    public static final String PATTERN = "^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$";

    /** How the ids of a LoadTest's tenants begin, and those of no other. */
    public static final String LOAD_TEST_PREFIX = "lt-";

    private static final Pattern ID = Pattern.compile(PATTERN);
    private static final Pattern UUID_FORM =
            Pattern.compile("^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$");

    private TenantIds() {}

    /** Whether the text can be a tenant's id. */
    public static boolean isValid(String tenantId) {
        return tenantId.length() <= 63 && ID.matcher(tenantId).matches();
    }

    /**
     * The key of a tenant: the id itself when it is a UUID, else the UUIDv8 (RFC 9562, section 5.8) made of the first
     * 128 bits of SHA-256 over {@code sekisho.dev/tenant/<id>}.
     *
     * @throws IllegalArgumentException when the text is no tenant id
     */
    public static UUID key(String tenantId) {
        if (!isValid(tenantId)) {
            throw new IllegalArgumentException("not a tenant id");
        }
        if (UUID_FORM.matcher(tenantId).matches()) {
            return UUID.fromString(tenantId);
        }
        var hash = ByteBuffer.wrap(sha256("sekisho.dev/tenant/" + tenantId));
        long high = (hash.getLong() & 0xffff_ffff_ffff_0fffL) | 0x8000L;
        long low = (hash.getLong() & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }
}
