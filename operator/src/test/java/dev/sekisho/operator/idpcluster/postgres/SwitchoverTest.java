package dev.sekisho.operator.idpcluster.postgres;

import static dev.sekisho.operator.idpcluster.postgres.Members.NEW;
import static dev.sekisho.operator.idpcluster.postgres.Members.primary;
import static dev.sekisho.operator.idpcluster.postgres.Members.replica;
import static dev.sekisho.operator.idpcluster.postgres.Members.unready;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sekisho.operator.idpcluster.postgres.Switchover.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SwitchoverTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final List<Member> MEMBERS = List.of(primary("p-0", NEW), replica("p-1", NEW));
    private static final List<Member> SWITCHED = List.of(replica("p-0", NEW), primary("p-1", NEW));

    @Test
    void patroniIsToldWhoHandsOverToWhom() {
        var asked = next("p-1", Optional.empty(), MEMBERS).orElseThrow();
        assertThat(asked.outcome()).isEqualTo(Outcome.Requested);
        assertThat(asked.annotations()).containsEntry("leader", "p-0").containsEntry("member", "p-1");
    }

    @Test
    void anyReplicaWillDoWhenAskedSo() {
        var asked = next("any/2026-01-01", Optional.empty(), MEMBERS).orElseThrow();
        assertThat(asked.annotations()).containsEntry("leader", "p-0").doesNotContainKey("member");
    }

    @Test
    void itSucceedsOnceAnotherMemberLeads() {
        var asked = next("any", Optional.empty(), MEMBERS);
        var done = next("any", asked, SWITCHED).orElseThrow();
        assertThat(done.outcome()).isEqualTo(Outcome.Succeeded);
        assertThat(done.to()).isEqualTo("p-1");
        assertThat(done.annotations()).doesNotContainKeys("leader", "member");
    }

    @Test
    void itWaitsForTheNewPrimaryToBeReady() {
        var asked = next("any", Optional.empty(), MEMBERS);
        assertThat(next("any", asked, List.of(replica("p-0", NEW), unready(primary("p-1", NEW)))))
                .isEqualTo(asked);
    }

    @Test
    void eachRequestActsOnceAlsoAfterARestart() {
        var done = next("any", next("any", Optional.empty(), MEMBERS), SWITCHED).orElseThrow();
        var remembered = Switchover.of(done.annotations());
        assertThat(remembered).contains(done);
        assertThat(next("any", remembered, SWITCHED)).isEqualTo(remembered);
        assertThat(next(null, remembered, SWITCHED)).isEqualTo(remembered);
        assertThat(next("any/2", remembered, SWITCHED).orElseThrow().annotations())
                .containsEntry("leader", "p-1");
    }

    @Test
    void itIsTakenBackWhenPatroniDoesNotFollow() {
        var asked = next("any", Optional.empty(), MEMBERS);
        var late = Switchover.next("any", asked, MEMBERS, NOW.plus(Switchover.PATIENCE))
                .orElseThrow();
        assertThat(late.outcome()).isEqualTo(Outcome.Failed);
        assertThat(late.annotations()).doesNotContainKey("leader");
        assertThat(late.message()).isNotEmpty();
    }

    @Test
    void aMemberThatCannotLeadIsRefused() {
        for (var request : List.of("p-7", "p-2")) {
            var members = List.of(primary("p-0", NEW), replica("p-1", NEW), unready(replica("p-2", NEW)));
            var failed = next(request, Optional.empty(), members).orElseThrow();
            assertThat(failed.outcome()).isEqualTo(Outcome.Failed);
            assertThat(failed.message()).contains(request);
        }
        assertThat(next("any", Optional.empty(), List.of(primary("p-0", NEW)))
                        .orElseThrow()
                        .outcome())
                .isEqualTo(Outcome.Failed);
        assertThat(next("any", Optional.empty(), List.of()).orElseThrow().outcome())
                .isEqualTo(Outcome.Failed);
    }

    @Test
    void whoLeadsAlreadyNeedNotBeAsked() {
        assertThat(next("p-0", Optional.empty(), MEMBERS).orElseThrow().outcome())
                .isEqualTo(Outcome.Succeeded);
    }

    @Test
    void withoutARequestNothingHappens() {
        assertThat(next(null, Optional.empty(), MEMBERS)).isEmpty();
        assertThat(Switchover.of(Map.of("leader", "p-0"))).isEmpty();
        assertThat(Switchover.of(Map.of("sekisho.dev/switchover-request", "any")))
                .isEmpty();
    }

    @Test
    void anOverlongRequestIsRefused() {
        var failed = next("p".repeat(5000), Optional.empty(), MEMBERS).orElseThrow();
        assertThat(failed.outcome()).isEqualTo(Outcome.Failed);
        assertThat(Switchover.next("p".repeat(5000), Optional.of(failed), MEMBERS, NOW.plusSeconds(9)))
                .contains(failed);
    }

    private static Optional<Switchover> next(@Nullable String wanted, Optional<Switchover> last, List<Member> members) {
        return Switchover.next(wanted, last, members, NOW);
    }
}
