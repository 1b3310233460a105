package dev.sekisho.loadtest.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sekisho.loadtest.config.ExecutorConfig.ConstantVus;
import dev.sekisho.loadtest.config.ExecutorConfig.PerVuIterations;
import dev.sekisho.loadtest.config.ExecutorConfig.SharedIterations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsReaderTest {
    private static ObjectNode json(String text) {
        try {
            return (ObjectNode) new ObjectMapper().readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static Options read(String text) {
        return OptionsReader.read(json(text), warning -> {});
    }

    @Test
    void nothingMeansOneIterationOfOneUser() {
        assertThat(read("{}").executors()).singleElement().isInstanceOfSatisfying(PerVuIterations.class, one -> {
            assertThat(one.vus()).isEqualTo(1);
            assertThat(one.iterations()).isEqualTo(1);
        });
    }

    @Test
    void durationMeansConstantVus() {
        assertThat(read("{'vus': 3, 'duration': '2s'}").executors())
                .singleElement()
                .isInstanceOfSatisfying(ConstantVus.class, constant -> {
                    assertThat(constant.vus()).isEqualTo(3);
                    assertThat(constant.duration()).isEqualTo(Duration.ofSeconds(2));
                    assertThat(constant.base().gracefulStop()).isEqualTo(Duration.ofSeconds(30));
                });
    }

    @Test
    void iterationsMeanSharedIterationsWithDurationAsTheLimit() {
        assertThat(read("{'vus': 2, 'iterations': 9, 'duration': '5s'}").executors())
                .singleElement()
                .isInstanceOfSatisfying(SharedIterations.class, shared -> {
                    assertThat(shared.iterations()).isEqualTo(9);
                    assertThat(shared.maxDuration()).isEqualTo(Duration.ofSeconds(5));
                });
    }

    @Test
    void scenariosAreReadWithAllTheyHave() {
        Options options = read("{'scenarios': {'a': {'executor': 'constant-vus', 'vus': 2, 'duration': '1m',"
                + " 'startTime': '5s', 'gracefulStop': 0, 'exec': 'other', 'env': {'K': 'v'}, 'tags': {'t': 1}},"
                + " 'b': {'executor': 'per-vu-iterations', 'iterations': 4}}}");

        assertThat(options.executors()).hasSize(2);
        ExecutorConfig.Base base = options.executors().get(0).base();
        assertThat(base.exec()).isEqualTo("other");
        assertThat(base.startTime()).isEqualTo(Duration.ofSeconds(5));
        assertThat(base.gracefulStop()).isZero();
        assertThat(base.env()).isEqualTo(Map.of("K", "v"));
        assertThat(base.tags()).isEqualTo(Map.of("t", "1"));
    }

    @Test
    void aHigherLayerReplacesHowLongTheLowerOneRuns() {
        ObjectNode script = json("{'scenarios': {'a': {}}, 'vus': 4, 'userAgent': 'x'}");
        ObjectNode merged = OptionsReader.merge(script, json("{'duration': '3s', 'batch': null}"));

        assertThat(merged).isEqualTo(json("{'vus': 4, 'userAgent': 'x', 'duration': '3s'}"));
        assertThat(script.has("scenarios")).isTrue();
    }

    @Test
    void thresholdsComeAsTextOrObject() {
        Options options = read("{'thresholds': {'http_reqs': ['count>1', {'threshold': 'rate>2', 'abortOnFail': true,"
                + " 'delayAbortEval': '10s'}]}}");

        assertThat(options.thresholds())
                .containsEntry(
                        "http_reqs",
                        List.of(
                                new ThresholdConfig("count>1", false, Duration.ZERO),
                                new ThresholdConfig("rate>2", true, Duration.ofSeconds(10))));
    }

    @Test
    void unknownOptionsAreSaidAndLeftOut() {
        List<String> warnings = new ArrayList<>();
        OptionsReader.read(json("{'cloud': {}, 'vus': 1}"), warnings::add);

        assertThat(warnings).singleElement().asString().contains("cloud");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'vus': 'many', 'duration': '1s'}",
                "{'vus': 0, 'duration': '1s'}",
                "{'vus': 1.5, 'duration': '1s'}",
                "{'duration': '0s'}",
                "{'duration': '999ms'}",
                "{'duration': '-1s'}",
                "{'duration': 'soon'}",
                "{'vus': 5, 'iterations': 2}",
                "{'duration': '1s', 'scenarios': {}}",
                "{'iterations': 1, 'scenarios': {}}",
                "{'stages': [{'duration': '1s', 'target': 1}]}",
                "{'scenarios': {'a': {}}}",
                "{'scenarios': {'a b': {'executor': 'constant-vus', 'duration': '1s'}}}",
                "{'scenarios': {'a': {'executor': 'nope'}}}",
                "{'scenarios': {'a': {'executor': 'constant-vus'}}}",
                "{'scenarios': {'a': {'executor': 'constant-vus', 'vus': 0, 'duration': '1s'}}}",
                "{'scenarios': {'a': {'executor': 'shared-iterations', 'maxDuration': '500ms'}}}",
                "{'scenarios': {'a': {'executor': 'constant-vus', 'duration': '1s', 'exec': ''}}}",
                "{'scenarios': []}",
                "{'thresholds': []}",
                "{'thresholds': {'a': 'count>1'}}",
                "{'thresholds': {'a': [1]}}",
                "{'summaryTrendStats': ['p95']}",
                "{'summaryTrendStats': 'avg'}",
                "{'maxRedirects': -1}",
                "{'throw': 'yes'}",
                "{'userAgent': 1}",
                "{'tags': 'x'}"
            })
    void whatCannotBeRunIsRefused(String options) {
        assertThatThrownBy(() -> read(options)).isInstanceOf(ConfigException.class);
    }

    @Test
    void environmentVariablesBecomeOptions() {
        ObjectNode options = EnvironmentOptions.read(Map.of(
                "K6_VUS",
                "3",
                "K6_DURATION",
                "2s",
                "K6_NO_SETUP",
                "true",
                "K6_SUMMARY_TREND_STATS",
                "avg, max",
                "VUS",
                "9"));

        assertThat(json(options.toString()))
                .isEqualTo(json("{'vus': 3, 'duration': '2s', 'noSetup': true, 'summaryTrendStats': ['avg', 'max']}"));
        assertThatThrownBy(() -> EnvironmentOptions.read(Map.of("K6_VUS", "x"))).isInstanceOf(ConfigException.class);
        assertThatThrownBy(() -> EnvironmentOptions.read(Map.of("K6_THROW", "x")))
                .isInstanceOf(ConfigException.class);
    }
}
