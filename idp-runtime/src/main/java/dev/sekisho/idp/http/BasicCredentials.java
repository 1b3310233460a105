package dev.sekisho.idp.http;

import dev.sekisho.idp.oauth.ClientAuthentication;
import java.util.Base64;

/** Reads the Authorization header as a client sends it (RFC 6749, section 2.3.1; RFC 7617). */
final class BasicCredentials {
    private static final String SCHEME = "Basic ";

    private BasicCredentials() {}

    /**
     * What a header says. Another scheme, or one that cannot be read, is {@link ClientAuthentication.Unusable}: the
     * client tried and failed.
     */
    static ClientAuthentication parse(String header) {
        if (!header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return new ClientAuthentication.Unusable();
        }
        try {
            var decoded =
                    Base64.getDecoder().decode(header.substring(SCHEME.length()).strip());
            int colon = 0;
            while (colon < decoded.length && decoded[colon] != ':') {
                colon++;
            }
            if (colon == 0 || colon >= decoded.length - 1) {
                return new ClientAuthentication.Unusable();
            }
            return new ClientAuthentication.Basic(
                    Forms.decode(decoded, 0, colon), Forms.decode(decoded, colon + 1, decoded.length));
        } catch (IllegalArgumentException | Forms.MalformedFormException e) {
            return new ClientAuthentication.Unusable();
        }
    }
}
