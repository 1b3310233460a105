package dev.sekisho.idp.oauth;

import java.time.Instant;
import java.util.UUID;

/** Remembers which client assertions were used, for all replicas together (RFC 7523, section 3, item 7). */
public interface UsedAssertions {
    /**
     * Uses an assertion.
     *
     * @param tenant key of the tenant
     * @param clientId who made it
     * @param jti its id
     * @param until how long it must be remembered at least
     * @return whether nobody had used it before
     * @throws OAuthException {@code temporarily_unavailable} when that cannot be known
     */
    boolean use(UUID tenant, String clientId, String jti, Instant until);
}
