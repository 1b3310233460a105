package dev.sekisho.loadtest.metrics;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** A metric or sub-metric: its samples, and the thresholds on it. Thread-safe. */
public final class Metric {
    private final String name;
    private final MetricType type;
    private final ValueType contains;
    private final Sink sink;
    private final Tags filter;
    private final List<Metric> submetrics = new CopyOnWriteArrayList<>();
    private final List<Threshold> thresholds = new CopyOnWriteArrayList<>();
    private volatile boolean observed;

    Metric(String name, MetricType type, ValueType contains, Tags filter) {
        this.name = name;
        this.type = type;
        this.contains = contains;
        this.sink = type.newSink();
        this.filter = filter;
    }

    /** The name, with the filter for a sub-metric: {@code http_req_duration{name:token}}. */
    public String name() {
        return name;
    }

    public MetricType type() {
        return type;
    }

    public ValueType contains() {
        return contains;
    }

    /** Whether it belongs into a summary: it has samples or thresholds. */
    public boolean observed() {
        return observed;
    }

    /** The thresholds on it, in the order of the script. */
    public List<Threshold> thresholds() {
        return thresholds;
    }

    /** Takes one sample, also for the sub-metrics whose filter it passes. */
    public void add(double value, Tags tags) {
        synchronized (sink) {
            sink.add(value);
        }
        observed = true;
        for (Metric submetric : submetrics) {
            if (tags.contains(submetric.filter)) {
                submetric.add(value, tags);
            }
        }
    }

    /** Reads the samples under the lock. */
    public <T> T read(Function<Sink, T> reader) {
        synchronized (sink) {
            return reader.apply(sink);
        }
    }

    void observe() {
        observed = true;
    }

    void addThresholds(List<Threshold> more) {
        more.forEach(threshold -> threshold.validate(name, type));
        thresholds.addAll(more);
    }

    Metric submetric(String suffix, Map<String, String> filterTags) {
        Tags tags = Tags.of(filterTags);
        for (Metric known : submetrics) {
            if (known.filter.equals(tags)) {
                return known;
            }
        }
        Metric created = new Metric(name + "{" + suffix + "}", type, contains, tags);
        submetrics.add(created);
        return created;
    }

    /** Itself and its sub-metrics. */
    List<Metric> family() {
        List<Metric> all = new ArrayList<>();
        all.add(this);
        all.addAll(submetrics);
        return all;
    }

    /** Evaluates all thresholds; true when all pass. */
    boolean evaluate(double seconds) {
        synchronized (sink) {
            boolean passed = true;
            for (Threshold threshold : thresholds) {
                passed &= threshold.evaluate(sink, seconds);
            }
            return passed;
        }
    }
}
