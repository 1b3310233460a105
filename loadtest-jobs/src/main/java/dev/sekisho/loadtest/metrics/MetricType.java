package dev.sekisho.loadtest.metrics;

import java.util.List;
import java.util.Locale;

/** The four kinds of metric, and what a threshold may ask of each. */
public enum MetricType {
    COUNTER("count", "rate"),
    GAUGE("value"),
    RATE("rate"),
    TREND("avg", "min", "max", "med", "p");

    @SuppressWarnings("ImmutableEnumChecker") // List.of() is immutable
    private final List<String> aggregations;

    MetricType(String... aggregations) {
        this.aggregations = List.of(aggregations);
    }

    /** The aggregations that thresholds may use; {@code p} stands for {@code p(N)}. */
    public List<String> aggregations() {
        return aggregations;
    }

    /** The name in a summary. */
    public String jsonName() {
        return name().toLowerCase(Locale.ROOT);
    }

    Sink newSink() {
        return switch (this) {
            case COUNTER -> new CounterSink();
            case GAUGE -> new GaugeSink();
            case RATE -> new RateSink();
            case TREND -> new TrendSink();
        };
    }
}
