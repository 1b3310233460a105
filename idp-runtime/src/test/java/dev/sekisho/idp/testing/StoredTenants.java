package dev.sekisho.idp.testing;

import dev.sekisho.idp.keys.Algorithm;
import dev.sekisho.idp.keys.CryptoProvider;
import dev.sekisho.idp.keys.KeySealer;
import dev.sekisho.idp.keys.SigningKeys;
import dev.sekisho.idp.oauth.SecretHash;
import dev.sekisho.idp.tenant.TenantRecord;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Tenants as they are stored, with a row in every table. */
public final class StoredTenants {
    public static final SigningKeys KEYS =
            new SigningKeys(new KeySealer(Environment.keyEncryptionKey(1)), CryptoProvider.best());

    private StoredTenants() {}

    /** A tenant with a client and an ES256 key. */
    public static TenantRecord record(UUID key, String tenantId) {
        return new TenantRecord(
                settings(key, tenantId), List.of(client("app")), List.of(KEYS.generate(key, Algorithm.ES256)));
    }

    public static TenantRecord.Settings settings(UUID key, String tenantId) {
        return new TenantRecord.Settings(
                key,
                tenantId,
                "tenant/test/" + tenantId,
                "",
                TenantRecord.State.ACTIVE,
                Duration.ofMinutes(5),
                Algorithm.ES256);
    }

    public static TenantRecord.ClientRecord client(String clientId) {
        return new TenantRecord.ClientRecord(
                clientId,
                "",
                List.of("client_credentials"),
                List.of(),
                List.of("read"),
                "client_secret_basic",
                Optional.of(SecretHash.of(Declaration.SECRET).toHex()),
                Optional.empty());
    }
}
