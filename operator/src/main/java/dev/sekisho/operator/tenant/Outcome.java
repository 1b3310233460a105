package dev.sekisho.operator.tenant;

import dev.sekisho.api.management.TenantState;
import dev.sekisho.api.v1alpha1.TenantStatus.ClientStatus;
import dev.sekisho.operator.tenant.ClientSecrets.Unresolved;
import java.util.List;

/** What came of an attempt to make the runtime what a Tenant says. */
sealed interface Outcome {
    /** The reference to the cluster leads nowhere. */
    record ClusterUnusable(String reason, String message) implements Outcome {}

    /**
     * The cluster does not let this namespace in, or no longer.
     *
     * @param message what would let it in
     * @param left why the runtime may go on serving the tenant; empty when it does not
     */
    record Withdrawn(String message, String left) implements Outcome {}

    /** Something that nobody foresaw. */
    record Failed(String reason, String message) implements Outcome {}

    /** The cluster's runtime does not serve yet, or at the moment. */
    record ClusterNotReady(String message, Resolved clients) implements Outcome {}

    /** The runtime should serve and does not answer. */
    record Unreachable(String message, Resolved clients) implements Outcome {}

    /** The runtime will not have it. */
    record Refused(String reason, String message, Resolved clients) implements Outcome {}

    /** The runtime has it, but for clients whose secret is missing. */
    record Applied(TenantState state, Resolved clients) implements Outcome {}

    /**
     * The clients.
     *
     * @param clients where each one's secret is
     * @param unresolved those whose secret is missing or unfit
     */
    record Resolved(List<ClientStatus> clients, List<Unresolved> unresolved) {}
}
