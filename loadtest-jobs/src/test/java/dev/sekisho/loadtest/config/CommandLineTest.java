package dev.sekisho.loadtest.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CommandLineTest {
    private static CommandLine parse(String line) {
        return CommandLine.parse(List.of(line.split(" ", -1)));
    }

    @Test
    void flagsOfTheOperatorAreUnderstood() {
        CommandLine line = parse("run --quiet --no-color --no-usage-report /scenarios/jwks.js");

        assertThat(line.script()).isEqualTo(Path.of("/scenarios/jwks.js"));
        assertThat(line.options()).isEmpty();
        assertThat(line.thresholds()).isTrue();
        assertThat(line.summary()).isTrue();
    }

    @Test
    void optionsHaveLongAndShortForms() {
        CommandLine line = parse("run -u 5 --duration=1m30s -i7 -qe A=b=c --env D= --tag x=y script.js");

        assertThat(line.options().path("vus").asInt()).isEqualTo(5);
        assertThat(line.options().path("duration").asText()).isEqualTo("1m30s");
        assertThat(line.options().path("iterations").asInt()).isEqualTo(7);
        assertThat(line.options().at("/tags/x").asText()).isEqualTo("y");
        assertThat(line.env()).containsEntry("A", "b=c").containsEntry("D", "");
    }

    @Test
    void switchesAndListsBecomeOptions() {
        CommandLine line = parse("run --no-setup --insecure-skip-tls-verify=true --no-vu-connection-reuse"
                + " --summary-trend-stats avg,p(99) --no-thresholds --no-summary s.js");

        assertThat(line.options().path("noSetup").asBoolean()).isTrue();
        assertThat(line.options().path("insecureSkipTLSVerify").asBoolean()).isTrue();
        assertThat(line.options().path("noVUConnectionReuse").asBoolean()).isTrue();
        assertThat(line.options().path("summaryTrendStats").toString()).isEqualTo("[\"avg\",\"p(99)\"]");
        assertThat(line.thresholds()).isFalse();
        assertThat(line.summary()).isFalse();
    }

    @Test
    void whatHasNoEffectIsSaid() {
        assertThat(parse("run --out json=x.json s.js").notes())
                .anySatisfy(note -> assertThat(note).contains("json=x.json"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "archive s.js",
                "run",
                "run a.js b.js",
                "run --nope s.js",
                "run -Z s.js",
                "run --vus",
                "run --vus many s.js",
                "run -d soon s.js",
                "run -e novalue s.js",
                "run --no-setup=perhaps s.js"
            })
    void otherCommandLinesAreRefused(String line) {
        assertThatThrownBy(() -> parse(line)).isInstanceOf(UsageException.class);
    }
}
