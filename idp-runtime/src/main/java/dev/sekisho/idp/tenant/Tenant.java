package dev.sekisho.idp.tenant;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.sekisho.idp.keys.KeyRing;
import dev.sekisho.idp.keys.KeyUnusableException;
import dev.sekisho.idp.keys.SigningKeys;
import dev.sekisho.idp.oauth.Client;
import dev.sekisho.idp.oauth.ClientKeys;
import dev.sekisho.idp.oauth.Grant;
import dev.sekisho.idp.oauth.Issuer;
import dev.sekisho.idp.oauth.OAuthError;
import dev.sekisho.idp.oauth.OAuthException;
import dev.sekisho.idp.oauth.SecretHash;
import dev.sekisho.idp.oidc.Metadata;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A tenant as it is served: an immutable snapshot of what was stored, with everything parsed and rendered once. */
public final class Tenant implements Issuer {
    private static final Logger LOG = LoggerFactory.getLogger(Tenant.class);

    private final TenantRecord.Settings settings;
    private final TenantVersion version;
    private final String issuer;
    private final Map<String, Client> clients;
    private final KeyRing keys;
    private final Document jwks;
    private final Document metadata;

    /** A snapshot of a stored tenant. */
    public Tenant(Versioned stored, String publicUrl, SigningKeys signingKeys) {
        this.settings = stored.record().settings();
        this.version = stored.version();
        this.issuer = issuer(publicUrl, settings.tenantId());
        this.clients = clients(stored.record());
        this.keys = new KeyRing(settings.key(), stored.record().keys(), settings.signingAlgorithm(), signingKeys);
        this.jwks = new Document(keys.publicJwks().getBytes(StandardCharsets.UTF_8));
        this.metadata = new Document(Metadata.render(issuer));
    }

    /** The issuer identifier of a tenant. */
    public static String issuer(String publicUrl, String tenantId) {
        return publicUrl + "/" + tenantId;
    }

    private static Map<String, Client> clients(TenantRecord stored) {
        var clients = new HashMap<String, Client>();
        for (var row : stored.clients()) {
            client(row).ifPresent(client -> clients.put(client.clientId(), client));
        }
        return Map.copyOf(clients);
    }

    /** A client that can authenticate: one with a method that works here, and what it needs. */
    private static Optional<Client> client(TenantRecord.ClientRecord row) {
        var grants =
                row.grants().stream().flatMap(code -> Grant.of(code).stream()).collect(Collectors.toSet());
        return Client.Method.of(row.method())
                .flatMap(method -> credential(row, method))
                .map(credential -> new Client(row.clientId(), credential, grants, Set.copyOf(row.scopes())));
    }

    private static Optional<Client.Credential> credential(TenantRecord.ClientRecord row, Client.Method method) {
        return switch (method) {
            case CLIENT_SECRET_BASIC, CLIENT_SECRET_POST ->
                row.secretSha256().map(hash -> new Client.Credential.Secret(method, SecretHash.fromHex(hash)));
            case PRIVATE_KEY_JWT -> row.jwks().flatMap(jwks -> keys(row.clientId(), jwks));
        };
    }

    private static Optional<Client.Credential> keys(String clientId, String jwks) {
        try {
            return Optional.of(new Client.Credential.Keys(ClientKeys.parse(jwks)));
        } catch (ClientKeys.UnusableException e) {
            // None was stored that way. The others of the tenant are served all the same.
            LOG.error("Client {} cannot authenticate: its stored key {} {}", clientId, e.index(), e.problem());
            return Optional.empty();
        }
    }

    /** Whether it is to be served. */
    public static boolean served(Versioned stored) {
        return stored.record().settings().state() == TenantRecord.State.ACTIVE;
    }

    /** Whether a path segment names this tenant: its id as declared, or its key. */
    public boolean isNamed(String segment) {
        return settings.tenantId().equals(segment) || settings.key().toString().equals(segment);
    }

    public TenantVersion version() {
        return version;
    }

    /** Its public keys (RFC 7517). */
    public Document jwks() {
        return jwks;
    }

    /** Its metadata (RFC 8414). */
    public Document metadata() {
        return metadata;
    }

    @Override
    public UUID key() {
        return settings.key();
    }

    @Override
    public String issuer() {
        return issuer;
    }

    @Override
    public Duration accessTokenLifetime() {
        return settings.accessTokenLifetime();
    }

    @Override
    public Optional<Client> client(String clientId) {
        return Optional.ofNullable(clients.get(clientId));
    }

    @Override
    public String signAccessToken(JWTClaimsSet claims) {
        try {
            return keys.signAccessToken(claims);
        } catch (KeyUnusableException e) {
            LOG.error("Tenant {} cannot sign: {}", settings.key(), e.getMessage());
            throw new OAuthException(OAuthError.TEMPORARILY_UNAVAILABLE, "The tenant's signing key cannot be used.");
        }
    }

    @Override
    public String toString() {
        return "Tenant[" + settings.key() + "]";
    }
}
