package dev.sekisho.operator.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sekisho.api.v1alpha1.LoadTestSpec.Step;
import dev.sekisho.api.v1alpha1.LoadTestStatus.CheckResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SummaryTest {
    private static final Step ASKED = new Step(10, "30s");

    @Test
    void figuresOfATerminationMessageBecomeAStepsResult() {
        var summary = Summary.read(Samples.SUMMARY, 2, ASKED);

        assertThat(summary).isInstanceOfSatisfying(Summary.Readable.class, readable -> {
            var result = readable.result();
            assertThat(result.step()).isEqualTo(2);
            assertThat(result.vus()).isEqualTo(10);
            assertThat(result.duration()).isEqualTo("30s");
            assertThat(result.requests()).isEqualTo(3000);
            assertThat(result.requestsPerSecond()).isEqualTo(99.96);
            assertThat(result.iterations()).isEqualTo(2998);
            assertThat(result.errorRate()).isZero();
            assertThat(result.p95()).isEqualTo(7.25);
            assertThat(result.max()).isEqualTo(54.69);
            assertThat(result.checksPassed()).isEqualTo(5996);
            assertThat(result.checks())
                    .containsExactly(
                            new CheckResult("jwks: status is 200", 2998L, 0L),
                            new CheckResult("jwks: has keys", 2998L, 0L));
        });
    }

    @Test
    void noDurationIsNoTimes() {
        var text = Samples.SUMMARY.replaceFirst("\"duration\":\\{[^}]*}", "\"duration\":null");

        assertThat(Summary.read(text, 0, ASKED))
                .isInstanceOfSatisfying(
                        Summary.Readable.class,
                        readable -> assertThat(readable.result().avg()).isNull());
    }

    @Test
    void scriptErrorsStandAmongTheChecks() {
        var text = Samples.SUMMARY.replace("\"scriptErrors\":0", "\"scriptErrors\":3");

        assertThat(Summary.read(text, 0, ASKED))
                .isInstanceOfSatisfying(
                        Summary.Readable.class,
                        readable -> assertThat(readable.result().checks())
                                .first()
                                .isEqualTo(new CheckResult(Summary.SCRIPT_ERRORS, 0L, 3L)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " \n"})
    void nothingIsAMissingResult(String text) {
        assertThat(Summary.read(text, 0, ASKED)).isEqualTo(new Summary.Missing());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            "v":1                  | "v":2                    | its version (v) is not 1
            "v":1                  | "v":"1"                  | its version (v) is not 1
            "v":1,                 | ''                       | its version (v) is not 1
            "requests":3000        | "requests":-1            | requests is out of range
            "requests":3000        | "requests":1.5           | requests is no whole number
            "requests":3000        | "requests":"3000"        | requests is no whole number
            "requests":3000        | "requests":1e300         | requests is no whole number
            "requests":3000        | "requests":9007199254740993 | requests is out of range
            "requests":3000,       | ''                       | requests is missing
            "requests":3000        | "requests":null          | requests is missing
            "scriptErrors":0,      | ''                       | scriptErrors is missing
            "scriptErrors":0       | "scriptErrors":null      | scriptErrors is missing
            "scriptErrors":0       | "scriptErrors":-1        | scriptErrors is out of range
            "requestRate":99.96    | "requestRate":1e999      | requestRate is no finite number from 0 up
            "requestRate":99.96    | "requestRate":-0.1       | requestRate is no finite number from 0 up
            "errorRate":0          | "errorRate":1.01         | errorRate is above 1
            "p95":7.25             | "p95":"7.25"             | p95 is no finite number from 0 up
            "p95":7.25,            | ''                       | p95 is missing
            "passes":5996          | "passes":[]              | passes is no whole number
            "name":"jwks: has keys" | "name":7                | a check's name is no text of at most 200 characters
            "max":54.69}}          | "max":54.69}} {}         | it is not JSON
            "v":1                  | "v":1,"v":1              | it is not JSON
            "requests":3000        | "requests":NaN           | it is not JSON
            """)
    void aWrongFieldMakesTheWholeUnreadable(String good, String bad, String why) {
        var text = Samples.SUMMARY.replace(good, bad == null ? "" : bad);

        assertThat(text).isNotEqualTo(Samples.SUMMARY);
        assertThat(Summary.read(text, 0, ASKED)).isEqualTo(new Summary.Unreadable(why));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "null", "3", "\"x\"", "Killed", "{", "{\"v\":1}"})
    void otherTextIsUnreadable(String text) {
        assertThat(Summary.read(text, 0, ASKED)).isInstanceOf(Summary.Unreadable.class);
    }

    @Test
    void whatIsLongerThanKubernetesKeepsIsUnreadable() {
        var text = Samples.SUMMARY.replace("\"jwks\"", "\"" + "é".repeat(2000) + "\"");

        assertThat(Summary.read(text, 0, ASKED)).isEqualTo(new Summary.Unreadable("it is longer than 4096 bytes"));
    }

    @Test
    void deepNestingIsUnreadable() {
        assertThat(Summary.read("[".repeat(2000), 0, ASKED)).isEqualTo(new Summary.Unreadable("it is not JSON"));
    }
}
