package dev.sekisho.operator.tenant;

import dev.sekisho.api.management.TenantState;
import dev.sekisho.api.v1alpha1.TenantStatus.ClientStatus;
import java.util.List;

/** What came of an attempt to make the runtime what a Tenant says. */
sealed interface Outcome {
    /** The reference to the cluster leads nowhere. */
    record ClusterUnusable(String reason, String message) implements Outcome {}

    /** A client's secret is missing or unfit. */
    record SecretsUnusable(String reason, String message) implements Outcome {}

    /** The cluster's runtime does not serve yet, or at the moment. */
    record ClusterNotReady(String message, List<ClientStatus> clients) implements Outcome {}

    /** The runtime should serve and does not answer. */
    record Unreachable(String message, List<ClientStatus> clients) implements Outcome {}

    /** The runtime will not have it. */
    record Refused(String reason, String message, List<ClientStatus> clients) implements Outcome {}

    /** The runtime has it. */
    record Applied(TenantState state, List<ClientStatus> clients) implements Outcome {}
}
