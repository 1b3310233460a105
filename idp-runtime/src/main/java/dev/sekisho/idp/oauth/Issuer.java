package dev.sekisho.idp.oauth;

import com.nimbusds.jwt.JWTClaimsSet;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;

/** What the token endpoint needs to know of the tenant for which it acts. */
public interface Issuer {
    /** The tenant's key, which its data carries. */
    UUID key();

    /** The issuer identifier, which is the default audience too (RFC 9068, section 3). */
    String issuer();

    /** How long access tokens live. */
    Duration accessTokenLifetime();

    /** A client. */
    Optional<Client> client(String clientId);

    /**
     * Signs an access token as {@code at+jwt}.
     *
     * @throws OAuthException {@code temporarily_unavailable} when the tenant's key cannot be used
     */
    String signAccessToken(JWTClaimsSet claims);
}
