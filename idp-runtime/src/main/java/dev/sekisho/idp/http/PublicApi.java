package dev.sekisho.idp.http;

import dev.sekisho.idp.oauth.ClientAuthentication;
import dev.sekisho.idp.oauth.OAuthError;
import dev.sekisho.idp.oauth.OAuthException;
import dev.sekisho.idp.oauth.TokenEndpoint;
import dev.sekisho.idp.observe.Endpoint;
import dev.sekisho.idp.observe.Metrics;
import dev.sekisho.idp.tenant.Document;
import dev.sekisho.idp.tenant.Tenant;
import dev.sekisho.idp.tenant.TenantCache;
import java.util.LinkedHashMap;
import java.util.Optional;

/** The public listener: discovery, keys and tokens of every tenant. */
public final class PublicApi implements Call.Handler {
    private static final String METADATA_CACHING = "public, max-age=300";
    private static final String JWKS_CACHING = "public, max-age=300";
    private static final String INSERTED = "/.well-known/oauth-authorization-server/";

    private final TenantCache tenants;
    private final TokenEndpoint tokens;
    private final Metrics metrics;

    public PublicApi(TenantCache tenants, TokenEndpoint tokens, Metrics metrics) {
        this.tenants = tenants;
        this.tokens = tokens;
        this.metrics = metrics;
    }

    /** Where a path leads. */
    record Route(Endpoint endpoint, String tenant) {
        /** The route of a path as sent; nothing is decoded, since no part of ours needs encoding. */
        static Optional<Route> of(String path) {
            if (path.startsWith(INSERTED)) {
                // RFC 8414, section 3.1: the issuer's path follows the well-known part.
                return Optional.of(new Route(Endpoint.DISCOVERY, path.substring(INSERTED.length())));
            }
            int slash = path.indexOf('/', 1);
            if (!path.startsWith("/") || slash < 0) {
                return Optional.empty();
            }
            var endpoint = switch (path.substring(slash)) {
                case "/v1/tokens" -> Endpoint.TOKEN;
                case "/v1/jwks" -> Endpoint.JWKS;
                case "/.well-known/openid-configuration", "/.well-known/oauth-authorization-server" ->
                    Endpoint.DISCOVERY;
                default -> Endpoint.OTHER;
            };
            return endpoint == Endpoint.OTHER
                    ? Optional.empty()
                    : Optional.of(new Route(endpoint, path.substring(1, slash)));
        }
    }

    @Override
    public Answer answer(Call call) {
        var route = Route.of(call.path());
        if (route.isEmpty()) {
            return Answer.error(OAuthError.NOT_FOUND);
        }
        var endpoint = route.get().endpoint();
        call.endpoint(endpoint);
        if (endpoint == Endpoint.TOKEN) {
            return call.method().equals("POST") ? token(call, route.get().tenant()) : Answer.methodNotAllowed("POST");
        }
        if (!call.method().equals("GET") && !call.method().equals("HEAD")) {
            return Answer.methodNotAllowed("GET, HEAD");
        }
        var tenant = tenant(route.get().tenant());
        return endpoint == Endpoint.JWKS
                ? document(call, tenant.jwks(), JWKS_CACHING)
                : document(call, tenant.metadata(), METADATA_CACHING);
    }

    private Tenant tenant(String segment) {
        return tenants.find(segment).orElseThrow(() -> new OAuthException(OAuthError.UNKNOWN_TENANT));
    }

    private static Answer document(Call call, Document document, String caching) {
        boolean known = call.header("If-None-Match")
                .filter(v -> matches(v, document.etag()))
                .isPresent();
        var answer = known ? Answer.empty(304) : Answer.json(200, document.bytes());
        return answer.with("ETag", document.etag()).with("Cache-Control", caching);
    }

    /** Weak comparison, as RFC 9110, section 13.1.2 says of If-None-Match. */
    private static boolean matches(String header, String etag) {
        if (header.strip().equals("*")) {
            return true;
        }
        for (var candidate : header.split(",", -1)) {
            var tag = candidate.strip();
            if (tag.equals(etag) || tag.equals("W/" + etag)) {
                return true;
            }
        }
        return false;
    }

    private Answer token(Call call, String segment) {
        var tenant = tenant(segment);
        var header =
                call.header("Authorization").map(BasicCredentials::parse).orElseGet(ClientAuthentication.Absent::new);
        var body = Forms.read(call);
        Answer answer;
        try {
            var response = tokens.answer(tenant, header, body);
            var json = new LinkedHashMap<String, Object>();
            json.put("access_token", response.accessToken());
            json.put("token_type", "Bearer");
            json.put("expires_in", response.expiresInSeconds());
            json.put("scope", response.scope());
            answer = Answer.json(200, json).with("Cache-Control", "no-store");
            metrics.issued(response.grant().code());
        } catch (OAuthException e) {
            answer = Answer.error(e);
            if (e.error() == OAuthError.INVALID_CLIENT && !(header instanceof ClientAuthentication.Absent)) {
                // RFC 6749, section 5.2: when the client tried the header, name the scheme that works there.
                answer = answer.with("WWW-Authenticate", "Basic realm=\"" + tenant.issuer() + "\", charset=\"UTF-8\"");
            }
        }
        return answer.with("Pragma", "no-cache");
    }
}
