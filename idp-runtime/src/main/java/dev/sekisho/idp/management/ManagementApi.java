package dev.sekisho.idp.management;

import dev.sekisho.api.v1alpha1.DeletionPolicy;
import dev.sekisho.api.v1alpha1.TenantIds;
import dev.sekisho.idp.http.Answer;
import dev.sekisho.idp.http.Call;
import dev.sekisho.idp.oauth.OAuthError;
import dev.sekisho.idp.oauth.OAuthException;
import dev.sekisho.idp.oauth.SecretHash;
import dev.sekisho.idp.observe.Endpoint;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The management listener: {@code PUT}, {@code GET} and {@code DELETE} of tenants, with a bearer token (RFC 6750). */
public final class ManagementApi implements Call.Handler {
    private static final Logger LOG = LoggerFactory.getLogger(ManagementApi.class);
    private static final String TENANTS = "/management/v1/tenants/";
    private static final String SCHEME = "bearer ";

    /** A shorter token is taken for a broken configuration, and lets nobody in. */
    public static final int SHORTEST_TOKEN = 16;

    private final Tenants tenants;
    private final Supplier<String> token;

    /**
     * The API.
     *
     * @param token the bearer token that is asked for, now
     */
    public ManagementApi(Tenants tenants, Supplier<String> token) {
        this.tenants = tenants;
        this.token = token;
    }

    @Override
    public Answer answer(Call call) {
        boolean ours = call.path().startsWith(TENANTS);
        call.endpoint(ours ? Endpoint.MANAGEMENT_TENANT : Endpoint.OTHER);
        if (!authorized(call)) {
            return Answer.error(OAuthError.INVALID_TOKEN).with("WWW-Authenticate", "Bearer realm=\"management\"");
        }
        var tenantId = ours ? call.path().substring(TENANTS.length()) : "";
        if (tenantId.isEmpty() || tenantId.contains("/")) {
            return Answer.error(OAuthError.NOT_FOUND);
        }
        if (!TenantIds.isValid(tenantId)) {
            return Answer.error(OAuthError.INVALID_REQUEST, "The tenant id must be a DNS label or a UUID.");
        }
        return switch (call.method()) {
            case "PUT" -> put(call, tenantId);
            case "GET" -> get(tenantId);
            case "DELETE" -> delete(call, tenantId);
            default -> Answer.methodNotAllowed("DELETE, GET, PUT");
        };
    }

    private boolean authorized(Call call) {
        var header = call.header("Authorization").orElse("");
        if (!header.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
            return false;
        }
        var expected = expected();
        // Hashes are compared, so that the length does not show either.
        return SecretHash.of(header.substring(SCHEME.length()).strip()).matches(SecretHash.of(expected))
                && expected.length() >= SHORTEST_TOKEN;
    }

    private String expected() {
        try {
            return token.get();
        } catch (UncheckedIOException e) {
            LOG.error("The management token cannot be read: {}", e.getMessage());
            throw new OAuthException(OAuthError.TEMPORARILY_UNAVAILABLE);
        }
    }

    private Answer put(Call call, String tenantId) {
        var body = call.body(Call.MAX_BODY);
        return Answer.json(200, tenants.put(tenantId, DeclarationReader.read(body.bytes())))
                .with("Cache-Control", "no-store");
    }

    private Answer get(String tenantId) {
        return tenants.get(tenantId)
                .map(state -> Answer.json(200, state).with("Cache-Control", "no-store"))
                .orElseGet(() -> Answer.error(OAuthError.UNKNOWN_TENANT));
    }

    private Answer delete(Call call, String tenantId) {
        var owner = call.query("owner")
                .filter(DeclarationRules::isOwner)
                .orElseThrow(() -> new OAuthException(
                        OAuthError.INVALID_REQUEST, "The query parameter owner is missing or malformed."));
        var policy = call.query("policy").map(ManagementApi::policy).orElse(DeletionPolicy.Retain);
        tenants.delete(tenantId, owner, policy);
        return Answer.empty(204);
    }

    private static DeletionPolicy policy(String text) {
        return Arrays.stream(DeletionPolicy.values())
                .filter(p -> p.name().equals(text))
                .findFirst()
                .orElseThrow(() -> new OAuthException(
                        OAuthError.INVALID_REQUEST, "The query parameter policy must be Retain or Delete."));
    }
}
