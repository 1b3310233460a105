package dev.sekisho.idp.management;

import dev.sekisho.api.management.TenantDeclaration;
import dev.sekisho.api.v1alpha1.ClientJwks;
import dev.sekisho.api.v1alpha1.ClientSpec;
import dev.sekisho.api.v1alpha1.Durations;
import dev.sekisho.api.v1alpha1.TenantIds;
import dev.sekisho.api.v1alpha1.TenantSpec;
import dev.sekisho.idp.oauth.ClientKeys;
import dev.sekisho.idp.oauth.OAuthError;
import dev.sekisho.idp.oauth.OAuthException;
import dev.sekisho.idp.tenant.CanonicalJson;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a declaration must hold to. The API server has checked a Tenant by the CRD's schema already; this is checked
 * again because others may call, and because the database must never hold what cannot be served.
 */
final class DeclarationRules {
    private static final Pattern OWNER = Pattern.compile(
            "^(tenant|loadtest)/[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?/[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$");
    private static final Pattern CLIENT_ID = Pattern.compile("^[A-Za-z0-9._~-]{1,128}$");
    private static final Pattern KID = Pattern.compile("^[^\\p{Cntrl}\\p{Cs}]{1,128}$");
    private static final Pattern SCOPE = Pattern.compile("^[\\x21\\x23-\\x5B\\x5D-\\x7E]{1,128}$");
    private static final Pattern REDIRECT_URI = Pattern.compile(ClientSpec.REDIRECT_URI);
    private static final Pattern PRINTABLE = Pattern.compile("^[^\\p{Cntrl}\\p{Cs}]*$");
    private static final Pattern NAME = Pattern.compile("^[^\\p{Cntrl}\\p{Cs}]{0,200}$");
    /** RFC 6749, appendix A.2, and long enough to need no slow hash. */
    private static final Pattern SECRET = Pattern.compile("^[\\x20-\\x7E]{16,512}$");

    private static final int MAX_CLIENTS = 1000;
    private static final int MAX_URIS = 100;
    private static final int MAX_URI = 2048;
    private static final int MAX_SCOPES = 200;
    private static final Duration SHORTEST = Duration.ofSeconds(10);
    private static final Duration LONGEST = Duration.ofHours(24);

    private DeclarationRules() {}

    /** Whether a text can be an owner. */
    static boolean isOwner(String text) {
        return OWNER.matcher(text).matches();
    }

    /**
     * Checks a declaration for the tenant id in the URL.
     *
     * @throws OAuthException {@code invalid_request} naming the first field at fault
     */
    static void check(String tenantId, TenantDeclaration declaration) {
        require(
                matches(OWNER, declaration.owner()),
                "owner",
                "must be tenant/<namespace>/<name> or loadtest/<namespace>/<name>");
        @Nullable TenantSpec spec = declaration.spec();
        if (spec == null) {
            throw refusal("spec", "is missing");
        }
        @Nullable String declaredId = spec.tenantId();
        require(declaredId != null && TenantIds.isValid(declaredId), "spec.tenantId", "must be a DNS label or a UUID");
        require(tenantId.equals(declaredId), "spec.tenantId", "differs from the id in the URL");
        require(
                spec.displayName() == null || matches(NAME, spec.displayName()),
                "spec.displayName",
                "is too long or holds control characters");
        lifetime(spec.tokens().accessTokenLifetime());
        require(spec.clients().size() <= MAX_CLIENTS, "spec.clients", "holds more than " + MAX_CLIENTS + " clients");
        var ids = new HashSet<String>();
        for (int i = 0; i < spec.clients().size(); i++) {
            var field = "spec.clients[" + i + "]";
            var client = spec.clients().get(i);
            client(field, client);
            require(ids.add(client.clientId()), field + ".clientId", "is another client's too");
            credential(field, client, declaration.clientSecrets().get(client.clientId()));
        }
        for (var id : declaration.clientSecrets().keySet()) {
            require(ids.contains(id), "clientSecrets", "holds a secret for a client that spec.clients does not have");
        }
    }

    private static void credential(String field, ClientSpec client, @Nullable String secret) {
        var secretField = "clientSecrets." + client.clientId();
        switch (client.tokenEndpointAuthMethod()) {
            case CLIENT_SECRET_BASIC, CLIENT_SECRET_POST -> {
                require(matches(SECRET, secret), secretField, "must be 16 to 512 printable ASCII characters");
                require(client.jwks() == null, field + ".jwks", "is for private_key_jwt only");
            }
            case PRIVATE_KEY_JWT -> {
                require(secret == null, secretField, "is a secret of a client that authenticates by private_key_jwt");
                require(client.secretRef() == null, field + ".secretRef", "is not for private_key_jwt");
                keys(field + ".jwks", client.jwks());
            }
        }
    }

    private static void keys(String field, @Nullable ClientJwks jwks) {
        if (jwks == null) {
            throw refusal(field, "is missing, and private_key_jwt needs it");
        }
        for (int i = 0; i < jwks.keys().size(); i++) {
            @Nullable String kid = jwks.keys().get(i).kid();
            require(kid == null || matches(KID, kid), field + ".keys[" + i + "].kid", "is too long or unprintable");
        }
        try {
            var unused = ClientKeys.parse(CanonicalJson.of(jwks));
        } catch (ClientKeys.UnusableException e) {
            throw refusal(field + ".keys" + (e.index() < 0 ? "" : "[" + e.index() + "]"), e.problem());
        }
    }

    private static void lifetime(String text) {
        var field = "spec.tokens.accessTokenLifetime";
        try {
            var lifetime = Durations.parse(text);
            require(
                    lifetime.compareTo(SHORTEST) >= 0 && lifetime.compareTo(LONGEST) <= 0,
                    field,
                    "must be between 10s and 24h");
        } catch (IllegalArgumentException e) {
            throw refusal(field, "must be a duration such as 5m or 1h30m");
        }
    }

    private static void client(String field, ClientSpec client) {
        require(matches(CLIENT_ID, client.clientId()), field + ".clientId", "must be 1 to 128 of A-Z a-z 0-9 . _ ~ -");
        require(
                client.name() == null || matches(NAME, client.name()),
                field + ".name",
                "is too long or holds control characters");
        require(!client.grants().isEmpty(), field + ".grants", "must not be empty");
        list(
                field + ".redirectUris",
                client.redirectUris(),
                MAX_URIS,
                uri -> uri.length() <= MAX_URI && matches(REDIRECT_URI, uri) && matches(PRINTABLE, uri),
                "must be https, http on a loopback host, or a private-use scheme with a dot; without fragment and wildcard");
        list(
                field + ".scopes",
                client.scopes(),
                MAX_SCOPES,
                scope -> matches(SCOPE, scope),
                "is no scope (RFC 6749, section 3.3)");
    }

    private static void list(String field, List<String> values, int most, Predicate<String> rule, String message) {
        require(values.size() <= most, field, "holds more than " + most + " entries");
        for (int i = 0; i < values.size(); i++) {
            require(rule.test(values.get(i)), field + "[" + i + "]", message);
        }
    }

    private static boolean matches(Pattern pattern, @Nullable String text) {
        return text != null && pattern.matcher(text).matches();
    }

    private static void require(boolean holds, String field, String message) {
        if (!holds) {
            throw refusal(field, message);
        }
    }

    private static OAuthException refusal(String field, String message) {
        return new OAuthException(OAuthError.INVALID_REQUEST, field + " " + message + ".");
    }
}
