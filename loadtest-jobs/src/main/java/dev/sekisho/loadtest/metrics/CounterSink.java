package dev.sekisho.loadtest.metrics;

/** A sum. */
public final class CounterSink implements Sink {
    private double sum;
    private boolean any;

    @Override
    public void add(double value) {
        sum += value;
        any = true;
    }

    @Override
    public boolean isEmpty() {
        return !any;
    }

    /** The sum of all samples. */
    public double count() {
        return sum;
    }

    /** The sum per second of a run of that many seconds; 0 for a run without length. */
    public double rate(double seconds) {
        return seconds > 0 ? sum / seconds : 0;
    }
}
