package dev.sekisho.operator.idpcluster.postgres;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import java.time.Instant;

/** Members for tests. */
final class Members {
    static final String OLD = "old";
    static final String NEW = "new";

    private Members() {}

    static Member primary(String name, String revision) {
        return new Member(name, true, "running", 1, 100L << 20, false, false, true, false, Instant.EPOCH, revision);
    }

    static Member replica(String name, String revision) {
        return new Member(name, false, "running", 1, 100L << 20, true, false, true, false, Instant.EPOCH, revision);
    }

    static Member unready(Member member) {
        return new Member(
                member.name(),
                member.primary(),
                "starting",
                member.timeline(),
                member.position(),
                false,
                member.pendingRestart(),
                false,
                member.leaving(),
                member.startedAt(),
                member.revision());
    }

    static Member leaving(Member member) {
        return new Member(
                member.name(),
                member.primary(),
                member.state(),
                member.timeline(),
                member.position(),
                member.streaming(),
                member.pendingRestart(),
                member.ready(),
                true,
                member.startedAt(),
                member.revision());
    }

    static Member pendingRestart(Member member) {
        return new Member(
                member.name(),
                member.primary(),
                member.state(),
                member.timeline(),
                member.position(),
                member.streaming(),
                true,
                member.ready(),
                member.leaving(),
                member.startedAt(),
                member.revision());
    }

    static Member startedAt(Member member, Instant time) {
        return new Member(
                member.name(),
                member.primary(),
                member.state(),
                member.timeline(),
                member.position(),
                member.streaming(),
                member.pendingRestart(),
                member.ready(),
                member.leaving(),
                time,
                member.revision());
    }

    static Member at(Member member, int timeline, long position) {
        return new Member(
                member.name(),
                member.primary(),
                member.state(),
                timeline,
                position,
                member.streaming(),
                member.pendingRestart(),
                member.ready(),
                member.leaving(),
                member.startedAt(),
                member.revision());
    }

    static StatefulSet set(int replicas) {
        return new StatefulSetBuilder()
                .withNewMetadata()
                .withName("main-postgres")
                .withGeneration(2L)
                .endMetadata()
                .withNewSpec()
                .withReplicas(replicas)
                .endSpec()
                .withNewStatus()
                .withObservedGeneration(2L)
                .withUpdateRevision(NEW)
                .endStatus()
                .build();
    }
}
