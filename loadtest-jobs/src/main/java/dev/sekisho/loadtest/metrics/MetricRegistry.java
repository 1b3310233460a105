package dev.sekisho.loadtest.metrics;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.regex.Pattern;

/** All metrics of a run, by name. Thread-safe. */
public final class MetricRegistry {
    private static final Pattern NAME = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_]{1,128}");

    private final Map<String, Metric> metrics = new ConcurrentSkipListMap<>();

    /**
     * The metric of that name, made if need be.
     *
     * @throws IllegalArgumentException if the name is not allowed, or taken by a metric of another type
     */
    public Metric metric(String name, MetricType type, ValueType contains) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "Invalid metric name: '" + name + "'. Metric names must only include up to"
                            + " 128 ASCII letters, numbers, or underscores and start with a letter or an underscore.");
        }
        Metric metric = metrics.computeIfAbsent(name, key -> new Metric(key, type, contains, Tags.EMPTY));
        if (metric.type() != type) {
            throw new IllegalArgumentException("metric '" + name + "' already exists but with type "
                    + metric.type().jsonName() + ", instead of " + type.jsonName());
        }
        if (metric.contains() != contains) {
            throw new IllegalArgumentException("metric '" + name + "' already exists but with a value type "
                    + metric.contains().jsonName() + ", instead of " + contains.jsonName());
        }
        return metric;
    }

    /**
     * Puts thresholds on a metric or sub-metric.
     *
     * @param target a name, or a name with a filter: {@code http_req_duration{name:token,status:200}}
     * @throws InvalidThresholdException if there is no such metric, or it has not what a threshold asks for
     */
    public void addThresholds(String target, List<Threshold> thresholds) {
        int brace = target.indexOf('{');
        if (brace < 0 && target.indexOf('}') < 0) {
            Metric metric = known(target, target);
            metric.addThresholds(thresholds);
            metric.observe();
            return;
        }
        if (brace < 0 || !target.endsWith("}")) {
            throw new InvalidThresholdException("metric name '" + target + "' is malformed: braces do not match");
        }
        Metric parent = known(target.substring(0, brace), target);
        Metric submetric = submetric(parent, target.substring(brace + 1, target.length() - 1));
        submetric.addThresholds(thresholds);
        submetric.observe();
        parent.observe();
    }

    /** Makes a sub-metric that is summarised once it has samples. */
    public Metric submetric(Metric parent, String filter) {
        Map<String, String> tags = new LinkedHashMap<>();
        for (String pair : filter.split(",", -1)) {
            int colon = pair.indexOf(':');
            String value = colon < 0 ? "" : unquote(pair.substring(colon + 1));
            if (value.isEmpty()) {
                throw new InvalidThresholdException("sub-metric '" + parent.name() + "{" + filter + "}' is malformed: '"
                        + pair + "' is not of the form tag:value");
            }
            tags.put(unquote(pair.substring(0, colon)), value);
        }
        return parent.submetric(filter.strip(), tags);
    }

    private static String unquote(String text) {
        return text.strip().replaceAll("^[\"']+|[\"']+$", "");
    }

    private Metric known(String name, String target) {
        Metric metric = metrics.get(name);
        if (metric == null) {
            throw new InvalidThresholdException(
                    "invalid threshold defined on " + target + ": no metric name \"" + name + "\" found");
        }
        return metric;
    }

    /** Metrics and sub-metrics with samples or thresholds, by name. */
    public List<Metric> observed() {
        List<Metric> all = new ArrayList<>();
        for (Metric metric : metrics.values()) {
            metric.family().stream().filter(Metric::observed).forEach(all::add);
        }
        return all;
    }

    /**
     * Evaluates all thresholds.
     *
     * @param seconds how long the run lasted so far
     * @param last whether the run ended; before that, metrics without samples are left alone
     */
    public Evaluation evaluate(double seconds, boolean last) {
        List<String> crossed = new ArrayList<>();
        boolean abort = false;
        for (Metric metric : observed()) {
            if (metric.thresholds().isEmpty() || (!last && metric.read(Sink::isEmpty))) {
                continue;
            }
            if (!metric.evaluate(seconds)) {
                crossed.add(metric.name());
                abort |= metric.thresholds().stream().anyMatch(threshold -> threshold.demandsAbort(seconds));
            }
        }
        return new Evaluation(List.copyOf(crossed), abort);
    }

    /**
     * What came of the thresholds.
     *
     * @param crossed metrics with a threshold that failed
     * @param abort whether one of them wants the run to end
     */
    public record Evaluation(List<String> crossed, boolean abort) {}
}
