package dev.sekisho.idp.management;

import dev.sekisho.api.management.TenantDeclaration;
import dev.sekisho.api.management.TenantState;
import dev.sekisho.api.v1alpha1.ClientSpec;
import dev.sekisho.api.v1alpha1.DeletionPolicy;
import dev.sekisho.api.v1alpha1.Durations;
import dev.sekisho.api.v1alpha1.TenantIds;
import dev.sekisho.api.v1alpha1.TenantSpec;
import dev.sekisho.idp.keys.Algorithm;
import dev.sekisho.idp.keys.KeyUnusableException;
import dev.sekisho.idp.keys.SigningKeys;
import dev.sekisho.idp.keys.StoredKey;
import dev.sekisho.idp.oauth.Client;
import dev.sekisho.idp.oauth.Grant;
import dev.sekisho.idp.oauth.OAuthError;
import dev.sekisho.idp.oauth.OAuthException;
import dev.sekisho.idp.oauth.SecretHash;
import dev.sekisho.idp.oidc.Metadata;
import dev.sekisho.idp.tenant.CanonicalJson;
import dev.sekisho.idp.tenant.Invalidations;
import dev.sekisho.idp.tenant.Tenant;
import dev.sekisho.idp.tenant.TenantRecord;
import dev.sekisho.idp.tenant.TenantStore;
import dev.sekisho.idp.tenant.TenantVersion;
import dev.sekisho.idp.tenant.Versioned;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes tenants what they are declared to be. */
public final class Tenants {
    private static final Logger LOG = LoggerFactory.getLogger(Tenants.class);

    /** No snapshot has this version, so that each of them goes. */
    private static final TenantVersion NEVER = new TenantVersion(0, TenantVersion.NO_REVISION);

    private final TenantStore store;
    private final SigningKeys signingKeys;
    private final String publicUrl;
    private final Invalidations invalidations;

    /**
     * Tenants.
     *
     * @param invalidations told after each change has been committed
     */
    public Tenants(TenantStore store, SigningKeys signingKeys, String publicUrl, Invalidations invalidations) {
        this.store = store;
        this.signingKeys = signingKeys;
        this.publicUrl = publicUrl;
        this.invalidations = invalidations;
    }

    /**
     * Makes a tenant what the declaration says: settings, clients and keys, whatever stands in their rows.
     *
     * @throws OAuthException {@code invalid_request} naming the field, {@code tenant_id_conflict}, or
     *     {@code temporarily_unavailable} when the tenant's stored keys do not open
     */
    public TenantState put(String tenantId, TenantDeclaration declaration) {
        DeclarationRules.check(tenantId, declaration);
        var key = TenantIds.key(tenantId);
        var fresh = freshKeys(key);
        TenantStore.Change change;
        try {
            change = store.put(key, stored -> {
                stored.ifPresent(s -> requireOwner(s, tenantId, declaration.owner()));
                var keys = keys(key, stored, fresh);
                return record(key, declaration, keys);
            });
        } catch (KeyUnusableException e) {
            LOG.error("Tenant {} cannot be put right: {}", key, e.getMessage());
            throw new OAuthException(
                    OAuthError.TEMPORARILY_UNAVAILABLE,
                    "The tenant's stored signing keys do not open under this key-encryption key.");
        }
        tell(key, change.stored().version(), change.changed(), "changed");
        return state(change.stored(), change.changed());
    }

    /** A tenant's state, unless its declaration is gone. */
    public Optional<TenantState> get(String tenantId) {
        return store.load(TenantIds.key(tenantId))
                .filter(s -> s.record().settings().tenantId().equals(tenantId))
                .filter(s -> s.record().settings().state() != TenantRecord.State.RETAINED)
                .map(s -> state(s, false));
    }

    /**
     * Takes a tenant out of service, and its data away if the policy says so. Does nothing when there is none.
     *
     * @throws OAuthException {@code tenant_id_conflict}
     */
    public void delete(String tenantId, String owner, DeletionPolicy policy) {
        var key = TenantIds.key(tenantId);
        switch (policy) {
            case Delete -> {
                boolean deleted = store.delete(key, stored -> requireOwner(stored, tenantId, owner));
                tell(key, NEVER, deleted, "deleted");
            }
            case Retain -> {
                if (store.load(key).isPresent()) {
                    retain(key, tenantId, owner);
                } else {
                    tell(key, NEVER, false, "deleted");
                }
            }
        }
    }

    private void retain(UUID key, String tenantId, String owner) {
        try {
            var change = store.put(key, stored -> {
                var present = stored.orElseThrow(GoneException::new);
                requireOwner(present, tenantId, owner);
                var record = present.record();
                var settings = record.settings();
                return new TenantRecord(
                        new TenantRecord.Settings(
                                key,
                                settings.tenantId(),
                                settings.owner(),
                                settings.displayName(),
                                TenantRecord.State.RETAINED,
                                settings.accessTokenLifetime(),
                                settings.signingAlgorithm()),
                        record.clients(),
                        record.keys());
            });
            tell(key, change.stored().version(), change.changed(), "retained");
        } catch (GoneException e) {
            LOG.debug("Tenant {} was deleted meanwhile", key);
        }
    }

    /**
     * Tells all replicas, also when this call changed nothing: an earlier one may have been cut off between its commit
     * and its message. To whom it is no news it does nothing.
     */
    private void tell(UUID key, TenantVersion version, boolean changed, String what) {
        invalidations.publish(key, version);
        if (changed) {
            LOG.atInfo()
                    .addKeyValue("tenant", key)
                    .addKeyValue("version", version.number())
                    .log("Tenant {}", what);
        }
    }

    private static final class GoneException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private static void requireOwner(Versioned stored, String tenantId, String owner) {
        var settings = stored.record().settings();
        if (!settings.owner().equals(owner) || !settings.tenantId().equals(tenantId)) {
            throw new OAuthException(OAuthError.TENANT_ID_CONFLICT);
        }
    }

    /** Makes missing keys before the transaction, since an RSA key takes its time and the lock should not. */
    private Map<Algorithm, StoredKey> freshKeys(UUID key) {
        var stored = store.load(key);
        var fresh = new EnumMap<Algorithm, StoredKey>(Algorithm.class);
        for (var algorithm : Algorithm.values()) {
            if (active(stored, algorithm).isEmpty()) {
                fresh.put(algorithm, signingKeys.generate(key, algorithm));
            }
        }
        return fresh;
    }

    private List<StoredKey> keys(UUID key, Optional<Versioned> stored, Map<Algorithm, StoredKey> fresh) {
        var keys = new ArrayList<StoredKey>();
        stored.ifPresent(s -> s.record().keys().forEach(k -> keys.add(signingKeys.repaired(key, k))));
        for (var algorithm : Algorithm.values()) {
            if (active(stored, algorithm).isEmpty()) {
                var made = fresh.get(algorithm);
                keys.add(made == null ? signingKeys.generate(key, algorithm) : made);
            }
        }
        return keys;
    }

    private static Optional<StoredKey> active(Optional<Versioned> stored, Algorithm algorithm) {
        return stored.stream()
                .flatMap(s -> s.record().keys().stream())
                .filter(k -> k.algorithm() == algorithm && k.state() == StoredKey.State.ACTIVE)
                .findFirst();
    }

    private static TenantRecord record(UUID key, TenantDeclaration declaration, List<StoredKey> keys) {
        var spec = declaration.spec();
        var settings = new TenantRecord.Settings(
                key,
                spec.tenantId(),
                declaration.owner(),
                Objects.requireNonNullElse(spec.displayName(), ""),
                switch (spec.state()) {
                    case Active -> TenantRecord.State.ACTIVE;
                    case Suspended -> TenantRecord.State.SUSPENDED;
                },
                Durations.parse(spec.tokens().accessTokenLifetime()).truncatedTo(ChronoUnit.SECONDS),
                algorithm(spec.signing()));
        var clients = spec.clients().stream()
                .map(client -> client(
                        client, Optional.ofNullable(declaration.clientSecrets().get(client.clientId()))))
                .toList();
        return new TenantRecord(settings, clients, keys);
    }

    private static Algorithm algorithm(TenantSpec.Signing signing) {
        return switch (signing.algorithm()) {
            case ES256 -> Algorithm.ES256;
            case RS256 -> Algorithm.RS256;
        };
    }

    private static TenantRecord.ClientRecord client(ClientSpec client, Optional<String> secret) {
        return new TenantRecord.ClientRecord(
                client.clientId(),
                Objects.requireNonNullElse(client.name(), ""),
                client.grants().stream()
                        .map(grant -> switch (grant) {
                            case CLIENT_CREDENTIALS -> Grant.CLIENT_CREDENTIALS.code();
                        })
                        .distinct()
                        .sorted()
                        .toList(),
                client.redirectUris().stream().distinct().toList(),
                client.scopes().stream().distinct().sorted().toList(),
                switch (client.tokenEndpointAuthMethod()) {
                    case CLIENT_SECRET_BASIC -> Client.Method.CLIENT_SECRET_BASIC.code();
                    case CLIENT_SECRET_POST -> Client.Method.CLIENT_SECRET_POST.code();
                    case PRIVATE_KEY_JWT -> Client.Method.PRIVATE_KEY_JWT.code();
                },
                secret.map(s -> SecretHash.of(s).toHex()),
                Optional.ofNullable(client.jwks()).map(CanonicalJson::of));
    }

    private TenantState state(Versioned stored, boolean changed) {
        var settings = stored.record().settings();
        var issuer = Tenant.issuer(publicUrl, settings.tenantId());
        return new TenantState(
                settings.tenantId(),
                settings.key(),
                issuer,
                Metadata.jwksUri(issuer),
                stored.version().number(),
                changed,
                stored.record().keys().stream()
                        .map(k -> new TenantState.Key(
                                k.kid(), k.algorithm().name(), k.state().name().toLowerCase(Locale.ROOT)))
                        .toList());
    }
}
