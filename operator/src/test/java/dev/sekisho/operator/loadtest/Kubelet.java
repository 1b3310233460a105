package dev.sekisho.operator.loadtest;

import dev.sekisho.operator.Site;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobConditionBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobStatus;
import io.fabric8.kubernetes.api.model.batch.v1.JobStatusBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Plays the Job controller, the scheduler and the kubelet, by writing what they would. */
final class Kubelet {
    private final Site site;

    Kubelet(Site site) {
        this.site = site;
    }

    /** Creates the pod of a Job. */
    Pod createPod(Job job) {
        var template = job.getSpec().getTemplate();
        return site.admin()
                .resource(new PodBuilder()
                        .withNewMetadata()
                        .withName(job.getMetadata().getName() + "-pod")
                        .withNamespace(site.namespace())
                        .withLabels(template.getMetadata().getLabels())
                        .addToLabels(
                                "batch.kubernetes.io/controller-uid",
                                job.getMetadata().getUid())
                        .endMetadata()
                        .withSpec(template.getSpec())
                        .build())
                .create();
    }

    void runs(Pod pod) {
        status(
                pod,
                new PodStatusBuilder()
                        .withPhase("Running")
                        .withContainerStatuses(container()
                                .withState(new ContainerStateBuilder()
                                        .withNewRunning()
                                        .withStartedAt(now())
                                        .endRunning()
                                        .build())
                                .build())
                        .build());
    }

    void waits(Pod pod, String reason) {
        status(
                pod,
                new PodStatusBuilder()
                        .withPhase("Pending")
                        .withContainerStatuses(container()
                                .withState(new ContainerStateBuilder()
                                        .withNewWaiting()
                                        .withReason(reason)
                                        .endWaiting()
                                        .build())
                                .build())
                        .build());
    }

    void isUnschedulable(Pod pod) {
        status(
                pod,
                new PodStatusBuilder()
                        .withPhase("Pending")
                        .addNewCondition()
                        .withType("PodScheduled")
                        .withStatus("False")
                        .withReason("Unschedulable")
                        .withMessage("0/1 nodes are available: 1 Insufficient memory.")
                        .endCondition()
                        .build());
    }

    /** The container ends, then the Job. */
    void ends(Job job, Pod pod, int exitCode, String reason, String message) {
        status(
                pod,
                new PodStatusBuilder()
                        .withPhase(exitCode == 0 ? "Succeeded" : "Failed")
                        .withContainerStatuses(container()
                                .withState(new ContainerStateBuilder()
                                        .withNewTerminated()
                                        .withExitCode(exitCode)
                                        .withReason(reason)
                                        .withMessage(message)
                                        .withStartedAt(now())
                                        .withFinishedAt(now())
                                        .endTerminated()
                                        .build())
                                .build())
                        .build());
        if (exitCode == 0) {
            ends(job, "Complete", "CompletionsReached");
        } else {
            ends(job, "Failed", "BackoffLimitExceeded");
        }
    }

    /** The Job ends. The API server holds it to the rules of its life. */
    void ends(Job job, String type, String reason) {
        boolean complete = type.equals("Complete");
        var status = new JobStatusBuilder().withStartTime(now());
        if (complete) {
            status.withSucceeded(1).withCompletionTime(now());
        } else {
            status.withFailed(1);
        }
        for (var each :
                complete ? new String[] {"SuccessCriteriaMet", "Complete"} : new String[] {"FailureTarget", "Failed"}) {
            status.addToConditions(new JobConditionBuilder()
                    .withType(each)
                    .withStatus("True")
                    .withReason(reason)
                    .withLastProbeTime(now())
                    .withLastTransitionTime(now())
                    .build());
        }
        status(job, status.build());
    }

    private void status(Job job, JobStatus status) {
        site.admin()
                .resource(new JobBuilder(site.get(Job.class, job.getMetadata().getName()))
                        .withStatus(status)
                        .build())
                .updateStatus();
    }

    private void status(Pod pod, PodStatus status) {
        site.admin()
                .resource(new PodBuilder(site.get(Pod.class, pod.getMetadata().getName()))
                        .withStatus(status)
                        .build())
                .updateStatus();
    }

    private static ContainerStatusBuilder container() {
        return new ContainerStatusBuilder()
                .withName("k6")
                .withImage("k6")
                .withImageID("")
                .withReady(false)
                .withRestartCount(0);
    }

    private static String now() {
        return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
