package dev.sekisho.loadtest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sekisho.loadtest.config.CommandLine;
import dev.sekisho.loadtest.config.UsageException;
import dev.sekisho.loadtest.runner.ExitCode;
import dev.sekisho.loadtest.runner.TestRun;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * A finished run of a script, by this runner or by a k6 binary.
 *
 * @param exitCode its exit code
 * @param stdout what it wrote to standard output
 * @param stderr what it logged
 * @param summary what its handleSummary() wrote to the file named by SUMMARY
 */
public record ScriptRun(int exitCode, String stdout, String stderr, Optional<JsonNode> summary) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Runs a script in this JVM. */
    public static ScriptRun of(Path script, Map<String, String> environment, String... flags) {
        Path file = summaryFile();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        try {
            ExitCode exitCode = execute(arguments(script, flags), withSummary(environment, file), out, err);
            return new ScriptRun(
                    exitCode.code(),
                    out.toString(StandardCharsets.UTF_8),
                    err.toString(StandardCharsets.UTF_8),
                    summary(file));
        } catch (InterruptedException | IOException e) {
            throw new IllegalStateException(e);
        } finally {
            delete(file, file.resolveSibling(""));
        }
    }

    private static ExitCode execute(
            List<String> arguments,
            Map<String, String> environment,
            ByteArrayOutputStream out,
            ByteArrayOutputStream err)
            throws InterruptedException {
        try {
            return new TestRun(
                            CommandLine.parse(arguments),
                            environment,
                            new PrintStream(out, true, StandardCharsets.UTF_8),
                            new PrintStream(err, true, StandardCharsets.UTF_8))
                    .execute();
        } catch (UsageException e) {
            return ExitCode.USAGE;
        }
    }

    /** Runs a script with a k6 binary. */
    public static ScriptRun ofK6(String binary, Path script, Map<String, String> environment, String... flags)
            throws IOException, InterruptedException {
        Path file = summaryFile();
        Path out = file.resolveSibling("out");
        Path err = file.resolveSibling("err");
        List<String> command = new ArrayList<>();
        command.add(binary);
        command.addAll(arguments(script, flags));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().putAll(withSummary(environment, file));
        try {
            Process process = builder.start();
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException("k6 did not end");
            }
            return new ScriptRun(process.exitValue(), Files.readString(out), Files.readString(err), summary(file));
        } finally {
            delete(out, err, file, file.resolveSibling(""));
        }
    }

    private static void delete(Path... paths) {
        try {
            for (Path path : paths) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new IllegalStateException("a test leaves something behind", e);
        }
    }

    private static List<String> arguments(Path script, String... flags) {
        List<String> arguments = new ArrayList<>(List.of("run", "--quiet", "--no-color", "--no-usage-report"));
        arguments.addAll(List.of(flags));
        arguments.add(script.toString());
        return arguments;
    }

    private static Map<String, String> withSummary(Map<String, String> environment, Path file) {
        Map<String, String> all = new TreeMap<>(environment);
        all.put("SUMMARY", file.toString());
        all.put("SUMMARY_PATH", file.toString());
        return all;
    }

    private static Path summaryFile() {
        try {
            return Files.createTempDirectory("summary-").resolve("summary.json");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Optional<JsonNode> summary(Path file) throws IOException {
        return Files.exists(file) ? Optional.of(JSON.readTree(file.toFile())) : Optional.empty();
    }

    /** The summary; there must be one. */
    public JsonNode data() {
        return summary.orElseThrow(() -> new AssertionError("no summary; the log is:\n" + stderr));
    }

    /** One value of a metric, or NaN when the metric is not in the summary. */
    public double value(String metric, String value) {
        return data().path("metrics").path(metric).path("values").path(value).asDouble(Double.NaN);
    }

    /** Passes and fails of all checks, by path. */
    public Map<String, String> checks() {
        Map<String, String> checks = new TreeMap<>();
        collect(data().path("root_group"), checks);
        return checks;
    }

    private static void collect(JsonNode group, Map<String, String> into) {
        for (JsonNode check : group.path("checks")) {
            into.put(
                    check.path("path").asText(),
                    check.path("passes").asLong() + "/" + check.path("fails").asLong());
        }
        group.path("groups").forEach(child -> collect(child, into));
    }

    /** The checks that ever failed. */
    public List<String> failedChecks() {
        return checks().entrySet().stream()
                .filter(check -> !check.getValue().endsWith("/0"))
                .map(Map.Entry::getKey)
                .toList();
    }
}
