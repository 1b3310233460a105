package dev.sekisho.loadtest.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ThresholdsTest {
    private final MetricRegistry registry = new MetricRegistry();

    private void threshold(String metric, String source) {
        registry.addThresholds(metric, List.of(Threshold.parse(source, false, 0)));
    }

    @ParameterizedTest
    @CsvSource({
        "count<4, true",
        "count<=3, true",
        "count>3, false",
        "count>=3, true",
        "count==3, true",
        "count===3, true",
        "count!=3, false",
        "' count  <  3.5 ', true",
        "rate<2, true",
        "rate>1.4, true"
    })
    void countersAreCompared(String source, boolean passes) {
        Metric counter = registry.metric("my_counter", MetricType.COUNTER, ValueType.DEFAULT);
        threshold("my_counter", source);
        counter.add(3, Tags.EMPTY);

        assertThat(registry.evaluate(2, true).crossed().isEmpty()).isEqualTo(passes);
    }

    @ParameterizedTest
    @CsvSource({
        "avg==2, true",
        "min==1, true",
        "max==3, true",
        "med==2, true",
        "p(50)==2, true",
        "p(99.9)<3, true",
        "p(0)>1, false"
    })
    void trendsAreCompared(String source, boolean passes) {
        Metric trend = registry.metric("my_trend", MetricType.TREND, ValueType.TIME);
        threshold("my_trend", source);
        List.of(1, 2, 3).forEach(value -> trend.add(value, Tags.EMPTY));

        assertThat(registry.evaluate(1, true).crossed().isEmpty()).isEqualTo(passes);
    }

    @Test
    void aRateWithoutSamplesPassesWhereAnEmptyCounterIsZero() {
        registry.metric("my_rate", MetricType.RATE, ValueType.DEFAULT);
        registry.metric("my_counter", MetricType.COUNTER, ValueType.DEFAULT);
        threshold("my_rate", "rate>0.9");
        threshold("my_counter", "count>0");

        assertThat(registry.evaluate(1, true).crossed()).containsExactly("my_counter");
    }

    @Test
    void beforeTheEndMetricsWithoutSamplesAreLeftAlone() {
        registry.metric("my_counter", MetricType.COUNTER, ValueType.DEFAULT);
        registry.addThresholds("my_counter", List.of(Threshold.parse("count>0", true, 0)));

        assertThat(registry.evaluate(1, false).abort()).isFalse();
        assertThat(registry.evaluate(1, true).abort()).isTrue();
    }

    @Test
    void abortWaitsForItsDelay() {
        Metric counter = registry.metric("my_counter", MetricType.COUNTER, ValueType.DEFAULT);
        registry.addThresholds("my_counter", List.of(Threshold.parse("count<1", true, 10)));
        counter.add(1, Tags.EMPTY);

        assertThat(registry.evaluate(9, false).abort()).isFalse();
        assertThat(registry.evaluate(11, false).abort()).isTrue();
    }

    @Test
    void aSubmetricTakesOnlyWhatHasAllItsTags() {
        Metric counter = registry.metric("my_counter", MetricType.COUNTER, ValueType.DEFAULT);
        threshold("my_counter{name: token , 'group':::a::b}", "count==1");
        counter.add(1, Tags.of(Map.of("name", "token", "group", "::a::b", "more", "x")));
        counter.add(1, Tags.of(Map.of("name", "token", "group", "::a")));
        counter.add(1, Tags.of(Map.of("name", "token")));

        assertThat(registry.evaluate(1, true).crossed()).isEmpty();
        assertThat(registry.observed()).extracting(Metric::name).hasSize(2);
    }

    @Test
    void aMetricIsObservedOnceItHasSamplesOrThresholds() {
        Metric silent = registry.metric("my_silent", MetricType.GAUGE, ValueType.DEFAULT);
        Metric loud = registry.metric("my_loud", MetricType.GAUGE, ValueType.DEFAULT);
        registry.metric("my_watched", MetricType.GAUGE, ValueType.DEFAULT);
        threshold("my_watched{a:b}", "value>1");
        loud.add(1, Tags.EMPTY);

        assertThat(silent.observed()).isFalse();
        assertThat(registry.observed())
                .extracting(Metric::name)
                .containsExactly("my_loud", "my_watched", "my_watched{a:b}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "count", "count>", ">1", "count>many", "p(101)<1", "p(x)<1", "p95<1", "median<1"})
    void malformedThresholdsAreRefused(String source) {
        assertThatThrownBy(() -> Threshold.parse(source, false, 0)).isInstanceOf(InvalidThresholdException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"no_such", "my_rate{", "my_rate}", "my_rate{a}", "my_rate{a:}", "my_rate{}", "my_rate{a:b}c"})
    void thresholdsOnNoMetricAreRefused(String metric) {
        registry.metric("my_rate", MetricType.RATE, ValueType.DEFAULT);

        assertThatThrownBy(() -> threshold(metric, "rate>0.5")).isInstanceOf(InvalidThresholdException.class);
    }

    @Test
    void anAggregationThatTheTypeLacksIsRefused() {
        registry.metric("my_rate", MetricType.RATE, ValueType.DEFAULT);

        assertThatThrownBy(() -> threshold("my_rate", "p(95)<1"))
                .isInstanceOf(InvalidThresholdException.class)
                .hasMessageContaining("my_rate")
                .hasMessageContaining("rate");
    }

    @Test
    void aNameIsOfOneTypeOnly() {
        registry.metric("my_metric", MetricType.RATE, ValueType.DEFAULT);

        assertThat(registry.metric("my_metric", MetricType.RATE, ValueType.DEFAULT)
                        .type())
                .isEqualTo(MetricType.RATE);
        assertThatThrownBy(() -> registry.metric("my_metric", MetricType.TREND, ValueType.DEFAULT))
                .hasMessageContaining("already exists");
        assertThatThrownBy(() -> registry.metric("1 bad name", MetricType.TREND, ValueType.DEFAULT))
                .hasMessageContaining("Invalid metric name");
    }
}
