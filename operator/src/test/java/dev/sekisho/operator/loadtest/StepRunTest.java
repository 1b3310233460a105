package dev.sekisho.operator.loadtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sekisho.operator.kube.Clients;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class StepRunTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Instant POD_CREATED = Instant.parse("2026-01-01T12:00:01Z");

    private static final String RUNNING = "phase: Running\ncontainerStatuses: [{name: k6, state: {running: {}}}]";
    private static final String SUCCEEDED =
            "phase: Succeeded\ncontainerStatuses: [{name: k6, state: {terminated: {exitCode: 0, reason: Completed,"
                    + " message: said}}}]";

    static Stream<Arguments> states() {
        return Stream.of(
                arguments("runs", job(""), pods(RUNNING), new StepRun.Active()),
                arguments("ended well", job("Complete"), pods(SUCCEEDED), new StepRun.Exited(0, "Completed", "said")),
                arguments(
                        "ended well, and the Job does not know yet",
                        job(""),
                        pods(SUCCEEDED),
                        new StepRun.Exited(0, "Completed", "said")),
                arguments(
                        "failed",
                        job("Failed BackoffLimitExceeded"),
                        pods("phase: Failed\ncontainerStatuses: [{name: k6, state: {terminated: {exitCode: 107, reason:"
                                + " Error}}}]"),
                        new StepRun.Exited(107, "Error", "")),
                arguments(
                        "out of memory",
                        job("Failed BackoffLimitExceeded"),
                        pods("phase: Failed\ncontainerStatuses: [{name: k6, state: {terminated: {exitCode: 137, reason:"
                                + " OOMKilled}}}]"),
                        new StepRun.Exited(137, "OOMKilled", "")),
                arguments("out of time", job("Failed DeadlineExceeded"), pods(), new StepRun.DeadlineExceeded()),
                arguments(
                        "out of time, its pod still ends",
                        job("FailureTarget DeadlineExceeded"),
                        pods(RUNNING),
                        new StepRun.DeadlineExceeded()),
                arguments(
                        "out of time, whatever its pod said",
                        job("Failed DeadlineExceeded"),
                        pods(SUCCEEDED),
                        new StepRun.DeadlineExceeded()),
                arguments(
                        "pod deleted",
                        job("Failed BackoffLimitExceeded"),
                        pods(),
                        new StepRun.Lost("BackoffLimitExceeded")),
                arguments(
                        "evicted",
                        job("Failed BackoffLimitExceeded"),
                        pods("phase: Failed\nreason: Evicted"),
                        new StepRun.Lost("Evicted")),
                arguments(
                        "refused by its node",
                        job(""),
                        pods("phase: Failed\nreason: OutOfcpu"),
                        new StepRun.Lost("OutOfcpu")),
                arguments(
                        "another container's end is not its own",
                        job(""),
                        pods("phase: Running\ncontainerStatuses: [{name: sidecar, state: {terminated: {exitCode: 0}}},"
                                + " {name: k6, state: {running: {}}}]"),
                        new StepRun.Active()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("states")
    void state(String what, Job job, List<Pod> pods, StepRun expected) {
        assertThat(StepRun.of(job, pods, PATIENCE)).as(what).isEqualTo(expected);
    }

    static Stream<Arguments> obstacles() {
        return Stream.of(
                arguments("ErrImagePull", "ImagePullFailed", PATIENCE),
                arguments("ImagePullBackOff", "ImagePullFailed", PATIENCE),
                arguments("ErrImageNeverPull", "ImagePullFailed", PATIENCE),
                arguments("InvalidImageName", "ImagePullFailed", Duration.ZERO),
                arguments("CreateContainerConfigError", "PodNotStarted", PATIENCE),
                arguments("ContainerCreating", "PodNotStarted", PATIENCE));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("obstacles")
    void whatIsInTheWay(String waiting, String reason, Duration patience) {
        var pods = pods("phase: Pending\ncontainerStatuses: [{name: k6, state: {waiting: {reason: " + waiting
                + ", message: details}}}]");

        assertThat(StepRun.of(job(""), pods, PATIENCE)).isInstanceOfSatisfying(StepRun.Starting.class, starting -> {
            assertThat(starting.obstacle().reason()).isEqualTo(reason);
            assertThat(starting.obstacle().patience()).isEqualTo(patience);
            assertThat(starting.since()).isEqualTo(POD_CREATED);
        });
    }

    @Test
    void noNodeIsInTheWay() {
        var pods = pods("phase: Pending\nconditions: [{type: PodScheduled, status: 'False', reason: Unschedulable,"
                + " message: 0/1 nodes are available}]");

        assertThat(StepRun.of(job(""), pods, PATIENCE)).isInstanceOfSatisfying(StepRun.Starting.class, starting -> {
            assertThat(starting.obstacle().reason()).isEqualTo("Unschedulable");
            assertThat(starting.obstacle().message()).contains("0/1 nodes are available");
        });
    }

    @Test
    void aJobWithoutAPodCountsFromItsOwnCreation() {
        assertThat(StepRun.of(job(""), List.of(), PATIENCE))
                .isInstanceOfSatisfying(
                        StepRun.Starting.class,
                        starting -> assertThat(starting.since()).isEqualTo(Instant.parse("2026-01-01T12:00:00Z")));
    }

    private static Job job(String condition) {
        var words = condition.split(" ", -1);
        var conditions = condition.isEmpty()
                ? ""
                : "status: {conditions: [{type: %s, status: 'True', reason: %s}]}"
                        .formatted(words[0], words.length > 1 ? words[1] : "CompletionsReached");
        return Clients.serialization()
                .unmarshal(
                        "apiVersion: batch/v1\nkind: Job\nmetadata: {name: j, creationTimestamp: '2026-01-01T12:00:00Z'}\n"
                                + conditions,
                        Job.class);
    }

    private static List<Pod> pods(String... statuses) {
        var pods = new ArrayList<Pod>();
        Arrays.stream(statuses)
                .forEach(status -> pods.add(Clients.serialization()
                        .unmarshal(
                                "apiVersion: v1\nkind: Pod\nmetadata: {name: p, creationTimestamp: '" + POD_CREATED
                                        + "'}\nstatus:\n" + status.indent(2),
                                Pod.class)));
        return pods;
    }
}
