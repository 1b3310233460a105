package dev.sekisho.idp.tenant;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** A JSON document kept as the bytes that are sent, with its entity tag (RFC 9110, section 8.8.3). */
public final class Document {
    private final byte[] bytes;
    private final String etag;

    public Document(byte[] bytes) {
        this.bytes = bytes.clone();
        try {
            var hash = MessageDigest.getInstance("SHA-256").digest(bytes);
            this.etag = '"'
                    + Base64.getUrlEncoder()
                            .withoutPadding()
                            .encodeToString(hash)
                            .substring(0, 22)
                    + '"';
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }

    /** The bytes themselves, not a copy: callers only send them. */
    public byte[] bytes() {
        return bytes;
    }

    /** The strong entity tag, with its quotes. */
    public String etag() {
        return etag;
    }
}
