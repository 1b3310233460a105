package dev.sekisho.loadtest.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TrendSinkTest {
    private static TrendSink of(double... values) {
        TrendSink sink = new TrendSink();
        Arrays.stream(values).forEach(sink::add);
        return sink;
    }

    @Test
    void withoutSamplesAllIsZero() {
        TrendSink sink = of();

        assertThat(sink.isEmpty()).isTrue();
        assertThat(sink.percentile(95)).isZero();
        assertThat(sink.avg()).isZero();
        assertThat(sink.count()).isZero();
    }

    @Test
    void oneSampleIsEveryPercentile() {
        assertThat(of(3).percentile(0)).isEqualTo(3);
        assertThat(of(3).percentile(99.9)).isEqualTo(3);
    }

    @Test
    void betweenSamplesPercentilesAreInterpolated() {
        TrendSink sink = of(4, 1, 3, 2);

        assertThat(sink.percentile(50)).isEqualTo(2.5);
        assertThat(sink.percentile(90)).isCloseTo(3.7, within(1e-12));
        assertThat(sink.percentile(0)).isEqualTo(1);
        assertThat(sink.percentile(100)).isEqualTo(4);
    }

    @Test
    void zerosAndNegativesHaveTheirPlace() {
        TrendSink sink = of(0, 5, -2, 0, 0, -1, 7);

        assertThat(sink.count()).isEqualTo(7);
        assertThat(sink.min()).isEqualTo(-2);
        assertThat(sink.percentile(50)).isZero();
        assertThat(sink.percentile(100.0 / 6)).isCloseTo(-1, within(1e-9));
        assertThat(sink.percentile(100)).isEqualTo(7);
    }

    @Test
    void aHundredThousandSamplesAreAsExactAsSorting() {
        Random random = new Random(7);
        double[] values = new double[100_000];
        for (int i = 0; i < values.length; i++) {
            values[i] = random.nextInt(10) == 0 ? 0 : random.nextGaussian(20, 15);
        }
        TrendSink sink = of(values);
        Arrays.sort(values);

        for (double percent : new double[] {0, 1, 25, 50, 90, 95, 99, 99.9, 99.99, 100}) {
            double position = percent / 100 * (values.length - 1);
            int below = (int) Math.floor(position);
            int above = (int) Math.ceil(position);
            double expected = values[below] + (values[above] - values[below]) * (position - below);
            assertThat(sink.percentile(percent)).as("p(%s)", percent).isCloseTo(expected, within(1e-9));
        }
        assertThat(sink.avg()).isCloseTo(Arrays.stream(values).average().orElseThrow(), within(1e-9));
    }

    @Test
    void samplesAfterAPercentileCount() {
        TrendSink sink = of(1, 2);
        assertThat(sink.percentile(100)).isEqualTo(2);
        sink.add(9);

        assertThat(sink.percentile(100)).isEqualTo(9);
    }
}
