package dev.sekisho.idp.oauth;

/**
 * A successful answer (RFC 6749, section 5.1).
 *
 * @param accessToken the token
 * @param expiresInSeconds how long it lives
 * @param scope what was granted, separated by spaces
 * @param grant how it was obtained
 */
public record TokenResponse(String accessToken, long expiresInSeconds, String scope, Grant grant) {
    @Override
    public String toString() {
        return "TokenResponse[grant=" + grant + "]";
    }
}
