package dev.sekisho.loadtest.metrics;

/** Where samples of one metric go. Not thread-safe: {@link Metric} guards it. */
public sealed interface Sink permits CounterSink, GaugeSink, RateSink, TrendSink {
    /** Takes one sample. */
    void add(double value);

    /** Whether it took none so far. */
    boolean isEmpty();
}
