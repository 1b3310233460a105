package dev.sekisho.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;

/** The processes of a pod, as this machine, which is the node, sees them. */
final class PodProcesses {
    private final Pod pod;

    private PodProcesses(Pod pod) {
        this.pod = pod;
    }

    static PodProcesses of(Pod pod) {
        return new PodProcesses(pod);
    }

    /** Sends a signal to those whose command line fits; fails when there is none. */
    void signal(String signal, Predicate<String> commandLine) throws IOException, InterruptedException {
        var pids = pids(commandLine);
        assertThat(pids).as("processes of %s", pod.getMetadata().getName()).isNotEmpty();
        var command = new java.util.ArrayList<>(List.of("kill", "-" + signal));
        command.addAll(pids);
        // One of them may have ended meanwhile, which is no fault.
        new ProcessBuilder(command).redirectErrorStream(true).start().waitFor();
    }

    /** All but the one that holds the pod's namespaces. */
    static boolean any(String commandLine) {
        return !commandLine.startsWith("/pause");
    }

    private List<String> pids(Predicate<String> commandLine) throws IOException {
        var uid = pod.getMetadata().getUid();
        try (var processes = Files.list(Path.of("/proc"))) {
            return processes
                    .filter(process -> process.getFileName().toString().matches("[0-9]+"))
                    .filter(process -> read(process.resolve("cgroup")).contains(uid))
                    .filter(process ->
                            commandLine.test(read(process.resolve("cmdline")).replace('\0', ' ')))
                    .map(process -> process.getFileName().toString())
                    .toList();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            // It has ended.
            return "";
        }
    }
}
