package dev.sekisho.api.management;

import java.util.List;
import java.util.UUID;

/**
 * What a tenant is in the runtime's database.
 *
 * @param tenantId its id in URLs
 * @param key the UUID that its rows carry
 * @param issuer its issuer identifier
 * @param jwksUri where its public keys are
 * @param version counts its changes
 * @param changed whether the call that this answers changed anything
 * @param keys its published keys
 */
public record TenantState(
        String tenantId, UUID key, String issuer, String jwksUri, long version, boolean changed, List<Key> keys) {
    public TenantState {
        keys = keys == null ? List.of() : List.copyOf(keys);
    }

    /**
     * A published key.
     *
     * @param kid its id
     * @param algorithm its JWS algorithm
     * @param state next, active or retired
     */
    public record Key(String kid, String algorithm, String state) {}
}
