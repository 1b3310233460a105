package dev.sekisho.loadtest.metrics;

/** The share of samples that are not zero. */
public final class RateSink implements Sink {
    private long passes;
    private long total;

    @Override
    public void add(double value) {
        total++;
        if (value != 0) {
            passes++;
        }
    }

    @Override
    public boolean isEmpty() {
        return total == 0;
    }

    /** Samples that are not zero. */
    public long passes() {
        return passes;
    }

    /** Samples that are zero. */
    public long fails() {
        return total - passes;
    }

    /** The share, 0 to 1; 0 without samples. */
    public double rate() {
        return total == 0 ? 0 : (double) passes / total;
    }
}
