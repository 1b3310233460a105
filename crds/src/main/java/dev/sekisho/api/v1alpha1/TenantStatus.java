package dev.sekisho.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crdv2.generator.v1.SchemaCustomizer;
import io.fabric8.generator.annotation.Required;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a tenant is.
 *
 * @param observedGeneration the generation of the spec that was last looked at
 * @param phase derived from the conditions
 * @param issuer the issuer identifier
 * @param jwksUri where its public keys are
 * @param tenantKey the UUID that its rows carry
 * @param keys its published keys
 * @param clients where each client's secret stands
 * @param conditions Ready, ReferencesResolved, Applied
 */
@SchemaCustomizer(value = ListMaps.class, input = "conditions=type;clients=clientId;keys=kid")
public record TenantStatus(
        @Nullable Long observedGeneration,
        @Nullable Phase phase,

        @JsonPropertyDescription("The issuer identifier.") @Nullable String issuer,

        @JsonPropertyDescription("Where the public keys are.") @Nullable String jwksUri,

        @JsonPropertyDescription("The UUID that the tenant's rows carry.") @Nullable String tenantKey,

        @JsonPropertyDescription("The published keys.") List<Key> keys,

        @JsonPropertyDescription("Where each client's secret stands; a client of private_key_jwt has none.")
        List<ClientStatus> clients,

        List<Condition> conditions) {

    public TenantStatus {
        keys = Defaults.list(keys);
        clients = Defaults.list(clients);
        conditions = Defaults.list(conditions);
    }

    /** A word for people; programs read the conditions. */
    public enum Phase {
        Pending,
        Ready,
        Suspended,
        Failed,
        Deleting
    }

    /**
     * A published key.
     *
     * @param kid its id
     * @param algorithm its JWS algorithm
     * @param state next, active or retired
     */
    public record Key(
            @Required String kid,
            @Nullable String algorithm,
            @Nullable String state) {}

    /**
     * Where a client's secret stands.
     *
     * @param clientId the client
     * @param secretName the Secret; absent when the client has no secret
     * @param secretKey the key in it
     * @param generated whether the operator made it
     */
    public record ClientStatus(
            @Required String clientId,
            @Nullable String secretName,
            @Nullable String secretKey,
            @Nullable Boolean generated) {}
}
