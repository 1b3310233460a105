package dev.sekisho.loadtest.metrics;

/** The last value, and its extremes. */
public final class GaugeSink implements Sink {
    private double value;
    private double min;
    private double max;
    private boolean any;

    @Override
    public void add(double sample) {
        value = sample;
        min = any ? Math.min(min, sample) : sample;
        max = any ? Math.max(max, sample) : sample;
        any = true;
    }

    @Override
    public boolean isEmpty() {
        return !any;
    }

    /** The last sample, or 0. */
    public double value() {
        return value;
    }

    /** The least sample, or 0. */
    public double min() {
        return min;
    }

    /** The greatest sample, or 0. */
    public double max() {
        return max;
    }
}
