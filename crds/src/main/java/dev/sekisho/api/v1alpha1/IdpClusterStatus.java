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
 * @param postgres PostgreSQL's members
 * @param images what it runs; a new release of the operator alone changes nothing of it
 * @param conditions Ready, UpToDate, PostgresReady, SchemaReady, RedisReady, RuntimeReady, GatewayReady, SecretsReady,
 *     CapacityValid
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

        @JsonPropertyDescription("PostgreSQL's members.") @Nullable Postgres postgres,

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

    /**
     * PostgreSQL's members.
     *
     * @param primary the member that takes writes
     * @param timeline the primary's timeline; each change of the primary begins a new one
     * @param members all of them
     * @param switchover the last planned change of the primary
     */
    @SchemaCustomizer(value = ListMaps.class, input = "members=name")
    public record Postgres(
            @JsonPropertyDescription("The member that takes writes.") @Nullable String primary,

            @JsonPropertyDescription("The primary's timeline; each change of the primary begins a new one.") @Nullable Integer timeline,

            List<Member> members,

            @JsonPropertyDescription("The last planned change of the primary.") @Nullable Switchover switchover) {
        public Postgres {
            members = Defaults.list(members);
        }
    }

    /**
     * A member of PostgreSQL.
     *
     * @param name of the member and of its pod
     * @param role primary or replica
     * @param state what Patroni says of it, such as running or starting
     * @param timeline of its data
     * @param lag how much of the primary's log it lacks, rounded up to a power of two; 0 for less than a mebibyte
     * @param pendingRestart whether a setting waits for its restart
     */
    public record Member(
            String name,
            @JsonPropertyDescription("primary or replica.") String role,

            @JsonPropertyDescription("Patroni's word for it, such as running or starting.")
            String state,

            @Nullable Integer timeline,

            @JsonPropertyDescription(
                    "How much of the primary's log it lacks, rounded up to a power of two; 0 for less than a mebibyte.")
            @Nullable String lag,

            @JsonPropertyDescription("Whether a setting waits for its restart.") @Nullable Boolean pendingRestart) {}

    /**
     * A planned change of the primary.
     *
     * @param request the annotation that asked for it
     * @param outcome Requested, Succeeded or Failed
     * @param from who was the primary
     * @param to who is to be, or has become, the primary
     * @param message why it failed
     */
    public record Switchover(
            String request,
            String outcome,
            @Nullable String from,
            @Nullable String to,
            @Nullable String message) {}

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
