package dev.sekisho.loadtest.runner;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sekisho.loadtest.config.Options;
import dev.sekisho.loadtest.metrics.CheckGroup;
import dev.sekisho.loadtest.metrics.CounterSink;
import dev.sekisho.loadtest.metrics.GaugeSink;
import dev.sekisho.loadtest.metrics.Metric;
import dev.sekisho.loadtest.metrics.MetricRegistry;
import dev.sekisho.loadtest.metrics.RateSink;
import dev.sekisho.loadtest.metrics.Sink;
import dev.sekisho.loadtest.metrics.Threshold;
import dev.sekisho.loadtest.metrics.TrendSink;
import dev.sekisho.loadtest.metrics.TrendStat;
import java.util.Optional;

/** What handleSummary() is given. */
final class SummaryData {
    private static final ObjectMapper JSON = new ObjectMapper();

    private SummaryData() {}

    /**
     * Builds it.
     *
     * @param seconds how long the run lasted
     * @param setup what setup() returned, as JSON
     */
    static ObjectNode build(
            MetricRegistry registry, CheckGroup rootGroup, Options options, double seconds, Optional<String> setup) {
        ObjectNode data = JSON.createObjectNode();
        data.set("root_group", group(rootGroup));
        ObjectNode shown = data.putObject("options");
        options.summaryTrendStats().forEach(shown.putArray("summaryTrendStats")::add);
        shown.put("summaryTimeUnit", options.summaryTimeUnit());
        shown.put("noColor", true);
        data.putObject("state")
                .put("isStdOutTTY", false)
                .put("isStdErrTTY", false)
                .put("testRunDurationMs", seconds * 1000);
        ObjectNode metrics = data.putObject("metrics");
        for (Metric metric : registry.observed()) {
            metrics.set(metric.name(), metric(metric, options, seconds));
        }
        setup.ifPresent(json -> {
            try {
                data.set("setup_data", JSON.readTree(json));
            } catch (JsonProcessingException e) {
                throw new IllegalStateException("the engine made invalid JSON", e);
            }
        });
        return data;
    }

    private static ObjectNode metric(Metric metric, Options options, double seconds) {
        ObjectNode node = JSON.createObjectNode();
        node.put("type", metric.type().jsonName());
        node.put("contains", metric.contains().jsonName());
        node.set("values", metric.read(sink -> values(sink, options, seconds)));
        if (!metric.thresholds().isEmpty()) {
            ObjectNode thresholds = node.putObject("thresholds");
            for (Threshold threshold : metric.thresholds()) {
                thresholds.putObject(threshold.source()).put("ok", !threshold.failed());
            }
        }
        return node;
    }

    private static ObjectNode values(Sink sink, Options options, double seconds) {
        ObjectNode values = JSON.createObjectNode();
        switch (sink) {
            case CounterSink counter -> {
                values.put("count", counter.count());
                values.put("rate", counter.rate(seconds));
            }
            case GaugeSink gauge -> {
                values.put("value", gauge.value());
                values.put("min", gauge.min());
                values.put("max", gauge.max());
            }
            case RateSink rate -> {
                values.put("rate", rate.rate());
                values.put("passes", rate.passes());
                values.put("fails", rate.fails());
            }
            case TrendSink trend -> {
                for (String name : options.summaryTrendStats()) {
                    values.put(name, TrendStat.parse(name).of().applyAsDouble(trend));
                }
            }
        }
        return values;
    }

    private static ObjectNode group(CheckGroup group) {
        ObjectNode node = JSON.createObjectNode();
        node.put("name", group.name()).put("path", group.path()).put("id", group.id());
        ArrayNode groups = node.putArray("groups");
        group.groups().stream().filter(CheckGroup::isUsed).forEach(child -> groups.add(group(child)));
        ArrayNode checks = node.putArray("checks");
        for (CheckGroup.Check check : group.checks()) {
            checks.addObject()
                    .put("name", check.name())
                    .put("path", check.path())
                    .put("id", check.id())
                    .put("passes", check.passes())
                    .put("fails", check.fails());
        }
        return node;
    }
}
