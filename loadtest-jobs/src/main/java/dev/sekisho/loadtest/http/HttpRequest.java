package dev.sekisho.loadtest.http;

/**
 * One request.
 *
 * @param method in upper case
 * @param url where to
 * @param headers as the script set them; Host and Content-Length are added when it is sent
 * @param body its bytes; empty for none
 * @param hasBody whether there is a body, be it an empty one
 */
@SuppressWarnings("ArrayRecordComponent") // the body is made once and never changed
public record HttpRequest(String method, Url url, Headers headers, byte[] body, boolean hasBody) {
    private static final byte[] NOTHING = new byte[0];

    /** A request without a body. */
    public static HttpRequest bodiless(String method, Url url, Headers headers) {
        return new HttpRequest(method, url, headers, NOTHING, false);
    }

    /** Whether it may be sent again when the connection broke before a response came (RFC 9110 section 9.2.2). */
    boolean replayable() {
        return switch (method) {
            case "GET", "HEAD", "OPTIONS", "TRACE" -> true;
            default -> headers.has("Idempotency-Key");
        };
    }
}
