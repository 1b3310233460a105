package dev.sekisho.idp.tenant;

import dev.sekisho.idp.keys.Algorithm;
import dev.sekisho.idp.keys.StoredKey;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A tenant as it is stored: everything that makes it what it is, so that two records are equal when nothing differs.
 *
 * @param settings its own row
 * @param clients its clients, by client id
 * @param keys its signing keys, by kid
 */
public record TenantRecord(Settings settings, List<ClientRecord> clients, List<StoredKey> keys) {
    public TenantRecord {
        clients = clients.stream()
                .sorted(Comparator.comparing(ClientRecord::clientId))
                .toList();
        keys = keys.stream().sorted(Comparator.comparing(StoredKey::kid)).toList();
    }

    /**
     * A tenant's own row.
     *
     * @param key what its rows carry
     * @param tenantId its id as declared
     * @param owner who declared it
     * @param displayName what people call it; empty when it has no name
     * @param state whether it is served
     * @param accessTokenLifetime in whole seconds
     * @param signingAlgorithm what signs access tokens
     */
    public record Settings(
            UUID key,
            String tenantId,
            String owner,
            String displayName,
            State state,
            Duration accessTokenLifetime,
            Algorithm signingAlgorithm) {}

    /** Whether a tenant is served. */
    public enum State {
        ACTIVE,
        SUSPENDED,
        /** Its declaration is gone, its data is kept. */
        RETAINED
    }

    /**
     * A client's row, as it is: codes that this version does not know stay visible, so that they are put right.
     *
     * @param name what people call it; empty when it has no name
     * @param grants codes of grant types, sorted
     * @param scopes sorted
     * @param method code of the authentication method
     * @param secretSha256 in hexadecimal; empty when it has no secret
     * @param jwks its public keys as {@link CanonicalJson}; empty when it has none
     */
    public record ClientRecord(
            String clientId,
            String name,
            List<String> grants,
            List<String> redirectUris,
            List<String> scopes,
            String method,
            Optional<String> secretSha256,
            Optional<String> jwks) {
        public ClientRecord {
            grants = List.copyOf(grants);
            redirectUris = List.copyOf(redirectUris);
            scopes = List.copyOf(scopes);
        }

        @Override
        public String toString() {
            return "ClientRecord[clientId=" + clientId + "]";
        }
    }
}
