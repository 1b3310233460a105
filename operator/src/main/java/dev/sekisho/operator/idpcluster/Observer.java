package dev.sekisho.operator.idpcluster;

import dev.sekisho.api.v1alpha1.IdpClusterStatus;
import dev.sekisho.api.v1alpha1.IdpClusterStatus.Phase;
import dev.sekisho.operator.idpcluster.postgres.Capacity;
import dev.sekisho.operator.idpcluster.postgres.PostgresStatuses;
import dev.sekisho.operator.idpcluster.resources.Blueprint;
import dev.sekisho.operator.kube.Labels;
import dev.sekisho.operator.kube.Labels.Component;
import dev.sekisho.operator.kube.Names;
import dev.sekisho.operator.status.Conditions;
import dev.sekisho.operator.status.Observation;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Says what an IdpCluster is, from what there is of it. */
final class Observer {
    /** The type of the condition that sums the others up. */
    static final String READY = "Ready";

    private static final String CAPACITY_VALID = "CapacityValid";

    private final Conditions conditions;

    Observer(Conditions conditions) {
        this.conditions = conditions;
    }

    /** The status that tells the truth about the snapshot. */
    IdpClusterStatus status(Snapshot seen, @Nullable IdpClusterStatus before) {
        var parts = List.of(
                secrets(seen), postgres(seen), redis(seen), schema(seen), runtime(seen), gateway(seen), capacity(seen));
        var upToDate = Rollouts.upToDate(seen);
        var summary = summary(parts, upToDate);
        var all = new ArrayList<Observation>();
        all.add(summary);
        all.add(upToDate);
        all.addAll(parts);
        var plan = seen.plan();
        var runtime = seen.runtime() == null ? null : seen.runtime().getStatus();
        return new IdpClusterStatus(
                generation(plan),
                phase(summary, before),
                runtime == null ? 0 : number(runtime.getReplicas()),
                runtime == null ? 0 : number(runtime.getReadyReplicas()),
                Labels.text(Labels.selector(plan.name(), Component.RUNTIME)),
                plan.gatewayUrl(),
                // Who brings a certificate knows best what to trust.
                plan.spec().gateway().tls() == null ? Names.caBundle(plan.name()) : null,
                PostgresStatuses.of(seen.members(), seen.switchover()),
                seen.images().record(plan.cluster()),
                conditions.merge(before == null ? List.of() : before.conditions(), all, generation(plan)));
    }

    /** The status of a cluster that nobody works on: what was seen last, and in which phase it is. */
    IdpClusterStatus still(Phase phase, @Nullable IdpClusterStatus before) {
        return before == null
                ? new IdpClusterStatus(null, phase, null, null, null, null, null, null, null, List.of())
                : new IdpClusterStatus(
                        before.observedGeneration(),
                        phase,
                        before.replicas(),
                        before.readyReplicas(),
                        before.selector(),
                        before.gatewayUrl(),
                        before.caConfigMap(),
                        before.postgres(),
                        before.images(),
                        before.conditions());
    }

    /** The status of a cluster at which something failed that nobody foresaw. */
    IdpClusterStatus failed(Blueprint plan, String message, @Nullable IdpClusterStatus before) {
        var summary = Observation.no(READY, "Error", message);
        var base = before == null ? still(Phase.Provisioning, null) : before;
        // The others say what was seen of an earlier generation, so they stay as they are.
        var all = new ArrayList<>(conditions.merge(base.conditions(), List.of(summary), generation(plan)));
        base.conditions().stream()
                .filter(condition -> !condition.type().equals(READY))
                .forEach(all::add);
        return new IdpClusterStatus(
                base.observedGeneration(),
                phase(summary, before),
                base.replicas(),
                base.readyReplicas(),
                base.selector(),
                base.gatewayUrl(),
                base.caConfigMap(),
                base.postgres(),
                base.images(),
                all);
    }

    private static Phase phase(Observation summary, @Nullable IdpClusterStatus before) {
        if (summary.isTrue()) {
            return Phase.Ready;
        }
        var last = before == null ? null : before.phase();
        boolean served = last == Phase.Ready
                || last == Phase.Degraded
                || (before != null && Conditions.isTrue(before.conditions(), READY));
        return served || summary.reason().equals("ApplyFailed") ? Phase.Degraded : Phase.Provisioning;
    }

    private static Observation summary(List<Observation> parts, Observation upToDate) {
        boolean serves = parts.stream().anyMatch(part -> part.type().equals(Part.RUNTIME.condition()) && part.isTrue());
        var missing = parts.stream()
                .filter(part -> !part.isTrue())
                // The runtime that serves is one that the database was made ready for.
                .filter(part -> !(serves && part.type().equals(Part.SCHEMA.condition())))
                .toList();
        if (missing.isEmpty()) {
            return Observation.yes(
                    READY,
                    "AllPartsReady",
                    upToDate.isTrue() ? "everything serves" : "everything serves; but " + upToDate.message());
        }
        // What a person must look at comes first; else what everything waits for.
        var first = missing.stream()
                .filter(part -> !Reasons.isProgress(part.reason()))
                .findFirst()
                .orElse(missing.getFirst());
        var types = missing.stream().map(Observation::type).collect(Collectors.joining(", "));
        return Observation.no(
                READY,
                Reasons.isProgress(first.reason()) ? Reasons.PROGRESSING : first.reason(),
                "not yet: " + types + "; " + first.message());
    }

    private static Observation secrets(Snapshot seen) {
        var type = Part.SECRETS.condition();
        if (seen.secretsProblem() != null) {
            return Observation.no(type, "SecretLost", seen.secretsProblem());
        }
        return refused(seen, Part.SECRETS).orElse(Observation.yes(type, "Present", "all Secrets are there and good"));
    }

    private static Observation postgres(Snapshot seen) {
        var type = Part.POSTGRES.condition();
        var failed = refused(seen, Part.POSTGRES);
        if (failed.isPresent()) {
            return failed.get();
        }
        var pods = PodStates.of(seen.pods(), Component.POSTGRES.value());
        var primary = PodStates.primary(seen.pods());
        int wanted = seen.plan().spec().postgres().replicas();
        int ready = ready(seen.postgres());
        if (primary.isEmpty() || !PodStates.isReady(primary.get())) {
            return seen.postgres() == null && seen.secretsProblem() != null
                    ? Observation.no(type, Reasons.WAITING, "PostgreSQL waits for its Secrets")
                    : Observation.no(type, Reasons.STARTING, "no member takes writes" + PodStates.trouble(pods));
        }
        var counts = ready + " of " + wanted + " members are ready";
        return ready >= wanted
                ? Observation.yes(type, "PrimaryReady", counts)
                : Observation.yes(type, "MembersMissing", counts + PodStates.trouble(pods));
    }

    private static Observation redis(Snapshot seen) {
        var type = Part.REDIS.condition();
        var failed = refused(seen, Part.REDIS);
        if (failed.isPresent()) {
            return failed.get();
        }
        return ready(seen.redis()) > 0
                ? Observation.yes(type, "Available", "Redis answers")
                : Observation.no(
                        type,
                        Reasons.STARTING,
                        "Redis does not answer"
                                + PodStates.trouble(PodStates.of(seen.pods(), Component.REDIS.value())));
    }

    private static Observation schema(Snapshot seen) {
        var type = Part.SCHEMA.condition();
        if (seen.migrated()) {
            return Observation.yes(
                    type, "Migrated", "the database is ready for " + seen.plan().runtimeImage());
        }
        var failed = refused(seen, Part.SCHEMA);
        if (failed.isPresent()) {
            return failed.get();
        }
        var job = seen.migration();
        if (job == null) {
            return Observation.no(type, Reasons.WAITING, "the migration waits for PostgreSQL");
        }
        var pods = PodStates.of(seen.pods(), Blueprint.MIGRATE);
        if (Jobs.hasFailed(job)) {
            return Observation.no(
                    type, "MigrationFailed", "the migration failed and will be tried again" + words(pods));
        }
        int attempts = job.getStatus() == null ? 0 : number(job.getStatus().getFailed());
        return attempts == 0
                ? Observation.no(type, Reasons.RUNNING, "the migration runs" + PodStates.trouble(pods))
                : Observation.no(
                        type, "MigrationRetrying", "the migration failed " + attempts + " times" + words(pods));
    }

    private static String words(List<Pod> pods) {
        var words = PodStates.lastWords(pods);
        return words.isEmpty() ? PodStates.trouble(pods) : words;
    }

    private static Observation runtime(Snapshot seen) {
        return deployment(
                seen,
                Part.RUNTIME,
                seen.runtime(),
                seen.plan().spec().replicas(),
                "the runtime waits for the database's schema");
    }

    private static Observation capacity(Snapshot seen) {
        var capacity = Capacity.of(seen.plan().spec());
        return capacity.suffices()
                ? Observation.yes(CAPACITY_VALID, "Sufficient", capacity.sum())
                : Observation.no(
                        CAPACITY_VALID, "TooFewConnections", "the runtime is not scaled out: " + capacity.sum());
    }

    private static Observation gateway(Snapshot seen) {
        if (seen.gatewayProblem() != null) {
            return Observation.no(Part.GATEWAY.condition(), "TlsSecretMissing", seen.gatewayProblem());
        }
        return deployment(
                seen,
                Part.GATEWAY,
                seen.gateway(),
                seen.plan().spec().gateway().replicas(),
                "the gateway waits for its certificate");
    }

    private static Observation deployment(
            Snapshot seen, Part part, @Nullable Deployment deployment, int wanted, String pending) {
        var failed = refused(seen, part);
        if (failed.isPresent()) {
            return failed.get();
        }
        var type = part.condition();
        if (wanted == 0) {
            return Observation.no(type, "ScaledToZero", "no replica is wanted, so none serves");
        }
        if (deployment == null) {
            return Observation.no(type, Reasons.WAITING, pending);
        }
        var status = deployment.getStatus();
        int available = status == null ? 0 : number(status.getAvailableReplicas());
        var counts = available + " of " + wanted + " replicas serve";
        if (available >= wanted) {
            return Observation.yes(type, Rollouts.isComplete(deployment) ? "Available" : Reasons.ROLLING_OUT, counts);
        }
        boolean stuck = Rollouts.hasGivenUp(deployment);
        var component = part == Part.RUNTIME ? Component.RUNTIME : Component.GATEWAY;
        return Observation.no(
                type,
                stuck ? "Unavailable" : Reasons.PROGRESSING,
                counts + PodStates.trouble(PodStates.of(seen.pods(), component.value())));
    }

    private static java.util.Optional<Observation> refused(Snapshot seen, Part part) {
        return seen.faults().has(part)
                ? java.util.Optional.of(Observation.no(
                        part.condition(), "ApplyFailed", seen.faults().text(part)))
                : java.util.Optional.empty();
    }

    private static int ready(@Nullable StatefulSet set) {
        return set == null || set.getStatus() == null
                ? 0
                : number(set.getStatus().getReadyReplicas());
    }

    private static int number(@Nullable Integer count) {
        return count == null ? 0 : count;
    }

    private static long generation(Blueprint plan) {
        var generation = plan.cluster().getMetadata().getGeneration();
        return generation == null ? 0 : generation;
    }

    /** What Jobs tell. */
    static final class Jobs {
        private Jobs() {}

        static boolean hasSucceeded(Job job) {
            return job.getStatus() != null && number(job.getStatus().getSucceeded()) > 0;
        }

        static boolean hasFailed(Job job) {
            return failedAt(job) != null;
        }

        /** When the Job failed for good (RFC 3339); null when it has not. */
        static @Nullable String failedAt(Job job) {
            return job.getStatus() == null
                    ? null
                    : job.getStatus().getConditions().stream()
                            .filter(condition -> condition.getType().equals("Failed")
                                    && condition.getStatus().equals("True"))
                            .map(condition -> condition.getLastTransitionTime())
                            .findFirst()
                            .orElse(null);
        }
    }
}
