package dev.sekisho.loadtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a process of its own. */
class SignalTest {
    @Test
    void aSignalEndsTheRunWithASummaryAndExitCode105(@TempDir Path folder) throws IOException, InterruptedException {
        Path summary = folder.resolve("summary.json");
        Process process = start(
                summary, folder, "run", "--quiet", Scripts.ofTests("endless.js").toString());
        await().atMost(Duration.ofSeconds(60)).until(() -> log(folder).contains("iteration"));
        process.destroy();

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(105);
        JsonNode data = new ObjectMapper().readTree(summary.toFile());
        assertThat(data.at("/state/testRunDurationMs").asDouble()).isPositive();
    }

    @Test
    void exitCodesReachTheShell(@TempDir Path folder) throws IOException, InterruptedException {
        Process process = start(folder.resolve("s"), folder, "run", "--no-such-flag");

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(255);
        assertThat(log(folder)).contains("unknown flag: --no-such-flag");
    }

    private static String log(Path folder) throws IOException {
        return Files.readString(folder.resolve("log"));
    }

    private static Process start(Path summary, Path folder, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("--enable-native-access") || flag.startsWith("--sun-misc"))
                .forEach(command::add);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "dev.sekisho.loadtest.Main"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("SUMMARY", summary.toString());
        builder.redirectOutput(Files.createFile(folder.resolve("out")).toFile());
        builder.redirectError(Files.createFile(folder.resolve("log")).toFile());
        return builder.start();
    }
}
