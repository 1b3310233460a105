package dev.sekisho.operator.loadtest;

import io.fabric8.kubernetes.api.model.ContainerStateTerminated;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How far a step's Job is, as seen in the Job and its pods. */
sealed interface StepRun {
    /** There is no such Job: it was not started yet, or somebody deleted it. */
    record Absent() implements StepRun {}

    /** An object that is not ours bears the Job's name. */
    record Foreign() implements StepRun {}

    /**
     * It does not run yet.
     *
     * @param obstacle what is in the way
     * @param since since when it could have run
     */
    record Starting(Obstacle obstacle, Instant since) implements StepRun {}

    /** It runs. */
    record Active() implements StepRun {}

    /**
     * Its container ended.
     *
     * @param exitCode k6's exit code
     * @param cause what Kubernetes says of the end, such as {@code OOMKilled}; may be empty
     * @param message the termination message; may be empty
     */
    record Exited(int exitCode, String cause, String message) implements StepRun {}

    /** It ran for longer than it may. */
    record DeadlineExceeded() implements StepRun {}

    /**
     * The Job ended, and no pod says how.
     *
     * @param cause what Kubernetes says, such as {@code Evicted}; may be empty
     */
    record Lost(String cause) implements StepRun {}

    /**
     * What keeps a pod from starting.
     *
     * @param reason ours, one of {@link Reasons}
     * @param message for people
     * @param patience how long to wait for it to go; zero when it never goes
     */
    record Obstacle(String reason, String message, Duration patience) {}

    /** The container of every load-test pod. */
    String CONTAINER = "k6";

    Set<String> IMAGE_PULL = Set.of("ErrImagePull", "ImagePullBackOff", "RegistryUnavailable", "ErrImageNeverPull");

    /**
     * Judges a Job and its pods.
     *
     * @param job the Job, ours
     * @param pods its pods
     * @param patience how long a pod may take to start, whatever is in the way
     */
    static StepRun of(Job job, List<Pod> pods, Duration patience) {
        var exited = pods.stream()
                .sorted(Comparator.comparing((Pod pod) -> pod.getMetadata().getCreationTimestamp())
                        .reversed())
                .map(StepRun::exit)
                .flatMap(Optional::stream)
                .findFirst();
        var failure = conditionReason(job, "Failed").or(() -> conditionReason(job, "FailureTarget"));
        if (failure.isPresent() && failure.get().equals("DeadlineExceeded")) {
            return new DeadlineExceeded();
        }
        // A pod that ended has said all: the Job's own end only follows.
        if (exited.isPresent()) {
            return exited.get();
        }
        if (failure.isPresent() || conditionReason(job, "Complete").isPresent()) {
            return new Lost(pods.stream()
                    .map(pod -> Objects.requireNonNullElse(pod.getStatus(), new PodStatus()))
                    .map(PodStatus::getReason)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .or(() -> failure)
                    .orElse(""));
        }
        return pods.stream()
                .max(Comparator.comparing(pod -> pod.getMetadata().getCreationTimestamp()))
                .map(pod -> progress(pod, patience))
                .orElseGet(() -> new Starting(
                        new Obstacle(Reasons.POD_NOT_STARTED, "its pod has not been created", patience),
                        instant(job.getMetadata().getCreationTimestamp())));
    }

    private static Optional<StepRun> exit(Pod pod) {
        return container(pod).map(status -> status.getState().getTerminated()).map(StepRun::exited);
    }

    private static StepRun exited(ContainerStateTerminated end) {
        return new Exited(
                Objects.requireNonNullElse(end.getExitCode(), -1),
                Objects.requireNonNullElse(end.getReason(), ""),
                Objects.requireNonNullElse(end.getMessage(), ""));
    }

    private static StepRun progress(Pod pod, Duration patience) {
        var since = instant(pod.getMetadata().getCreationTimestamp());
        var status = Objects.requireNonNullElse(pod.getStatus(), new PodStatus());
        if ("Failed".equals(status.getPhase())) {
            // Evicted or refused by the node before its container started: the Job will say the same in a moment.
            return new Lost(Objects.requireNonNullElse(status.getReason(), ""));
        }
        var container = container(pod);
        if (container.map(c -> c.getState().getRunning()).isPresent()) {
            return new Active();
        }
        var waiting = container.map(c -> c.getState().getWaiting());
        var word = waiting.map(w -> w.getReason()).orElse("");
        var said =
                waiting.map(w -> w.getMessage()).map(text -> ": " + brief(text)).orElse("");
        if (word.equals("InvalidImageName")) {
            return new Starting(
                    new Obstacle(Reasons.IMAGE_PULL_FAILED, "the image's name is invalid", Duration.ZERO), since);
        }
        if (IMAGE_PULL.contains(word)) {
            return new Starting(
                    new Obstacle(
                            Reasons.IMAGE_PULL_FAILED, "its image cannot be pulled (" + word + ")" + said, patience),
                    since);
        }
        var unschedulable = status.getConditions().stream()
                .filter(c -> "PodScheduled".equals(c.getType()) && "False".equals(c.getStatus()))
                .findFirst();
        if (unschedulable.isPresent()) {
            return new Starting(
                    new Obstacle(
                            Reasons.UNSCHEDULABLE,
                            "no node takes its pod"
                                    + unschedulable
                                            .map(PodCondition::getMessage)
                                            .map(text -> ": " + brief(text))
                                            .orElse(""),
                            patience),
                    since);
        }
        return new Starting(
                new Obstacle(
                        Reasons.POD_NOT_STARTED,
                        "its pod has not started" + (word.isEmpty() ? "" : " (" + word + ")") + said,
                        patience),
                since);
    }

    private static Optional<ContainerStatus> container(Pod pod) {
        return Optional.ofNullable(pod.getStatus()).stream()
                .flatMap(status -> status.getContainerStatuses().stream())
                .filter(status -> CONTAINER.equals(status.getName()) && status.getState() != null)
                .findFirst();
    }

    private static Optional<String> conditionReason(Job job, String type) {
        return Optional.ofNullable(job.getStatus()).stream()
                .flatMap(status -> status.getConditions().stream())
                .filter(c -> type.equals(c.getType()) && "True".equals(c.getStatus()))
                .map(c -> Objects.requireNonNullElse(c.getReason(), ""))
                .findFirst();
    }

    private static String brief(String text) {
        return text.length() <= 300 ? text : text.substring(0, 300) + "…";
    }

    /** Kubernetes' time stamps are RFC 3339; an unreadable one counts as long ago, so that nothing waits on it. */
    private static Instant instant(@Nullable String timestamp) {
        try {
            return timestamp == null ? Instant.EPOCH : Instant.parse(timestamp);
        } catch (DateTimeParseException e) {
            return Instant.EPOCH;
        }
    }
}
