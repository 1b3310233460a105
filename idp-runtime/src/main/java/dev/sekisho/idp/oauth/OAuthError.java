package dev.sekisho.idp.oauth;

/**
 * The catalogue of errors that callers see: code, HTTP status and what it is said about.
 *
 * <p>Codes of RFC 6749 (section 5.2) and RFC 6750 stand as they are; the rest are this server's own. The reference page
 * is rendered from this.
 */
public enum OAuthError {
    INVALID_REQUEST("invalid_request", 400, "The request is malformed, or a parameter is missing, repeated or wrong."),
    INVALID_CLIENT("invalid_client", 401, "Client authentication failed."),
    UNAUTHORIZED_CLIENT("unauthorized_client", 400, "The client may not use this grant type."),
    UNSUPPORTED_GRANT_TYPE("unsupported_grant_type", 400, "The grant type is not supported."),
    INVALID_SCOPE("invalid_scope", 400, "No requested scope is one that the client may have."),
    INVALID_TOKEN("invalid_token", 401, "The management API needs its bearer token."),
    UNKNOWN_TENANT("unknown_tenant", 404, "There is no such tenant."),
    NOT_FOUND("not_found", 404, "There is nothing at this path."),
    METHOD_NOT_ALLOWED("method_not_allowed", 405, "The method is not allowed here; Allow says which are."),
    TENANT_ID_CONFLICT("tenant_id_conflict", 409, "Another owner holds this tenant id."),
    PAYLOAD_TOO_LARGE("payload_too_large", 413, "The body is larger than 10 MB."),
    URI_TOO_LONG("uri_too_long", 414, "The request line is too long."),
    EXPECTATION_FAILED("expectation_failed", 417, "The expectation is not supported."),
    NOT_IMPLEMENTED("not_implemented", 501, "The transfer encoding is not supported."),
    TEMPORARILY_UNAVAILABLE("temporarily_unavailable", 503, "Try again; Retry-After says when."),
    HTTP_VERSION_NOT_SUPPORTED("http_version_not_supported", 505, "Only HTTP/1.1 is spoken."),
    SERVER_ERROR("server_error", 500, "The server made a mistake; its log has the request id.");

    private final String code;
    private final int status;
    private final String description;

    OAuthError(String code, int status, String description) {
        this.code = code;
        this.status = status;
        this.description = description;
    }

    /** The value of {@code error}. */
    public String code() {
        return code;
    }

    /** The HTTP status. */
    public int status() {
        return status;
    }

    /** What {@code error_description} says when nothing is known more exactly. */
    public String description() {
        return description;
    }
}
