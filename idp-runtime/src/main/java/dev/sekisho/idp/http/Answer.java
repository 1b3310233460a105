package dev.sekisho.idp.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sekisho.idp.oauth.OAuthError;
import dev.sekisho.idp.oauth.OAuthException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An answer: what {@code http} sends.
 *
 * @param contentType media type; empty when there is no body
 * @param headers further headers
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Answer(int status, String contentType, byte[] body, Map<String, String> headers) {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String JSON_TYPE = "application/json";
    private static final byte[] EMPTY = new byte[0];

    public Answer {
        headers = Map.copyOf(headers);
    }

    /** A JSON document. */
    public static Answer json(int status, byte[] body) {
        return new Answer(status, JSON_TYPE, body, Map.of());
    }

    /** An object as JSON. */
    public static Answer json(int status, Object body) {
        try {
            return json(status, JSON.writeValueAsBytes(body));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot write an answer as JSON", e);
        }
    }

    /** No body. */
    public static Answer empty(int status) {
        return new Answer(status, "", EMPTY, Map.of());
    }

    /** An error as {@code {error, error_description}} (RFC 6749, section 5.2), never stored by caches. */
    public static Answer error(OAuthError error, String description) {
        var body = new LinkedHashMap<String, String>();
        body.put("error", error.code());
        body.put("error_description", description);
        var answer = json(error.status(), body).with("Cache-Control", "no-store");
        return error == OAuthError.TEMPORARILY_UNAVAILABLE ? answer.with("Retry-After", "2") : answer;
    }

    /** An error with its usual description. */
    public static Answer error(OAuthError error) {
        return error(error, error.description());
    }

    /** A refusal. */
    public static Answer error(OAuthException refusal) {
        return error(refusal.error(), refusal.description());
    }

    /** The method is none of those. */
    public static Answer methodNotAllowed(String allowed) {
        return error(OAuthError.METHOD_NOT_ALLOWED).with("Allow", allowed);
    }

    /** The same with one more header. */
    public Answer with(String name, String value) {
        var more = new LinkedHashMap<>(headers);
        more.put(name, value);
        return new Answer(status, contentType, body, more);
    }
}
