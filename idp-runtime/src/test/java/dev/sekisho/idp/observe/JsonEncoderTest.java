package dev.sekisho.idp.observe;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

class JsonEncoderTest {
    private static JsonNode encode(String message, @Nullable Throwable thrown) throws Exception {
        var logger = new LoggerContext().getLogger("a.b");
        var event = new LoggingEvent("x", logger, Level.WARN, message, thrown, new Object[] {"v"});
        event.addKeyValuePair(new KeyValuePair("requestId", "r-1"));
        var line = new String(new JsonEncoder().encode(event), StandardCharsets.UTF_8);
        assertThat(line).endsWith("}\n");
        assertThat(line.strip()).doesNotContain("\n");
        return new JsonMapper().readTree(line);
    }

    @Test
    void fieldNamesStay() throws Exception {
        var json = encode("said {}", null);
        assertThat(json.fieldNames())
                .toIterable()
                .containsExactly("time", "level", "logger", "thread", "message", "requestId");
        assertThat(json.path("time").asText()).matches("\\d{4}-\\d\\d-\\d\\dT.*Z");
        assertThat(json.path("level").asText()).isEqualTo("WARN");
        assertThat(json.path("logger").asText()).isEqualTo("a.b");
        assertThat(json.path("message").asText()).isEqualTo("said v");
        assertThat(json.path("requestId").asText()).isEqualTo("r-1");
    }

    @Test
    void aStackStaysInItsLine() throws Exception {
        var json = encode("a\nb\u0000\"", new IllegalStateException("why"));
        assertThat(json.path("message").asText()).isEqualTo("a\nb\u0000\"");
        assertThat(json.path("error").asText())
                .contains("IllegalStateException: why")
                .contains("JsonEncoderTest");
    }
}
