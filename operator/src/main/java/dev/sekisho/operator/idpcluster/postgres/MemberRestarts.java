package dev.sekisho.operator.idpcluster.postgres;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Which member restarts next, after a change of the StatefulSet's template or of a setting that needs it: one at a time,
 * replicas first, the primary last and only when the others could take over, so that writes pause once. A member that
 * does not work anyway goes first: it is what a changed template is often meant to mend, and StatefulSets themselves
 * never replace it.
 *
 * <p>Restarting is deleting the pod, with its grace period: a primary that stops in order hands over to a replica that
 * has everything.
 */
public final class MemberRestarts {
    /** A restart that does not help is not repeated at once. */
    static final Duration PAUSE = Duration.ofMinutes(1);

    private MemberRestarts() {}

    /**
     * What is to do.
     *
     * @param restart the member to restart now; empty when there is none, or it must wait
     * @param outdated how many members have not restarted yet
     */
    public record Step(Optional<Member> restart, int outdated) {
        static final Step NONE = new Step(Optional.empty(), 0);
    }

    /** The next step; nothing as long as the StatefulSet's controller has not seen the template. */
    public static Step next(StatefulSet set, List<Member> members, Instant now) {
        var status = set.getStatus();
        if (status == null
                || status.getUpdateRevision() == null
                || !Objects.equals(set.getMetadata().getGeneration(), status.getObservedGeneration())) {
            return Step.NONE;
        }
        var revision = status.getUpdateRevision();
        var outdated = members.stream()
                .filter(member -> !member.leaving())
                .filter(member -> !member.revision().equals(revision) || member.pendingRestart())
                .sorted(Comparator.comparing(Member::ready)
                        .thenComparing(Member::primary)
                        .thenComparing(Member::name, Comparator.reverseOrder()))
                .toList();
        if (outdated.isEmpty()) {
            return Step.NONE;
        }
        var first = outdated.getFirst();
        boolean isDue = !first.revision().equals(revision)
                || !now.isBefore(first.startedAt().plus(PAUSE));
        return new Step(
                isDue && mayRestart(first, set, members) ? Optional.of(first) : Optional.empty(), outdated.size());
    }

    private static boolean mayRestart(Member member, StatefulSet set, List<Member> members) {
        if (members.stream().anyMatch(Member::leaving)) {
            return false;
        }
        var others = members.stream().filter(other -> !other.equals(member)).toList();
        if (!member.ready()) {
            return true;
        }
        int wanted = Objects.requireNonNullElse(set.getSpec().getReplicas(), 1);
        boolean othersWork = others.size() >= wanted - 1
                && others.stream().allMatch(other -> other.ready() && follows(other, member));
        return othersWork && (member.primary() || others.stream().anyMatch(Member::primary));
    }

    /** Whether a member would not lose by the restart of another: it leads, or it is up to date with whoever does. */
    private static boolean follows(Member other, Member restarting) {
        return other.primary()
                || (other.streaming()
                        && (!restarting.primary() || Objects.equals(other.timeline(), restarting.timeline())));
    }
}
