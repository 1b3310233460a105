package dev.sekisho.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crdv2.generator.v1.SchemaCustomizer;
import io.fabric8.kubernetes.model.annotation.LabelSelector;
import io.fabric8.kubernetes.model.annotation.StatusReplicas;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a cluster is.
 *
 * @param observedGeneration the generation of the spec that was last looked at
 * @param phase derived from the conditions
 * @param replicas copies of the runtime that exist
 * @param readyReplicas copies of the runtime that serve
 * @param selector which pods the copies are, for the scale subresource
 * @param gatewayUrl the gateway's address inside Kubernetes
 * @param caConfigMap the ConfigMap that holds the authority to trust, under {@code ca.crt}
 * @param primary the PostgreSQL member that takes writes
 * @param images what it runs; a new release of the operator alone changes nothing of it
 * @param conditions Ready, UpToDate, PostgresReady, SchemaReady, RedisReady, RuntimeReady, GatewayReady, SecretsReady
 */
@SchemaCustomizer(value = ListMaps.class, input = "conditions=type")
public record IdpClusterStatus(
        @Nullable Long observedGeneration,
        @Nullable Phase phase,

        @JsonPropertyDescription("Copies of the runtime that exist.") @StatusReplicas @Nullable Integer replicas,

        @JsonPropertyDescription("Copies of the runtime that serve.") @Nullable Integer readyReplicas,

        @LabelSelector @Nullable String selector,

        @JsonPropertyDescription("The gateway's address inside Kubernetes.") @Nullable String gatewayUrl,

        @JsonPropertyDescription("The ConfigMap that holds the authority to trust, under ca.crt.") @Nullable String caConfigMap,

        @JsonPropertyDescription("The PostgreSQL member that takes writes.") @Nullable String primary,

        @JsonPropertyDescription("What it runs. A new release of the operator alone changes nothing of it.") @Nullable Images images,

        List<Condition> conditions) {

    public IdpClusterStatus {
        conditions = Defaults.list(conditions);
    }

    /**
     * Images that the operator chose, and when it last did.
     *
     * @param runtime the runtime's; absent when the spec names one
     * @param postgres PostgreSQL's
     * @param redis Redis'
     * @param gateway the gateway's
     * @param restart the value of the annotation {@code sekisho.dev/restart} at which they were chosen
     */
    public record Images(
            @Nullable String runtime,
            @Nullable String postgres,
            @Nullable String redis,
            @Nullable String gateway,
            @Nullable String restart) {}

    /** A word for people; programs read the conditions. */
    public enum Phase {
        Pending,
        Provisioning,
        Ready,
        Degraded,
        Paused,
        Deleting
    }
}
