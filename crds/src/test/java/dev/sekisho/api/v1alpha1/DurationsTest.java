package dev.sekisho.api.v1alpha1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
    @Test
    void unitsAddUp() {
        assertThat(Durations.parse("1h2m3s4ms")).isEqualTo(Duration.parse("PT1H2M3.004S"));
        assertThat(Durations.parse("1500ms")).isEqualTo(Duration.ofMillis(1500));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "s", "1d", "-1s", "1.5s", " 1s", "1s ", "9999999999s"})
    void anythingElseIsRefused(String text) {
        assertThatThrownBy(() -> Durations.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}
