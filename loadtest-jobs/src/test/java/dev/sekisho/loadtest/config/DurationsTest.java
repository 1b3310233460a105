package dev.sekisho.loadtest.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
    @ParameterizedTest
    @CsvSource({
        "10s, PT10S",
        "1m30s, PT1M30S",
        "1h, PT1H",
        "1.5s, PT1.5S",
        "300ms, PT0.3S",
        "1d12h, PT36H",
        "250, PT0.25S",
        "1h0m0.5s, PT1H0.5S",
        "5us, PT0.000005S",
        "0, PT0S",
        "-1s, PT-1S"
    })
    void durationsAreParsed(String text, Duration expected) {
        assertThat(Durations.parse(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "s", "ten", "10 s", "1s1", "1w", "--1s", "999999999999h"})
    void whatIsNoDurationIsRefused(String text) {
        assertThatThrownBy(() -> Durations.parse(text)).isInstanceOf(ConfigException.class);
    }
}
