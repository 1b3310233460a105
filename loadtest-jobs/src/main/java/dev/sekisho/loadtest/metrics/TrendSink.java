package dev.sekisho.loadtest.metrics;

import java.util.Arrays;

/**
 * All samples, for exact percentiles by linear interpolation between the two nearest.
 *
 * <p>Eight bytes a sample, except zeros, which are only counted: on a connection that is used again, connecting and
 * shaking hands take no time, and those are most of the samples of a run.
 */
public final class TrendSink implements Sink {
    private double[] values = new double[64];
    private int size;
    private long zeros;
    private boolean sorted = true;
    private double sum;
    private double min;
    private double max;

    @Override
    public void add(double value) {
        min = isEmpty() ? value : Math.min(min, value);
        max = isEmpty() ? value : Math.max(max, value);
        sum += value;
        if (value == 0) {
            zeros++;
            return;
        }
        if (size == values.length) {
            values = Arrays.copyOf(values, size + (size >> 1));
        }
        values[size++] = value;
        sorted = false;
    }

    @Override
    public boolean isEmpty() {
        return size == 0 && zeros == 0;
    }

    /** How many samples. */
    public long count() {
        return size + zeros;
    }

    /** The mean, or 0. */
    public double avg() {
        return isEmpty() ? 0 : sum / count();
    }

    /** The least sample, or 0. */
    public double min() {
        return min;
    }

    /** The greatest sample, or 0. */
    public double max() {
        return max;
    }

    /**
     * A percentile.
     *
     * @param percent 0 to 100
     * @return the value, or 0 without samples
     */
    public double percentile(double percent) {
        if (isEmpty()) {
            return 0;
        }
        if (!sorted) {
            Arrays.sort(values, 0, size);
            sorted = true;
        }
        double position = percent / 100 * (count() - 1);
        double below = at((long) Math.floor(position));
        double above = at((long) Math.ceil(position));
        return below + (above - below) * (position - Math.floor(position));
    }

    private double at(long rank) {
        int insertion = Arrays.binarySearch(values, 0, size, 0.0);
        int negatives = -insertion - 1;
        if (rank < negatives) {
            return values[(int) rank];
        }
        return rank < negatives + zeros ? 0 : values[(int) (rank - zeros)];
    }
}
