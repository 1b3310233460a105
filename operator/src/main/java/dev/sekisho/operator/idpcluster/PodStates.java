package dev.sekisho.operator.idpcluster;

import dev.sekisho.operator.idpcluster.resources.Services;
import dev.sekisho.operator.kube.Labels;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What pods tell. */
final class PodStates {
    private static final Set<String> HARMLESS = Set.of("ContainerCreating", "PodInitializing", "Completed");
    /** What containers wait for in vain. */
    private static final Set<String> STUCK = Set.of(
            "CrashLoopBackOff",
            "ErrImagePull",
            "ImagePullBackOff",
            "ErrImageNeverPull",
            "InvalidImageName",
            "CreateContainerConfigError",
            "CreateContainerError",
            "RunContainerError");

    private static final int MAX = 300;

    private PodStates() {}

    /** Pods of a component that are not on their way out. */
    static List<Pod> of(List<Pod> pods, String component) {
        return pods.stream()
                .filter(pod -> component.equals(pod.getMetadata().getLabels().get(Labels.COMPONENT))
                        && !pod.isMarkedForDeletion())
                .toList();
    }

    /** The PostgreSQL member that takes writes, ready or not. */
    static Optional<Pod> primary(List<Pod> pods) {
        return of(pods, Labels.Component.POSTGRES.value()).stream()
                .filter(pod ->
                        Services.PRIMARY.equals(pod.getMetadata().getLabels().get(Services.ROLE)))
                // Two for a moment while the role moves: the ready one counts.
                .sorted((a, b) -> Boolean.compare(isReady(b), isReady(a)))
                .findFirst();
    }

    static boolean isReady(Pod pod) {
        return pod.getStatus() != null
                && pod.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Ready")
                                && condition.getStatus().equals("True"));
    }

    /** Whether a pod cannot get ready by itself, as far as can be seen. */
    static boolean isStuck(Pod pod) {
        return pod.getStatus() != null
                && !isReady(pod)
                && (isUnschedulable(pod)
                        || Stream.concat(
                                        pod.getStatus().getInitContainerStatuses().stream(),
                                        pod.getStatus().getContainerStatuses().stream())
                                .map(ContainerStatus::getState)
                                .anyMatch(state -> state != null
                                        && state.getWaiting() != null
                                        && state.getWaiting().getReason() != null
                                        && STUCK.contains(state.getWaiting().getReason())));
    }

    private static boolean isUnschedulable(Pod pod) {
        return pod.getStatus().getConditions().stream()
                .anyMatch(condition -> condition.getType().equals("PodScheduled")
                        && condition.getStatus().equals("False"));
    }

    /** Whether a pod has not come to run: no node, no volume, no image. */
    static boolean isPending(Pod pod) {
        return pod.getStatus() != null && "Pending".equals(pod.getStatus().getPhase());
    }

    /** Why pods do not work, as far as they say; empty when they say nothing. */
    static String trouble(List<Pod> pods) {
        return pods.stream()
                .map(PodStates::trouble)
                .flatMap(Optional::stream)
                .findFirst()
                .map(text -> ": " + (text.length() <= MAX ? text : text.substring(0, MAX) + "…"))
                .orElse("");
    }

    private static Optional<String> trouble(Pod pod) {
        var status = pod.getStatus();
        if (status == null) {
            return Optional.empty();
        }
        var name = "pod " + pod.getMetadata().getName() + " ";
        var unscheduled = status.getConditions().stream()
                .filter(condition -> condition.getType().equals("PodScheduled")
                        && condition.getStatus().equals("False"))
                .map(condition -> name + "is not scheduled: " + condition.getMessage())
                .findFirst();
        return unscheduled.or(
                () -> Stream.concat(status.getInitContainerStatuses().stream(), status.getContainerStatuses().stream())
                        .map(PodStates::trouble)
                        .flatMap(Optional::stream)
                        .findFirst()
                        .map(text -> name + text));
    }

    private static Optional<String> trouble(ContainerStatus container) {
        var state = container.getState();
        if (state == null) {
            return Optional.empty();
        }
        if (state.getWaiting() != null
                && state.getWaiting().getReason() != null
                && !HARMLESS.contains(state.getWaiting().getReason())) {
            return Optional.of("waits: " + state.getWaiting().getReason());
        }
        int restarts = container.getRestartCount() == null ? 0 : container.getRestartCount();
        if (state.getRunning() != null && restarts > 0 && !Boolean.TRUE.equals(container.getReady())) {
            return Optional.of("is not ready and was restarted " + restarts + " times");
        }
        if (state.getTerminated() != null && state.getTerminated().getExitCode() != 0) {
            return Optional.of("ended with exit code " + state.getTerminated().getExitCode() + ": "
                    + orEmpty(state.getTerminated().getReason()));
        }
        return Optional.empty();
    }

    /** The last words of a failed migration; empty when there are none. */
    static String lastWords(List<Pod> pods) {
        return pods.stream()
                .filter(pod -> pod.getStatus() != null)
                .flatMap(pod -> pod.getStatus().getContainerStatuses().stream())
                .map(container -> container.getState() == null
                        ? null
                        : container.getState().getTerminated())
                .filter(ended -> ended != null && ended.getExitCode() != 0 && ended.getMessage() != null)
                .map(ended -> {
                    var text = ended.getMessage().strip();
                    // The end says what went wrong.
                    return ": " + (text.length() <= MAX ? text : "…" + text.substring(text.length() - MAX));
                })
                .reduce("", (before, now) -> now);
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
