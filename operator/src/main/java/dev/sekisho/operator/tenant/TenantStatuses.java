package dev.sekisho.operator.tenant;

import dev.sekisho.api.v1alpha1.Condition;
import dev.sekisho.api.v1alpha1.Tenant;
import dev.sekisho.api.v1alpha1.TenantSpec.State;
import dev.sekisho.api.v1alpha1.TenantStatus;
import dev.sekisho.api.v1alpha1.TenantStatus.ClientStatus;
import dev.sekisho.api.v1alpha1.TenantStatus.Phase;
import dev.sekisho.operator.status.Conditions;
import dev.sekisho.operator.status.Observation;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** The status that tells what came of an attempt. Pure but for the clock of its conditions. */
final class TenantStatuses {
    /** Whether the cluster and every client's secret were found. */
    static final String REFERENCES_RESOLVED = "ReferencesResolved";

    /** Whether the runtime has what the current spec says. */
    static final String APPLIED = "Applied";

    /** Whether the tenant is served as the spec says. */
    static final String READY = "Ready";

    private static final TenantStatus NONE =
            new TenantStatus(null, null, null, null, null, List.of(), List.of(), List.of());

    private final Conditions conditions;

    TenantStatuses(Conditions conditions) {
        this.conditions = conditions;
    }

    /** The status that stands, or an empty one. */
    static TenantStatus current(Tenant tenant) {
        return Objects.requireNonNullElse(tenant.getStatus(), NONE);
    }

    /** The next status. What is known of issuer and keys stays while nothing newer is known. */
    TenantStatus next(Tenant tenant, Outcome outcome) {
        var current = current(tenant);
        return switch (outcome) {
            case Outcome.ClusterUnusable(var reason, var message) ->
                with(
                        tenant,
                        current,
                        Phase.Pending,
                        current.clients(),
                        List.of(
                                Observation.no(REFERENCES_RESOLVED, reason, message),
                                Observation.unknown(APPLIED, reason, message),
                                Observation.no(READY, reason, message)));
            case Outcome.SecretsUnusable(var reason, var message) ->
                with(
                        tenant,
                        current,
                        Phase.Pending,
                        current.clients(),
                        List.of(
                                Observation.no(REFERENCES_RESOLVED, reason, message),
                                stillApplied(tenant, reason, message),
                                Observation.no(READY, reason, message)));
            case Outcome.ClusterNotReady(var message, var clients) ->
                with(
                        tenant,
                        current,
                        Phase.Pending,
                        clients,
                        List.of(
                                resolved(),
                                stillApplied(tenant, "ClusterNotReady", message),
                                Observation.no(READY, "ClusterNotReady", message)));
            case Outcome.Unreachable(var message, var clients) ->
                with(
                        tenant,
                        current,
                        Phase.Pending,
                        clients,
                        List.of(
                                resolved(),
                                stillApplied(tenant, "RuntimeUnreachable", message),
                                Observation.no(READY, "RuntimeUnreachable", message)));
            case Outcome.Refused(var reason, var message, var clients) ->
                with(
                        tenant,
                        current,
                        Phase.Failed,
                        clients,
                        List.of(
                                resolved(),
                                Observation.no(APPLIED, reason, message),
                                Observation.no(READY, reason, message)));
            case Outcome.Applied(var state, var clients) -> {
                boolean active = tenant.getSpec().state() == State.Active;
                var observed = List.of(
                        resolved(),
                        Observation.yes(APPLIED, "Applied", "the runtime has what the spec says"),
                        active
                                ? Observation.yes(READY, "Ready", "the tenant is served")
                                : Observation.no(READY, "Suspended", "the spec's state is Suspended: not served"));
                yield new TenantStatus(
                        generation(tenant),
                        active ? Phase.Ready : Phase.Suspended,
                        state.issuer(),
                        state.jwksUri(),
                        state.key().toString(),
                        state.keys().stream()
                                .map(key -> new TenantStatus.Key(key.kid(), key.algorithm(), key.state()))
                                .sorted(Comparator.comparing(TenantStatus.Key::kid))
                                .toList(),
                        clients,
                        conditions.merge(current.conditions(), observed, generation(tenant)));
            }
        };
    }

    /** The status of a Tenant whose deletion waits for the runtime. */
    TenantStatus deleting(Tenant tenant, String reason, String message) {
        var current = current(tenant);
        return with(
                tenant,
                current,
                Phase.Deleting,
                current.clients(),
                List.of(
                        observed(current, REFERENCES_RESOLVED),
                        observed(current, APPLIED),
                        Observation.no(READY, reason, message)));
    }

    private TenantStatus with(
            Tenant tenant, TenantStatus current, Phase phase, List<ClientStatus> clients, List<Observation> observed) {
        return new TenantStatus(
                generation(tenant),
                phase,
                current.issuer(),
                current.jwksUri(),
                current.tenantKey(),
                current.keys(),
                clients,
                conditions.merge(current.conditions(), observed, generation(tenant)));
    }

    private static Observation resolved() {
        return Observation.yes(
                REFERENCES_RESOLVED, "Resolved", "the IdpCluster and the secret of every client were found");
    }

    /** What the runtime once took, it keeps: an obstacle that came later does not change that. */
    private static Observation stillApplied(Tenant tenant, String reason, String message) {
        return isApplied(tenant)
                ? Observation.yes(APPLIED, "Applied", "the runtime has what the spec says")
                : Observation.unknown(APPLIED, reason, message);
    }

    /** Whether the current generation was applied already. */
    static boolean isApplied(Tenant tenant) {
        return Conditions.find(current(tenant).conditions(), APPLIED)
                .filter(applied -> applied.status() == Condition.Status.True
                        && Objects.equals(applied.observedGeneration(), generation(tenant)))
                .isPresent();
    }

    private static Observation observed(TenantStatus current, String type) {
        return Conditions.find(current.conditions(), type)
                .map(old -> new Observation(type, old.status(), old.reason(), old.message()))
                .orElseGet(() -> Observation.unknown(type, "Deleting", "the Tenant is being deleted"));
    }

    private static long generation(Tenant tenant) {
        return Objects.requireNonNullElse(tenant.getMetadata().getGeneration(), 0L);
    }
}
