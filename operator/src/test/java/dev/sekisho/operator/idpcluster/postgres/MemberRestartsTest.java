package dev.sekisho.operator.idpcluster.postgres;

import static dev.sekisho.operator.idpcluster.postgres.Members.NEW;
import static dev.sekisho.operator.idpcluster.postgres.Members.OLD;
import static dev.sekisho.operator.idpcluster.postgres.Members.at;
import static dev.sekisho.operator.idpcluster.postgres.Members.leaving;
import static dev.sekisho.operator.idpcluster.postgres.Members.pendingRestart;
import static dev.sekisho.operator.idpcluster.postgres.Members.primary;
import static dev.sekisho.operator.idpcluster.postgres.Members.replica;
import static dev.sekisho.operator.idpcluster.postgres.Members.startedAt;
import static dev.sekisho.operator.idpcluster.postgres.Members.unready;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MemberRestartsTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void nothingRestartsWhenAllMembersAreAsTheyShouldBe() {
        assertThat(next(primary("p-0", NEW), replica("p-1", NEW))).isEmpty();
    }

    @Test
    void replicasRestartBeforeThePrimaryTheLastOrdinalFirst() {
        assertThat(next(primary("p-1", OLD), replica("p-0", OLD), replica("p-2", OLD)))
                .contains("p-2");
    }

    @Test
    void thePrimaryRestartsOnceTheReplicasHave() {
        assertThat(next(primary("p-1", OLD), replica("p-0", NEW), replica("p-2", NEW)))
                .contains("p-1");
    }

    @Test
    void onlyOneMemberIsAwayAtATime() {
        assertThat(next(primary("p-0", OLD), replica("p-1", OLD), leaving(replica("p-2", OLD))))
                .isEmpty();
        assertThat(next(primary("p-0", OLD), replica("p-1", OLD), unready(replica("p-2", NEW))))
                .isEmpty();
        assertThat(MemberRestarts.next(Members.set(3), List.of(primary("p-0", OLD), replica("p-1", OLD)), NOW)
                        .restart())
                .isEmpty();
    }

    @Test
    void thePrimaryStaysUntilAReplicaCouldTakeOver() {
        var behind = at(replica("p-1", NEW), 1, 90L << 20);
        var notStreaming = new Member("p-1", false, "running", 1, 1, false, false, true, false, Instant.EPOCH, NEW);
        var elsewhere = at(replica("p-1", NEW), 7, 100L << 20);
        assertThat(next(primary("p-0", OLD), notStreaming)).isEmpty();
        assertThat(next(primary("p-0", OLD), elsewhere)).isEmpty();
        // It streams, and the primary waits for it when it stops in order.
        assertThat(next(primary("p-0", OLD), behind)).contains("p-0");
    }

    @Test
    void aReplicaStaysWhileThereIsNoPrimary() {
        assertThat(next(replica("p-0", OLD), replica("p-1", OLD))).isEmpty();
    }

    @Test
    void aMemberThatDoesNotWorkGoesFirst() {
        assertThat(next(primary("p-0", OLD), unready(replica("p-1", OLD)), replica("p-2", OLD)))
                .contains("p-1");
        assertThat(next(unready(primary("p-0", OLD)))).contains("p-0");
    }

    @Test
    void aMemberThatDoesNotWorkButIsUpToDateIsLeftAlone() {
        assertThat(next(primary("p-0", NEW), unready(replica("p-1", NEW)))).isEmpty();
    }

    @Test
    void aSoleMemberRestarts() {
        assertThat(next(primary("p-0", OLD))).contains("p-0");
    }

    @Test
    void aSettingThatNeedsItRestartsMembersToo() {
        assertThat(next(pendingRestart(primary("p-0", NEW)), pendingRestart(replica("p-1", NEW))))
                .contains("p-1");
        assertThat(next(pendingRestart(primary("p-0", NEW)), replica("p-1", NEW)))
                .contains("p-0");
    }

    @Test
    void aRestartThatDidNotHelpIsNotRepeatedAtOnce() {
        var young = startedAt(pendingRestart(replica("p-1", NEW)), NOW.minusSeconds(59));
        assertThat(next(primary("p-0", NEW), young)).isEmpty();
        assertThat(next(primary("p-0", NEW), startedAt(young, NOW.minusSeconds(60))))
                .contains("p-1");
        assertThat(next(primary("p-0", NEW), startedAt(replica("p-1", OLD), NOW)))
                .contains("p-1");
    }

    @Test
    void nothingRestartsBeforeTheControllerHasSeenTheTemplate() {
        var set = new StatefulSetBuilder(Members.set(1))
                .editMetadata()
                .withGeneration(3L)
                .endMetadata()
                .build();
        assertThat(MemberRestarts.next(set, List.of(primary("p-0", OLD)), NOW).restart())
                .isEmpty();
    }

    @Test
    void whatIsLeftToRestartIsCounted() {
        assertThat(MemberRestarts.next(Members.set(2), List.of(primary("p-0", OLD), replica("p-1", OLD)), NOW)
                        .outdated())
                .isEqualTo(2);
    }

    private static Optional<String> next(Member... members) {
        return MemberRestarts.next(Members.set(members.length), List.of(members), NOW)
                .restart()
                .map(Member::name);
    }
}
