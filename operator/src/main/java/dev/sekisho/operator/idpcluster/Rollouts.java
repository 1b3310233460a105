package dev.sekisho.operator.idpcluster;

import dev.sekisho.operator.idpcluster.resources.Blueprint;
import dev.sekisho.operator.kube.Labels.Component;
import dev.sekisho.operator.status.Observation;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Whether what runs is what the spec says. As with a Deployment this is a matter of its own: while a rollout goes on, or
 * fails, what ran before serves, and the cluster stays Ready.
 */
final class Rollouts {
    /** The type of the condition. */
    static final String UP_TO_DATE = "UpToDate";

    private Rollouts() {}

    /** How far one part is; a part that is up to date has no state. */
    private record State(boolean stuck, String message) {}

    static Observation upToDate(Snapshot seen) {
        var states = Stream.of(
                        members(seen),
                        of("Redis", seen.redis(), pods(seen, Component.REDIS.value())),
                        migration(seen),
                        of("the runtime", seen.runtime(), pods(seen, Component.RUNTIME.value())),
                        of("the gateway", seen.gateway(), pods(seen, Component.GATEWAY.value())))
                .filter(Objects::nonNull)
                .toList();
        if (seen.faults().any()) {
            return Observation.no(UP_TO_DATE, "ApplyFailed", "not all that the spec says could be applied");
        }
        if (states.isEmpty()) {
            var pending = seen.images().pending();
            if (!pending.isEmpty()) {
                return Observation.no(
                        UP_TO_DATE,
                        Reasons.UPDATE_PENDING,
                        "this release of the operator brings " + pending + "; a new value of the annotation "
                                + Blueprint.RESTART + " rolls that out");
            }
            return Observation.yes(UP_TO_DATE, "RolledOut", "what runs is what the spec says");
        }
        var first = states.stream().filter(State::stuck).findFirst().orElse(states.getFirst());
        return Observation.no(UP_TO_DATE, first.stuck() ? Reasons.ROLLOUT_STUCK : Reasons.ROLLING_OUT, first.message());
    }

    private static @Nullable State members(Snapshot seen) {
        var pods = pods(seen, Component.POSTGRES.value());
        var state = of("PostgreSQL", seen.postgres(), pods);
        return state != null || seen.outdatedMembers() == 0 ? state : state("PostgreSQL", false, pods);
    }

    private static @Nullable State of(String what, @Nullable Deployment deployment, List<Pod> pods) {
        if (deployment == null) {
            return new State(false, what + " is not there yet");
        }
        return isComplete(deployment) ? null : state(what, hasGivenUp(deployment), pods);
    }

    private static @Nullable State of(String what, @Nullable StatefulSet set, List<Pod> pods) {
        if (set == null) {
            return new State(false, what + " is not there yet");
        }
        return isComplete(set) ? null : state(what, false, pods);
    }

    private static State state(String what, boolean givenUp, List<Pod> pods) {
        boolean stuck = givenUp || pods.stream().anyMatch(PodStates::isStuck);
        return new State(
                stuck,
                (stuck ? "the rollout of " + what + " does not succeed" : what + " rolls out")
                        + PodStates.trouble(pods));
    }

    private static @Nullable State migration(Snapshot seen) {
        if (seen.migrated()) {
            return null;
        }
        var job = seen.migration();
        boolean failed = job != null && Observer.Jobs.hasFailed(job);
        return new State(
                failed,
                "the database is not ready for " + seen.plan().runtimeImage()
                        + PodStates.trouble(pods(seen, Blueprint.MIGRATE)));
    }

    /** Each replica that exists runs what is wanted, and no other exists; whether they serve is another question. */
    static boolean isComplete(Deployment deployment) {
        var status = deployment.getStatus();
        int wanted = number(deployment.getSpec().getReplicas());
        return status != null
                && number(status.getUpdatedReplicas()) == wanted
                && number(status.getReplicas()) == wanted
                && Objects.equals(deployment.getMetadata().getGeneration(), status.getObservedGeneration());
    }

    private static boolean isComplete(StatefulSet set) {
        var status = set.getStatus();
        return status != null
                && Objects.equals(set.getMetadata().getGeneration(), status.getObservedGeneration())
                && (status.getUpdateRevision() == null
                        || number(status.getUpdatedReplicas()) == number(status.getReplicas()));
    }

    /** Kubernetes counts a rollout as failed after {@code progressDeadlineSeconds}, and goes on trying. */
    static boolean hasGivenUp(Deployment deployment) {
        return deployment.getStatus() != null
                && deployment.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Progressing")
                                && condition.getStatus().equals("False"));
    }

    private static List<Pod> pods(Snapshot seen, String component) {
        return PodStates.of(seen.pods(), component);
    }

    private static int number(@Nullable Integer count) {
        return count == null ? 0 : count;
    }
}
