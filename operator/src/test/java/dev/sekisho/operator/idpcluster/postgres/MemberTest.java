package dev.sekisho.operator.idpcluster.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MemberTest {
    @Test
    void aReplicaIsReadFromWhatPatroniWrites() {
        var member = Member.of(pod("replica", """
                {"conn_url":"postgres://10.88.0.9:5432/postgres","api_url":"http://10.88.0.9:8008/patroni",\
                "state":"running","role":"replica","version":"4.1.5","xlog_location":83886080,\
                "replication_state":"streaming","timeline":3,"pending_restart":true}"""));
        assertThat(member)
                .isEqualTo(new Member(
                        "p-1", false, "running", 3, 83886080, true, true, true, false, Instant.EPOCH, "main-7"));
    }

    @Test
    void aMemberThatHasSaidNothingIsUnknown() {
        assertThat(Member.of(new PodBuilder()
                        .withNewMetadata()
                        .withName("p-0")
                        .endMetadata()
                        .build()))
                .isEqualTo(new Member("p-0", false, "unknown", null, 0, false, false, false, false, Instant.EPOCH, ""));
    }

    @Test
    void whatIsNoJsonIsAsNothing() {
        for (var text : new String[] {"", "{", "7", "[]", "null", "\"x\"", "{\"timeline\":\"x\",\"state\":[]}"}) {
            assertThat(Member.of(pod("primary", text)).timeline()).as(text).isNull();
        }
    }

    @Test
    void onlyThePositionMayDifferBetweenMembersThatResembleEachOther() {
        var one = Members.replica("p-1", "r");
        assertThat(one.resembles(Members.at(one, 1, 7))).isTrue();
        assertThat(one.resembles(Members.at(one, 2, 7))).isFalse();
        assertThat(one.resembles(Members.unready(one))).isFalse();
    }

    @Test
    void lagIsRoundedUpToAPowerOfTwo() {
        assertThat(PostgresStatuses.lag(-5)).isEqualTo("0");
        assertThat(PostgresStatuses.lag((1 << 20) - 1)).isEqualTo("0");
        assertThat(PostgresStatuses.lag(1 << 20)).isEqualTo("1Mi");
        assertThat(PostgresStatuses.lag(5L << 20)).isEqualTo("8Mi");
        assertThat(PostgresStatuses.lag(64L << 30)).isEqualTo("65536Mi");
    }

    @Test
    void theStatusNamesThePrimaryItsTimelineAndEachMembersLag() {
        var leader = Members.at(Members.primary("p-1", "r"), 4, 10L << 20);
        var behind = Members.at(Members.replica("p-0", "r"), 4, 6L << 20);
        var status = PostgresStatuses.of(java.util.List.of(leader, behind), Optional.empty());
        assertThat(status).isNotNull();
        assertThat(status.primary()).isEqualTo("p-1");
        assertThat(status.timeline()).isEqualTo(4);
        assertThat(status.members())
                .extracting(m -> m.name() + " " + m.role() + " " + m.lag())
                .containsExactly("p-0 replica 4Mi", "p-1 primary null");
    }

    private static Pod pod(String role, String status) {
        return new PodBuilder()
                .withNewMetadata()
                .withName("p-1")
                .withLabels(Map.of("role", role, "controller-revision-hash", "main-7"))
                .withAnnotations(Map.of("status", status))
                .endMetadata()
                .withNewStatus()
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .endCondition()
                .endStatus()
                .build();
    }
}
