package dev.sekisho.idp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RuntimeConfigTest {
    @TempDir
    private Path directory = Path.of("");

    private final Map<String, String> environment = new HashMap<>();

    @BeforeEach
    void everythingRequired() throws IOException {
        var secret = Files.writeString(directory.resolve("secret"), "s3cret\n").toString();
        for (var setting : Setting.values()) {
            if (setting.required()) {
                environment.put(setting.variable(), secret);
            }
        }
        environment.put("SEKISHO_PUBLIC_URL", "https://idp.example");
        environment.put("SEKISHO_DATABASE_URL", "jdbc:postgresql://db/sekisho");
        environment.put("SEKISHO_DATABASE_ADMIN_URL", "jdbc:postgresql://db/postgres");
        environment.put("SEKISHO_REDIS_URL", "rediss://redis:6379");
    }

    @Test
    void absentSettingsHaveTheirDocumentedDefaults() {
        var config = RuntimeConfig.from(environment);
        assertThat(config.listeners().publicPort()).isEqualTo(8080);
        assertThat(config.listeners().managementPort()).isEqualTo(8443);
        assertThat(config.listeners().metricsPort()).isEqualTo(9090);
        assertThat(config.database().poolSize()).isEqualTo(10);
        assertThat(config.database().username()).isEqualTo("sekisho_runtime");
        assertThat(config.drain().delay()).isEqualTo(Duration.ofSeconds(5));
        assertThat(config.redis().password()).isEmpty();
        assertThat(config.management().token().get()).isEqualTo("s3cret");
    }

    @Test
    void theTrailingSlashOfThePublicUrlIsDropped() {
        environment.put("SEKISHO_PUBLIC_URL", "https://idp.example:8443/base/");
        assertThat(RuntimeConfig.from(environment).publicUrl()).isEqualTo("https://idp.example:8443/base");
    }

    @Test
    void everyMistakeIsNamedAtOnceAndNoValueIsShown() {
        environment.put("SEKISHO_PUBLIC_URL", "ftp://user:hunter2@idp.example");
        environment.put("SEKISHO_PUBLIC_PORT", "65536");
        environment.put("SEKISHO_DRAIN_DELAY", "soon");
        environment.put("SEKISHO_LOG_LEVEL", "LOUD");
        environment.put("SEKISHO_DATABASE_URL", "jdbc:mysql://db?password=hunter2");
        environment.put("SEKISHO_KEY_ENCRYPTION_KEY_FILE", "/no/such/file");
        environment.remove("SEKISHO_REDIS_URL");
        assertThatThrownBy(() -> RuntimeConfig.from(environment))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("SEKISHO_PUBLIC_URL")
                .hasMessageContaining("SEKISHO_PUBLIC_PORT must be a number from 0 to 65535")
                .hasMessageContaining("SEKISHO_DRAIN_DELAY")
                .hasMessageContaining("SEKISHO_LOG_LEVEL")
                .hasMessageContaining("SEKISHO_DATABASE_URL")
                .hasMessageContaining("SEKISHO_KEY_ENCRYPTION_KEY_FILE names a file that cannot be read")
                .hasMessageContaining("SEKISHO_REDIS_URL is required")
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void migrationHasSettingsOfItsOwn() {
        var migration = RuntimeConfig.Migration.from(environment);
        assertThat(migration.adminUsername()).isEqualTo("postgres");
        assertThat(migration.adminUrl()).isEqualTo("jdbc:postgresql://db/postgres");
        environment.remove("SEKISHO_DATABASE_ADMIN_URL");
        assertThatThrownBy(() -> RuntimeConfig.Migration.from(environment))
                .hasMessage("SEKISHO_DATABASE_ADMIN_URL is required");
    }

    @Test
    void secretsAreReadAgainEachTimeAndNeverPrinted() throws IOException {
        var file = directory.resolve("rotating");
        Files.writeString(file, "one\n");
        var secret = new SecretFile(file);
        assertThat(secret.get()).isEqualTo("one");
        Files.writeString(file, "two");
        assertThat(secret.get()).isEqualTo("two");
        assertThat(secret.toString()).doesNotContain("two");
    }
}
