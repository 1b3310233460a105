package dev.sekisho.idp.oauth;

import java.util.LinkedHashSet;
import java.util.Set;

/** Scope values (RFC 6749, section 3.3). */
final class Scopes {
    private Scopes() {}

    /**
     * The scopes of a {@code scope} parameter, each once, in order.
     *
     * @throws OAuthException {@code invalid_scope} when a character is none of a scope's
     */
    static Set<String> parse(String value) {
        var scopes = new LinkedHashSet<String>();
        int start = 0;
        for (int i = 0; i <= value.length(); i++) {
            if (i == value.length() || value.charAt(i) == ' ') {
                if (i > start) {
                    scopes.add(value.substring(start, i));
                }
                start = i + 1;
            } else if (!isScopeCharacter(value.charAt(i))) {
                throw new OAuthException(OAuthError.INVALID_SCOPE, "scope holds a character that no scope may have.");
            }
        }
        return scopes;
    }

    private static boolean isScopeCharacter(char c) {
        return c == 0x21 || (c >= 0x23 && c <= 0x5b) || (c >= 0x5d && c <= 0x7e);
    }
}
