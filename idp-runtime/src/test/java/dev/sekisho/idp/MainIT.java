package dev.sekisho.idp;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sekisho.idp.testing.Environment;
import dev.sekisho.idp.testing.PostgresServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The process as a container starts it. */
class MainIT {
    @TempDir
    private Path directory = Path.of("");

    private final Environment environment = Environment.shared();

    private Process start(Map<Setting, String> settings, String... arguments) throws IOException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.sekisho.idp.Main"));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("out").toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("SEKISHO_"));
        settings.forEach((setting, value) -> builder.environment().put(setting.variable(), value));
        return builder.start();
    }

    private int run(Map<Setting, String> settings, String... arguments) throws Exception {
        var process = start(settings, arguments);
        assertThat(process.waitFor(90, TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    private List<JsonNode> log() throws IOException {
        var lines = new ArrayList<JsonNode>();
        for (var line : Files.readAllLines(directory.resolve("out"))) {
            lines.add(new JsonMapper().readTree(line));
        }
        return lines;
    }

    private String text() throws IOException {
        return Files.readString(directory.resolve("out"));
    }

    @Test
    void serveStartsAnswersAndLeavesOnSigterm() throws Exception {
        var process = start(environment.settings(), "serve");
        try {
            Awaitility.await().atMost(Duration.ofSeconds(90)).until(() -> text().contains("\"message\":\"Started\""));
            var started = log().stream()
                    .filter(l -> l.path("message").asText().equals("Started"))
                    .findFirst()
                    .orElseThrow();
            assertThat(started.path("cryptoProvider").asText()).isEqualTo("AmazonCorrettoCryptoProvider");
            try (var http = HttpClient.newHttpClient()) {
                var ready = http.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:"
                                        + started.path("metricsPort").asInt() + "/health/ready"))
                                .build(),
                        BodyHandlers.ofString());
                assertThat(ready.statusCode()).isEqualTo(200);
            }
        } finally {
            process.destroy();
        }
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as("128 + SIGTERM").isEqualTo(143);
        assertThat(log()).extracting(l -> l.path("message").asText()).contains("Draining", "Stopped");
        assertThat(log())
                .as("warnings, but for a first connection that takes its time on a busy machine")
                .filteredOn(l -> !l.path("message").asText().startsWith("Waiting for the database"))
                .noneMatch(l -> l.path("level").asText().matches("WARN|ERROR"));
        assertThat(text()).doesNotContain(Environment.RUNTIME_PASSWORD, Environment.MANAGEMENT_TOKEN);
    }

    @Test
    void aConfigurationThatCannotWorkEndsWith2AndSaysWhy() throws Exception {
        var settings = environment.settings();
        settings.remove(Setting.PUBLIC_URL);
        settings.put(Setting.KEY_ENCRYPTION_KEY_FILE, "/no/such/file");
        assertThat(run(settings, "serve")).isEqualTo(2);
        assertThat(text()).contains("SEKISHO_PUBLIC_URL is required", "SEKISHO_KEY_ENCRYPTION_KEY_FILE names a file");
    }

    @Test
    void aKeyEncryptionKeyOfAnotherLengthEndsWith2() throws Exception {
        var settings = environment.settings();
        settings.put(
                Setting.KEY_ENCRYPTION_KEY_FILE,
                environment.file("short-kek", new byte[31]).toString());
        assertThat(run(settings, "serve")).isEqualTo(2);
        assertThat(text()).contains("SEKISHO_KEY_ENCRYPTION_KEY_FILE: the key-encryption key must be exactly 32 bytes");
    }

    @Test
    void otherArgumentsEndWith2AndTheUsage() throws Exception {
        assertThat(run(environment.settings())).isEqualTo(2);
        assertThat(text()).contains("usage: serve | migrate");
    }

    @Test
    void migrateMakesADatabaseAndMayBeRunAgain() throws Exception {
        var postgres = environment.postgres();
        var settings = new EnumMap<Setting, String>(Setting.class);
        settings.put(Setting.DATABASE_ADMIN_URL, postgres.url("postgres"));
        settings.put(Setting.DATABASE_URL, postgres.url("made_by_main"));
        settings.put(Setting.DATABASE_ADMIN_PASSWORD_FILE, secret("admin", PostgresServer.ADMIN_PASSWORD));
        settings.put(Setting.DATABASE_MIGRATOR_PASSWORD_FILE, secret("migrator", Environment.MIGRATOR_PASSWORD));
        settings.put(Setting.DATABASE_PASSWORD_FILE, secret("runtime", Environment.RUNTIME_PASSWORD));
        assertThat(run(settings, "migrate")).as(text()).isZero();
        assertThat(text()).containsPattern("[1-9][0-9]* migrations applied");
        assertThat(run(settings, "migrate")).isZero();
        assertThat(text()).contains("Migrated: 0 migrations applied");
        assertThat(text()).doesNotContain(PostgresServer.ADMIN_PASSWORD, Environment.RUNTIME_PASSWORD);
        settings.put(Setting.DATABASE_ADMIN_PASSWORD_FILE, secret("wrong", "wrong"));
        assertThat(run(settings, "migrate")).isEqualTo(1);
    }

    private String secret(String name, String value) {
        return environment
                .file("main-" + name, value.getBytes(StandardCharsets.UTF_8))
                .toString();
    }
}
