package dev.sekisho.idp.http;

import dev.sekisho.idp.observe.Endpoint;
import java.util.Optional;

/** A request, without Helidon. */
public interface Call {
    /** The largest body, 10 MB (of 1,048,576 bytes, as the gateway counts). */
    int MAX_BODY = 10 * 1024 * 1024;

    /** The method, as sent. */
    String method();

    /** The path as sent: percent-encoded, without query. */
    String path();

    /** A query parameter's first value. */
    Optional<String> query(String name);

    /** A header's value; several are joined by commas. */
    Optional<String> header(String name);

    /** The id that log lines and the answer carry. */
    String requestId();

    /** Says what the request is for, for metrics. */
    void endpoint(Endpoint endpoint);

    /**
     * Reads the whole body, up to 10 MB, of which what is beyond {@code keep} bytes is read and dropped.
     *
     * @throws dev.sekisho.idp.oauth.OAuthException {@code payload_too_large} when it is larger than 10 MB
     */
    Body body(int keep);

    /**
     * A body that was read.
     *
     * @param bytes its first bytes, at most as many as were to be kept
     * @param whole whether that is all of it
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Body(byte[] bytes, boolean whole) {}

    /** What answers calls. */
    @FunctionalInterface
    interface Handler {
        /**
         * Answers. What it throws is answered for it: an {@code OAuthException} as that error, a
         * {@code StoreUnavailableException} as 503, anything else as 500.
         */
        Answer answer(Call call);
    }
}
