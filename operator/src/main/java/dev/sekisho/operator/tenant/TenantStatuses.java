package dev.sekisho.operator.tenant;

import dev.sekisho.api.management.TenantState;
import dev.sekisho.api.v1alpha1.Condition;
import dev.sekisho.api.v1alpha1.Tenant;
import dev.sekisho.api.v1alpha1.TenantSpec.State;
import dev.sekisho.api.v1alpha1.TenantStatus;
import dev.sekisho.api.v1alpha1.TenantStatus.ClientStatus;
import dev.sekisho.api.v1alpha1.TenantStatus.Phase;
import dev.sekisho.operator.status.Conditions;
import dev.sekisho.operator.status.Observation;
import dev.sekisho.operator.tenant.ClientSecrets.Unresolved;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** The status that tells what came of an attempt. Pure but for the clock of its conditions. */
final class TenantStatuses {
    /** Whether the cluster and every client's secret were found. */
    static final String REFERENCES_RESOLVED = "ReferencesResolved";

    static final String NOT_ALLOWED = "NamespaceNotAllowed";
    static final String UNREACHABLE = "RuntimeUnreachable";

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
            case Outcome.Withdrawn(var message, var left) ->
                with(
                        tenant,
                        current,
                        Phase.Pending,
                        current.clients(),
                        List.of(
                                Observation.no(REFERENCES_RESOLVED, NOT_ALLOWED, message),
                                left.isEmpty()
                                        ? Observation.no(APPLIED, NOT_ALLOWED, "the runtime does not serve the tenant")
                                        : Observation.unknown(
                                                APPLIED,
                                                UNREACHABLE,
                                                "the runtime may still serve the tenant: " + left),
                                Observation.no(READY, NOT_ALLOWED, message)));
            case Outcome.Failed(var reason, var message) ->
                with(
                        tenant,
                        current,
                        Phase.Pending,
                        current.clients(),
                        List.of(
                                observed(current, REFERENCES_RESOLVED),
                                stillApplied(tenant, reason, message),
                                Observation.no(READY, reason, message)));
            case Outcome.ClusterNotReady(var message, var clients) ->
                with(
                        tenant,
                        current,
                        Phase.Pending,
                        clients.clients(),
                        List.of(
                                resolved(clients),
                                stillApplied(tenant, "ClusterNotReady", message),
                                Observation.no(READY, "ClusterNotReady", message)));
            case Outcome.Unreachable(var message, var clients) ->
                with(
                        tenant,
                        current,
                        Phase.Pending,
                        clients.clients(),
                        List.of(
                                resolved(clients),
                                stillApplied(tenant, UNREACHABLE, message),
                                Observation.no(READY, UNREACHABLE, message)));
            case Outcome.Refused(var reason, var message, var clients) ->
                with(
                        tenant,
                        current,
                        Phase.Failed,
                        clients.clients(),
                        List.of(
                                resolved(clients),
                                Observation.no(APPLIED, reason, message),
                                Observation.no(READY, reason, message)));
            case Outcome.Applied(var state, var clients) -> applied(tenant, current, state, clients);
        };
    }

    private TenantStatus applied(Tenant tenant, TenantStatus current, TenantState state, Outcome.Resolved clients) {
        boolean active = tenant.getSpec().state() == State.Active;
        var resolved = resolved(clients);
        boolean whole = resolved.isTrue();
        var ready = active && whole
                ? Observation.yes(READY, "Ready", "the tenant is served")
                : Observation.no(
                        READY,
                        active ? resolved.reason() : "Suspended",
                        active
                                ? "the tenant is served, but for clients without a secret: " + resolved.message()
                                : "the spec's state is Suspended: not served");
        var observed = List.of(
                resolved,
                whole
                        ? Observation.yes(APPLIED, "Applied", "the runtime has what the spec says")
                        : Observation.no(
                                APPLIED, resolved.reason(), "the runtime has all but the clients without a secret"),
                ready);
        return new TenantStatus(
                generation(tenant),
                active ? whole ? Phase.Ready : Phase.Pending : Phase.Suspended,
                state.issuer(),
                state.jwksUri(),
                state.key().toString(),
                state.keys().stream()
                        .map(key -> new TenantStatus.Key(key.kid(), key.algorithm(), key.state()))
                        .sorted(Comparator.comparing(TenantStatus.Key::kid))
                        .toList(),
                clients.clients(),
                conditions.merge(current.conditions(), observed, generation(tenant)));
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

    /** The first reason stands for all; the message names every client. */
    private static Observation resolved(Outcome.Resolved clients) {
        var unresolved = clients.unresolved();
        return unresolved.isEmpty()
                ? Observation.yes(
                        REFERENCES_RESOLVED, "Resolved", "the IdpCluster and the secret of every client were found")
                : Observation.no(
                        REFERENCES_RESOLVED,
                        unresolved.getFirst().reason(),
                        unresolved.stream().map(Unresolved::message).collect(Collectors.joining("; ")));
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
                .orElseGet(() -> Observation.unknown(type, "Unknown", "nothing is known of it yet"));
    }

    private static long generation(Tenant tenant) {
        return Objects.requireNonNullElse(tenant.getMetadata().getGeneration(), 0L);
    }
}
