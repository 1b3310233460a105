package dev.sekisho.operator.tenant;

import dev.sekisho.operator.kube.Names;
import java.util.Locale;

/** Names of the Secrets that the operator makes for clients. */
final class SecretNames {
    private static final int MAXIMUM = 63;
    private static final String INFIX = "-client-";
    private static final int HASH_DIGITS = 10;

    private SecretNames() {}

    /**
     * The Secret of a tenant's client: {@code <tenant>-client-<clientId>} when that is a DNS name of at most 63
     * characters which no other pair could have, else shortened and ended by a hash of the pair.
     *
     * @param tenant the Tenant's name
     * @param clientId the client's id
     */
    static String of(String tenant, String clientId) {
        var slug = slug(clientId);
        var plain = tenant + INFIX + slug;
        // "a" with "b-client-c" and "a-client-b" with "c" would meet.
        boolean unique = plain.indexOf(INFIX) == plain.lastIndexOf(INFIX);
        if (slug.equals(clientId) && unique && plain.length() <= MAXIMUM) {
            return plain;
        }
        int room = MAXIMUM - HASH_DIGITS - 1;
        var start = plain.length() <= room ? plain : plain.substring(0, room);
        return trim(start) + "-" + Names.hash(tenant + "/" + clientId, HASH_DIGITS);
    }

    private static String slug(String clientId) {
        return trim(clientId.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9-]", "-"));
    }

    /** A DNS name begins and ends with a letter or digit. */
    private static String trim(String text) {
        return text.replaceAll("^[^a-z0-9]+|[^a-z0-9]+$", "");
    }
}
