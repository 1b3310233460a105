package dev.sekisho.operator.idpcluster.postgres;

import dev.sekisho.api.v1alpha1.IdpClusterStatus;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the status says of PostgreSQL. Changes seldom, so that a system at rest is not written to. */
public final class PostgresStatuses {
    private static final long MIB = 1 << 20;

    private PostgresStatuses() {}

    /** The status; null when there is nothing yet. */
    public static IdpClusterStatus.@Nullable Postgres of(List<Member> members, Optional<Switchover> switchover) {
        if (members.isEmpty() && switchover.isEmpty()) {
            return null;
        }
        // Two for a moment while the role moves: the ready one counts.
        var primary = members.stream()
                .filter(member -> member.primary() && !member.leaving())
                .max(Comparator.comparing(Member::ready));
        return new IdpClusterStatus.Postgres(
                primary.map(Member::name).orElse(null),
                primary.map(Member::timeline).orElse(null),
                members.stream()
                        .sorted(Comparator.comparing(Member::name))
                        .map(member -> member(member, primary))
                        .toList(),
                switchover.map(PostgresStatuses::switchover).orElse(null));
    }

    private static IdpClusterStatus.Member member(Member member, Optional<Member> primary) {
        return new IdpClusterStatus.Member(
                member.name(),
                member.primary() ? "primary" : "replica",
                member.leaving() ? "stopping" : member.state(),
                member.timeline(),
                member.primary() || member.position() == 0
                        ? null
                        : primary.map(leader -> lag(leader.position() - member.position()))
                                .orElse(null),
                member.pendingRestart() ? true : null);
    }

    /** Rounded, because it changes with every commit and the status shall not. */
    static String lag(long bytes) {
        long mib = bytes / MIB;
        return mib < 1 ? "0" : (Long.highestOneBit(mib) << (Long.bitCount(mib) > 1 ? 1 : 0)) + "Mi";
    }

    private static IdpClusterStatus.Switchover switchover(Switchover last) {
        return new IdpClusterStatus.Switchover(
                last.request(),
                last.outcome().name(),
                last.from(),
                last.to(),
                last.message().isEmpty() ? null : last.message());
    }
}
