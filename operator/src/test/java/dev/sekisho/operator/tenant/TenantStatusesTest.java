package dev.sekisho.operator.tenant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sekisho.api.management.TenantState;
import dev.sekisho.api.v1alpha1.Tenant;
import dev.sekisho.api.v1alpha1.TenantIds;
import dev.sekisho.api.v1alpha1.TenantStatus;
import dev.sekisho.api.v1alpha1.TenantStatus.ClientStatus;
import dev.sekisho.api.v1alpha1.TenantStatus.Phase;
import dev.sekisho.operator.kube.Clients;
import dev.sekisho.operator.status.Conditions;
import dev.sekisho.operator.tenant.ClientSecrets.Unresolved;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TenantStatusesTest {
    private static final List<ClientStatus> CLIENTS =
            List.of(new ClientStatus("backend", "acme-client-backend", "client-secret", true));
    private static final Outcome.Resolved RESOLVED = new Outcome.Resolved(CLIENTS, List.of());
    private static final Outcome.Resolved MISSING = new Outcome.Resolved(
            CLIENTS, List.of(new Unresolved("SecretNotFound", "client backend: there is no Secret own")));
    private static final TenantState STATE = new TenantState(
            "acme",
            TenantIds.key("acme"),
            "https://idp.example/acme",
            "https://idp.example/acme/v1/jwks",
            1,
            true,
            List.of(new TenantState.Key("z", "RS256", "active"), new TenantState.Key("a", "ES256", "active")));
    private static final Outcome APPLIED = new Outcome.Applied(STATE, RESOLVED);

    private final TenantStatuses statuses =
            new TenantStatuses(new Conditions(Clock.fixed(Instant.parse("2026-01-01T12:00:00Z"), ZoneOffset.UTC)));

    static Stream<Arguments> outcomes() {
        return Stream.of(
                arguments(
                        new Outcome.ClusterUnusable("ClusterNotFound", "there is none"),
                        Phase.Pending,
                        "ReferencesResolved=False ClusterNotFound, Applied=Unknown ClusterNotFound, Ready=False"
                                + " ClusterNotFound",
                        "ReferencesResolved=False ClusterNotFound, Applied=Unknown ClusterNotFound, Ready=False"
                                + " ClusterNotFound"),
                arguments(
                        new Outcome.Withdrawn("not let in", ""),
                        Phase.Pending,
                        "ReferencesResolved=False NamespaceNotAllowed, Applied=False NamespaceNotAllowed, Ready=False"
                                + " NamespaceNotAllowed",
                        "ReferencesResolved=False NamespaceNotAllowed, Applied=False NamespaceNotAllowed, Ready=False"
                                + " NamespaceNotAllowed"),
                arguments(
                        new Outcome.Withdrawn("not let in", "no answer"),
                        Phase.Pending,
                        "ReferencesResolved=False NamespaceNotAllowed, Applied=Unknown RuntimeUnreachable, Ready=False"
                                + " NamespaceNotAllowed",
                        "ReferencesResolved=False NamespaceNotAllowed, Applied=Unknown RuntimeUnreachable, Ready=False"
                                + " NamespaceNotAllowed"),
                arguments(
                        new Outcome.Failed("ReconcileFailed", "unexpected"),
                        Phase.Pending,
                        "ReferencesResolved=Unknown Unknown, Applied=Unknown ReconcileFailed, Ready=False"
                                + " ReconcileFailed",
                        "ReferencesResolved=True Resolved, Applied=True Applied, Ready=False ReconcileFailed"),
                arguments(
                        new Outcome.Applied(STATE, MISSING),
                        Phase.Pending,
                        "ReferencesResolved=False SecretNotFound, Applied=False SecretNotFound, Ready=False"
                                + " SecretNotFound",
                        "ReferencesResolved=False SecretNotFound, Applied=False SecretNotFound, Ready=False"
                                + " SecretNotFound"),
                arguments(
                        new Outcome.ClusterNotReady("not ready", RESOLVED),
                        Phase.Pending,
                        "ReferencesResolved=True Resolved, Applied=Unknown ClusterNotReady, Ready=False ClusterNotReady",
                        "ReferencesResolved=True Resolved, Applied=True Applied, Ready=False ClusterNotReady"),
                arguments(
                        new Outcome.Unreachable("no answer", RESOLVED),
                        Phase.Pending,
                        "ReferencesResolved=True Resolved, Applied=Unknown RuntimeUnreachable, Ready=False"
                                + " RuntimeUnreachable",
                        "ReferencesResolved=True Resolved, Applied=True Applied, Ready=False RuntimeUnreachable"),
                arguments(
                        new Outcome.Refused("TenantIdConflict", "held by another", RESOLVED),
                        Phase.Failed,
                        "ReferencesResolved=True Resolved, Applied=False TenantIdConflict, Ready=False"
                                + " TenantIdConflict",
                        "ReferencesResolved=True Resolved, Applied=False TenantIdConflict, Ready=False"
                                + " TenantIdConflict"),
                arguments(
                        APPLIED,
                        Phase.Ready,
                        "ReferencesResolved=True Resolved, Applied=True Applied, Ready=True Ready",
                        "ReferencesResolved=True Resolved, Applied=True Applied, Ready=True Ready"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("outcomes")
    void anOutcomeIsToldByConditions(Outcome outcome, Phase phase, String fresh, String afterSuccess) {
        var tenant = tenant("");
        assertThat(text(statuses.next(tenant, outcome))).isEqualTo(phase + ": " + fresh);

        tenant.setStatus(statuses.next(tenant, APPLIED));
        assertThat(text(statuses.next(tenant, outcome))).isEqualTo(phase + ": " + afterSuccess);
    }

    @Test
    void theSameOutcomeGivesTheSameStatus() {
        var tenant = tenant("");
        tenant.setStatus(statuses.next(tenant, APPLIED));

        assertThat(statuses.next(tenant, APPLIED)).isEqualTo(tenant.getStatus());
    }

    @Test
    void keysStandInAnOrderOfTheirOwn() {
        assertThat(statuses.next(tenant(""), APPLIED).keys()).extracting("kid").containsExactly("a", "z");
    }

    @Test
    void whatIsKnownStaysWhileNothingNewerIs() {
        var tenant = tenant("");
        tenant.setStatus(statuses.next(tenant, APPLIED));

        var next = statuses.next(tenant, new Outcome.ClusterUnusable("ClusterNotFound", "there is none"));

        assertThat(next.issuer()).isEqualTo("https://idp.example/acme");
        assertThat(next.keys()).hasSize(2);
        assertThat(next.clients()).isEqualTo(CLIENTS);
    }

    @Test
    void anEditedSpecIsNotAppliedYet() {
        var tenant = tenant("");
        tenant.setStatus(statuses.next(tenant, APPLIED));
        tenant.getMetadata().setGeneration(2L);

        assertThat(TenantStatuses.isApplied(tenant)).isFalse();
        assertThat(text(statuses.next(tenant, new Outcome.Unreachable("no answer", RESOLVED))))
                .contains("Applied=Unknown RuntimeUnreachable");
    }

    @Test
    void aSuspendedTenantIsAppliedAndNotReady() {
        assertThat(text(statuses.next(tenant(", state: Suspended"), APPLIED)))
                .isEqualTo("Suspended: ReferencesResolved=True Resolved, Applied=True Applied, Ready=False Suspended");
    }

    @Test
    void aTenantIsSuspendedAlsoWhileAClientsSecretIsMissing() {
        assertThat(text(statuses.next(tenant(", state: Suspended"), new Outcome.Applied(STATE, MISSING))))
                .isEqualTo("Suspended: ReferencesResolved=False SecretNotFound, Applied=False SecretNotFound,"
                        + " Ready=False Suspended");
    }

    private static Tenant tenant(String more) {
        return Clients.serialization().unmarshal("""
                apiVersion: sekisho.dev/v1alpha1
                kind: Tenant
                metadata: {name: acme, namespace: demo, uid: tenant-uid, generation: 1}
                spec: {clusterRef: {name: main}, tenantId: acme, clients: [{clientId: backend}]%s}
                """.formatted(more), Tenant.class);
    }

    private static String text(TenantStatus status) {
        return status.phase() + ": "
                + status.conditions().stream()
                        .map(c -> c.type() + "=" + c.status() + " " + c.reason())
                        .collect(Collectors.joining(", "));
    }
}
