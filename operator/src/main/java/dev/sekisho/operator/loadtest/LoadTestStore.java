package dev.sekisho.operator.loadtest;

import dev.sekisho.api.v1alpha1.LoadTest;
import dev.sekisho.operator.kube.Labels;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What load tests read and write in Kubernetes. Reads are live: a run is decided step by step, few steps make a run, and
 * a stale cache could start a step twice.
 */
final class LoadTestStore {
    /** Malformed, forbidden, invalid. */
    private static final Set<Integer> REFUSALS = Set.of(400, 403, 422);

    private final KubernetesClient client;

    LoadTestStore(KubernetesClient client) {
        this.client = client;
    }

    /** An object that somebody else made bears a name that a load test needs. */
    static final class NameTakenException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NameTakenException(HasMetadata object) {
            super("a " + object.getKind() + " named " + object.getMetadata().getName()
                    + " exists and belongs to somebody else; it is left alone");
        }
    }

    /** A LoadTest of the same name was deleted a moment ago, and what it made is not gone yet. */
    static final class PredecessorException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        PredecessorException(HasMetadata object) {
            super("the " + object.getKind() + " " + object.getMetadata().getName()
                    + " of a deleted LoadTest of the same name is not gone yet");
        }
    }

    /** The API server will not have a Job: trying the same again is of no use. */
    static final class JobRefusedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        JobRefusedException(KubernetesClientException cause) {
            super(
                    "the Kubernetes API refuses the Job: "
                            + (cause.getStatus() == null
                                    ? "HTTP " + cause.getCode()
                                    : cause.getStatus().getMessage()),
                    cause);
        }
    }

    /** The load test as it is now; none when it is gone, or another has taken its name. */
    Optional<LoadTest> loadTest(LoadTest known) {
        var meta = known.getMetadata();
        return Optional.ofNullable(client.resources(LoadTest.class)
                        .inNamespace(meta.getNamespace())
                        .withName(meta.getName())
                        .get())
                .filter(now -> now.getMetadata().getUid().equals(meta.getUid()));
    }

    Optional<ConfigMap> configMap(String namespace, String name) {
        return Optional.ofNullable(
                client.configMaps().inNamespace(namespace).withName(name).get());
    }

    Optional<Secret> secret(String namespace, String name) {
        return Optional.ofNullable(
                client.secrets().inNamespace(namespace).withName(name).get());
    }

    Optional<Job> job(String namespace, String name) {
        return Optional.ofNullable(
                client.batch().v1().jobs().inNamespace(namespace).withName(name).get());
    }

    /** All Jobs of a load test, of whatever run. A label proves nothing: another's Job is none of them. */
    List<Job> jobs(LoadTest test) {
        return client
                .batch()
                .v1()
                .jobs()
                .inNamespace(test.getMetadata().getNamespace())
                .withLabel(LoadTestNames.LABEL_LOADTEST, test.getMetadata().getName())
                .list()
                .getItems()
                .stream()
                .filter(job -> isOwned(job, test))
                .toList();
    }

    /** All pods of a load test, of whatever run. */
    List<Pod> pods(LoadTest test) {
        return client.pods()
                .inNamespace(test.getMetadata().getNamespace())
                .withLabel(LoadTestNames.LABEL_UID, test.getMetadata().getUid())
                .list()
                .getItems();
    }

    /** The pods of a Job. */
    List<Pod> pods(Job job) {
        return client.pods()
                .inNamespace(job.getMetadata().getNamespace())
                .withLabels(Map.of(
                        "batch.kubernetes.io/controller-uid", job.getMetadata().getUid()))
                .list()
                .getItems();
    }

    static boolean isOwned(HasMetadata object, LoadTest test) {
        return object.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner -> test.getMetadata().getUid().equals(owner.getUid()));
    }

    /** The value of a Secret's key; empty when it has none. */
    static String value(Secret secret, String key) {
        @Nullable String text = secret.getData() == null ? null : secret.getData().get(key);
        return text == null ? "" : new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
    }

    /**
     * Makes a ConfigMap what it should be; writes nothing when it is.
     *
     * @throws NameTakenException when another's bears its name
     * @throws PredecessorException when it will be gone soon
     */
    void ensure(LoadTest test, ConfigMap desired) {
        var found = configMap(
                desired.getMetadata().getNamespace(), desired.getMetadata().getName());
        if (found.isPresent()) {
            requireOwned(found.get(), test);
            if (Objects.equals(found.get().getData(), desired.getData()) && hasLabels(found.get(), desired)) {
                return;
            }
        }
        apply(desired);
    }

    /**
     * Makes the credentials Secret what it should be; writes nothing when it is.
     *
     * @throws NameTakenException when another's bears its name
     * @throws PredecessorException when it will be gone soon
     */
    void ensure(LoadTest test, Secret desired) {
        var found = secret(
                desired.getMetadata().getNamespace(), desired.getMetadata().getName());
        if (found.isPresent()) {
            requireOwned(found.get(), test);
            if (Objects.equals(found.get().getData(), desired.getData())
                    && hasLabels(found.get(), desired)
                    && found.get()
                            .getMetadata()
                            .getAnnotations()
                            .entrySet()
                            .containsAll(desired.getMetadata().getAnnotations().entrySet())) {
                return;
            }
        }
        apply(desired);
    }

    private static void requireOwned(HasMetadata object, LoadTest test) {
        if (isOwned(object, test)) {
            return;
        }
        boolean predecessor = object.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner -> test.getKind().equals(owner.getKind())
                        && test.getMetadata().getName().equals(owner.getName()));
        throw predecessor ? new PredecessorException(object) : new NameTakenException(object);
    }

    private static boolean hasLabels(HasMetadata object, HasMetadata desired) {
        var labels = object.getMetadata().getLabels();
        return labels != null
                && labels.entrySet()
                        .containsAll(desired.getMetadata().getLabels().entrySet());
    }

    private void apply(HasMetadata desired) {
        client.resource(desired).fieldManager(Labels.MANAGER).forceConflicts().serverSideApply();
    }

    /**
     * Starts a Job; one of that name that is there already is the one.
     *
     * @throws NameTakenException when another's bears its name
     * @throws PredecessorException when it will be gone soon
     * @throws JobRefusedException when it is invalid, or a quota or policy forbids it
     */
    void start(LoadTest test, Job job) {
        try {
            client.resource(job).create();
        } catch (KubernetesClientException e) {
            if (REFUSALS.contains(e.getCode())) {
                throw new JobRefusedException(e);
            }
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw e;
            }
            job(job.getMetadata().getNamespace(), job.getMetadata().getName())
                    .ifPresent(found -> requireOwned(found, test));
        }
    }

    /** Lets Kubernetes delete a Job some time after its end. */
    void expire(Job job, int seconds) {
        client.batch()
                .v1()
                .jobs()
                .inNamespace(job.getMetadata().getNamespace())
                .withName(job.getMetadata().getName())
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"spec\":{\"ttlSecondsAfterFinished\":" + seconds + "}}");
    }

    /** Deletes a Job and its pods. */
    void delete(Job job) {
        client.batch()
                .v1()
                .jobs()
                .inNamespace(job.getMetadata().getNamespace())
                .withName(job.getMetadata().getName())
                .withPropagationPolicy(DeletionPropagation.BACKGROUND)
                .delete();
    }

    /** Deletes the ConfigMaps of a load test, so that its name is free at once. */
    void deleteConfigMaps(LoadTest test) {
        client
                .configMaps()
                .inNamespace(test.getMetadata().getNamespace())
                .withLabel(LoadTestNames.LABEL_LOADTEST, test.getMetadata().getName())
                .list()
                .getItems()
                .stream()
                .filter(map -> isOwned(map, test))
                .forEach(map -> client.resource(map).delete());
    }

    void delete(Secret secret) {
        client.resource(secret).delete();
    }

    /** Whether a Job has ended, well or not. */
    static boolean isFinished(Job job) {
        return job.getStatus() != null
                && job.getStatus().getConditions().stream()
                        .anyMatch(condition -> "True".equals(condition.getStatus())
                                && ("Complete".equals(condition.getType()) || "Failed".equals(condition.getType())));
    }

    /** Whether a pod may still put a load on something. */
    static boolean isActive(Pod pod) {
        @Nullable String phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
        return !"Succeeded".equals(phase) && !"Failed".equals(phase);
    }
}
