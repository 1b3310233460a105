package dev.sekisho.operator.idpcluster;

import dev.sekisho.operator.idpcluster.postgres.Capacity;
import dev.sekisho.operator.idpcluster.resources.Blueprint;
import dev.sekisho.operator.idpcluster.resources.CaBundle;
import dev.sekisho.operator.idpcluster.resources.DisruptionBudgets;
import dev.sekisho.operator.idpcluster.resources.GatewayResources;
import dev.sekisho.operator.idpcluster.resources.MigrateJob;
import dev.sekisho.operator.idpcluster.resources.NetworkPolicies;
import dev.sekisho.operator.idpcluster.resources.PostgresAccess;
import dev.sekisho.operator.idpcluster.resources.PostgresConfigMap;
import dev.sekisho.operator.idpcluster.resources.PostgresStatefulSet;
import dev.sekisho.operator.idpcluster.resources.RedisResources;
import dev.sekisho.operator.idpcluster.resources.RuntimeResources;
import dev.sekisho.operator.idpcluster.resources.Services;
import dev.sekisho.operator.kube.Labels;
import dev.sekisho.operator.kube.Labels.Component;
import dev.sekisho.operator.kube.Names;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes one IdpCluster's children what they should be, once through. A child that cannot be made leaves its siblings
 * alone; what waits for something is skipped, never removed.
 */
final class Provisioner {
    /** How long a migration that failed for good is left to be looked at before it is tried again. */
    static final Duration MIGRATION_RETRY = Duration.ofSeconds(60);

    private static final Duration LOST_SECRET = Duration.ofSeconds(10);
    /** While members restart or switch over; what is waited for may come without an event. */
    private static final Duration MEMBERS_MOVE = Duration.ofSeconds(2);
    /** How old the lag that the status shows may be. */
    private static final Duration LAG = Duration.ofSeconds(15);

    private final Blueprint plan;
    private final ImageChoice images;
    private final Children children;
    private final SecretKeeper secrets;
    private final Optional<Secret> userTls;
    private final Clock clock;
    private final Faults faults = new Faults();

    /**
     * @param plan what should be, with the images that were chosen
     * @param images the choice
     * @param userTls the certificate that the user brings, if the plan names one and it is there
     */
    Provisioner(
            Blueprint plan,
            ImageChoice images,
            Children children,
            SecretFactory factory,
            Optional<Secret> userTls,
            Clock clock) {
        this.plan = plan;
        this.images = images;
        this.children = children;
        this.secrets = new SecretKeeper(plan, children, factory, faults);
        this.userTls = userTls;
        this.clock = clock;
    }

    /** Does it, and says what there is afterwards. */
    Snapshot run() {
        secrets.keep();
        var pods = children.cached(Pod.class);
        var name = plan.name();
        var upkeep = new PostgresUpkeep(plan, children, pods);
        applyAll(Part.POSTGRES, "PostgreSQL's access", () -> PostgresAccess.desired(plan));
        applyAll(Part.RUNTIME, "Services", () -> Services.desired(plan));
        applyAll(Part.RUNTIME, "NetworkPolicies", () -> NetworkPolicies.desired(plan));
        secrets.trusted()
                .map(certificates -> CaBundle.desired(plan, certificates))
                .ifPresent(this::apply);
        budgets();

        config(Part.POSTGRES, Names.postgres(name), () -> PostgresConfigMap.desired(plan), this::postgres);
        config(Part.REDIS, Names.redis(name), () -> RedisResources.configMap(plan), this::redis);
        applyAll(Part.POSTGRES, "PostgreSQL's settings", () -> upkeep.configMaps(clock.instant()));
        faults.attempt(Part.POSTGRES, "PostgreSQL's members", () -> upkeep.restart(clock.instant()));
        faults.attempt(Part.REDIS, "Redis' pods", () -> replaceStuck(Names.redis(name), pods));
        var migration = migration(pods);
        faults.attempt(Part.RUNTIME, "the runtime", () -> runtime(migration));
        var gatewayProblem = gatewayProblem();
        config(Part.GATEWAY, Names.gateway(name), () -> GatewayResources.configMap(plan), this::gateway);

        return new Snapshot(
                plan,
                images,
                secrets.problem(),
                gatewayProblem,
                children.cached(StatefulSet.class, Names.postgres(plan.name())).orElse(null),
                children.cached(StatefulSet.class, Names.redis(plan.name())).orElse(null),
                migration.done(),
                migration.job(),
                children.cached(Deployment.class, Names.runtime(plan.name())).orElse(null),
                children.cached(Deployment.class, Names.gateway(plan.name())).orElse(null),
                pods,
                upkeep.members(),
                upkeep.switchover(clock.instant()),
                upkeep.restarts(clock.instant()).outdated(),
                faults);
    }

    /** How soon to look again although nothing may happen; empty when there is no need. */
    Optional<Duration> again(Snapshot seen) {
        if (seen.secretsProblem() != null) {
            // What a person restores may lack the labels by which it would be noticed.
            return Optional.of(LOST_SECRET);
        }
        if (seen.membersMove()) {
            return Optional.of(MEMBERS_MOVE);
        }
        var job = seen.migration();
        if (seen.migrated() || job == null || !Observer.Jobs.hasFailed(job)) {
            return seen.members().size() > 1 ? Optional.of(LAG) : Optional.empty();
        }
        // The time may have come already, while the failed Job is still on its way out.
        var wait = untilRetry(job);
        return Optional.of((wait.isNegative() ? Duration.ZERO : wait).plusSeconds(1));
    }

    // --- PostgreSQL and Redis

    private void postgres(ConfigMap config) {
        var tls = secrets.tls(Component.POSTGRES);
        if (secrets.postgres().isEmpty() || tls.isEmpty() || !mayHoldData()) {
            return;
        }
        var checksum = checksum(PostgresConfigMap.local(), certificate(tls.get()));
        apply(PostgresStatefulSet.desired(plan, checksum, claimVersion(Names.postgres(plan.name()))));
    }

    /** Whatever holds data is made only once every Secret that the data needs stands: its being there proves they did. */
    private boolean mayHoldData() {
        return secrets.keyEncryption().isPresent()
                || children.cached(StatefulSet.class, Names.postgres(plan.name()))
                        .isPresent();
    }

    private void redis(ConfigMap config) {
        var tls = secrets.tls(Component.REDIS);
        var credentials = secrets.redis();
        if (credentials.isEmpty() || tls.isEmpty()) {
            return;
        }
        var checksum = checksum(config.getData().toString(), certificate(tls.get()), contents(credentials.get()));
        apply(RedisResources.statefulSet(plan, checksum, claimVersion(Names.redis(plan.name()))));
    }

    /**
     * A StatefulSet does not replace a pod that never got ready, although its template was mended since: it waits for the
     * pod for ever. Such pods are deleted, in the plain way that leaves them their time to stop.
     */
    private void replaceStuck(String statefulSet, List<Pod> pods) {
        var set = children.cached(StatefulSet.class, statefulSet).orElse(null);
        var status = set == null ? null : set.getStatus();
        if (set == null
                || status == null
                || status.getUpdateRevision() == null
                || !Objects.equals(set.getMetadata().getGeneration(), status.getObservedGeneration())) {
            return;
        }
        pods.stream()
                .filter(pod -> !pod.isMarkedForDeletion()
                        && pod.getMetadata().getOwnerReferences().stream()
                                .anyMatch(owner ->
                                        owner.getUid().equals(set.getMetadata().getUid()))
                        && !status.getUpdateRevision()
                                .equals(pod.getMetadata().getLabels().get("controller-revision-hash"))
                        && (PodStates.isStuck(pod) || PodStates.isPending(pod)))
                .forEach(children::deleteAsSeen);
    }

    /** Templates of claims are immutable, so they keep the version label that they were made with. */
    private String claimVersion(String statefulSet) {
        var existing = children.cached(StatefulSet.class, statefulSet);
        return existing.map(set -> set.getSpec().getVolumeClaimTemplates())
                .filter(claims -> !claims.isEmpty())
                .map(claims -> claims.getFirst().getMetadata().getLabels())
                .map(labels -> labels.get(Labels.VERSION))
                .orElse(plan.config().version());
    }

    // --- The schema and the runtime

    /**
     * Where the migration stands.
     *
     * @param hash which one is wanted; empty as long as nobody can tell
     * @param done whether the database has been through it
     * @param recorded the last one that it has been through; empty for none
     * @param job the Job, if it exists
     */
    private record Migration(
            String hash,
            boolean done,
            String recorded,
            @Nullable Job job) {}

    private Migration migration(List<Pod> pods) {
        var recorded = children.cached(ConfigMap.class, Names.runtime(plan.name()))
                .map(config -> config.getMetadata().getAnnotations())
                .map(annotations -> annotations.get(RuntimeResources.MIGRATED))
                .orElse("");
        var credentials = secrets.postgres();
        if (credentials.isEmpty()) {
            return new Migration("", false, recorded, null);
        }
        var hash = MigrateJob.hash(plan, contents(credentials.get()));
        var job = children.cached(Job.class, Names.migrate(plan.name(), hash)).orElse(null);
        boolean done = hash.equals(recorded) || (job != null && Observer.Jobs.hasSucceeded(job));
        if (!done) {
            job = pursue(hash, job, pods);
        }
        prune(Job.class, Set.of(Names.migrate(plan.name(), hash)));
        return new Migration(hash, done, recorded, job);
    }

    private @Nullable Job pursue(String hash, @Nullable Job job, List<Pod> pods) {
        if (job == null) {
            boolean writable =
                    PodStates.primary(pods).filter(PodStates::isReady).isPresent();
            if (writable) {
                apply(MigrateJob.desired(plan, hash));
            }
            return children.cached(Job.class, Names.migrate(plan.name(), hash)).orElse(null);
        }
        if (Observer.Jobs.hasFailed(job)
                && !job.isMarkedForDeletion()
                && !untilRetry(job).isPositive()) {
            // Its end wakes us, and then it is made again.
            faults.attempt(job, () -> children.delete(Job.class, job));
        }
        return job;
    }

    private Duration untilRetry(Job job) {
        var failed = Observer.Jobs.failedAt(job);
        return failed == null
                ? Duration.ZERO
                : Duration.between(clock.instant(), Instant.parse(failed).plus(MIGRATION_RETRY));
    }

    private void runtime(Migration migration) {
        var config = RuntimeResources.configMap(plan, migration.done() ? migration.hash() : migration.recorded());
        apply(config);
        var image = plan.runtimeImage();
        var checksum = runtimeChecksum(config);
        if (!migration.done() || checksum.isEmpty()) {
            // What runs goes on as it is: only its number may change.
            var existing = children.cached(Deployment.class, Names.runtime(plan.name()));
            if (existing.isEmpty()) {
                return;
            }
            var template = existing.get().getSpec().getTemplate();
            image = template.getSpec().getContainers().getFirst().getImage();
            checksum = Optional.ofNullable(template.getMetadata().getAnnotations())
                    .map(annotations -> annotations.get(Blueprint.CHECKSUM));
        }
        int running = children.cached(Deployment.class, Names.runtime(plan.name()))
                .map(deployment -> deployment.getSpec().getReplicas())
                .orElse(0);
        apply(RuntimeResources.deployment(
                plan, image, checksum.orElse(""), Capacity.of(plan.spec()).allowed(running)));
    }

    /** Of all that the runtime reads only at its start; its certificate it reads again by itself. */
    private Optional<String> runtimeChecksum(ConfigMap config) {
        var read = List.of(secrets.postgres(), secrets.keyEncryption(), secrets.redis(), secrets.management());
        var authority = secrets.trusted();
        if (authority.isEmpty() || read.stream().anyMatch(Optional::isEmpty)) {
            return Optional.empty();
        }
        var contents = read.stream().flatMap(Optional::stream).map(Provisioner::contents);
        return Optional.of(checksum(
                new TreeMap<>(config.getData()).toString(),
                authority.get(),
                contents.collect(Collectors.joining("\n"))));
    }

    // --- The gateway

    private Optional<Secret> gatewayTls() {
        return plan.spec().gateway().tls() == null ? secrets.tls(Component.GATEWAY) : userTls;
    }

    private @Nullable String gatewayProblem() {
        return plan.spec().gateway().tls() == null || userTls.isPresent()
                ? null
                : "there is no Secret " + plan.gatewayTlsSecret() + " of type kubernetes.io/tls in namespace "
                        + plan.namespace();
    }

    private void gateway(ConfigMap config) {
        gatewayTls()
                .map(tls -> GatewayResources.deployment(
                        plan, checksum(config.getData().toString(), certificate(tls))))
                .ifPresent(this::apply);
    }

    // --- Everything

    private void budgets() {
        var budgets = DisruptionBudgets.desired(plan);
        budgets.forEach(this::apply);
        prune(
                PodDisruptionBudget.class,
                budgets.stream().map(budget -> budget.getMetadata().getName()).collect(Collectors.toSet()));
    }

    /** Applies a part's configuration, then makes what reads it; neither when there can be no such configuration. */
    private void config(Part part, String name, Supplier<ConfigMap> desired, Consumer<ConfigMap> readers) {
        faults.attempt(part, "ConfigMap " + name, () -> {
            var config = desired.get();
            apply(config);
            readers.accept(config);
        });
    }

    private void applyAll(Part part, String what, Supplier<List<? extends HasMetadata>> desired) {
        faults.attempt(part, what, () -> desired.get().forEach(this::apply));
    }

    /** Removes this cluster's children of a kind that are wanted no more. */
    private <R extends HasMetadata> void prune(Class<R> type, Set<String> wanted) {
        children.cached(type).stream()
                .filter(child -> !wanted.contains(child.getMetadata().getName())
                        && children.isOwned(child)
                        && !child.isMarkedForDeletion())
                .forEach(child -> faults.attempt(child, () -> children.delete(type, child)));
    }

    private void apply(HasMetadata desired) {
        faults.attempt(desired, () -> children.applyAny(desired));
    }

    private static String certificate(Secret secret) {
        var data = secret.getData();
        return data == null ? "" : data.getOrDefault("tls.crt", "");
    }

    private static String contents(Secret secret) {
        return secret.getData() == null ? "" : new TreeMap<>(secret.getData()).toString();
    }

    private static String checksum(String... contents) {
        return Names.hash(String.join("\n", contents), 16);
    }
}
