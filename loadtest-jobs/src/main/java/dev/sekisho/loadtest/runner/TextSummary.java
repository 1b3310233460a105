package dev.sekisho.loadtest.runner;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.StringJoiner;

/** The summary for people, of scripts without a handleSummary() of their own. */
final class TextSummary {
    private static final int WIDTH = 40;

    private TextSummary() {}

    static String of(JsonNode data) {
        StringBuilder text = new StringBuilder("\n");
        group(text, data.path("root_group"), "  ");
        text.append('\n');
        for (var metric : data.path("metrics").properties()) {
            JsonNode thresholds = metric.getValue().path("thresholds");
            StringJoiner values = new StringJoiner(" ");
            for (var value : metric.getValue().path("values").properties()) {
                values.add(value.getKey() + "=" + number(value.getValue().asDouble()));
            }
            text.append("  ")
                    .append(dotted(metric.getKey()))
                    .append(": ")
                    .append(values)
                    .append('\n');
            for (var threshold : thresholds.properties()) {
                text.append("    ")
                        .append(threshold.getValue().path("ok").asBoolean() ? "✓ " : "✗ ")
                        .append('\'')
                        .append(threshold.getKey())
                        .append("'\n");
            }
        }
        return text.append('\n').toString();
    }

    private static void group(StringBuilder text, JsonNode group, String indent) {
        if (!group.path("name").asText().isEmpty()) {
            text.append(indent).append("█ ").append(group.path("name").asText()).append('\n');
        }
        String inner = group.path("name").asText().isEmpty() ? indent : indent + "  ";
        for (JsonNode check : group.path("checks")) {
            long passes = check.path("passes").asLong();
            long fails = check.path("fails").asLong();
            text.append(inner)
                    .append(fails == 0 ? "✓ " : "✗ ")
                    .append(check.path("name").asText())
                    .append(fails == 0 ? "" : " — " + passes + " passed, " + fails + " failed")
                    .append('\n');
        }
        group.path("groups").forEach(child -> group(text, child, inner));
    }

    private static String dotted(String name) {
        return name.length() >= WIDTH ? name : name + ".".repeat(WIDTH - name.length());
    }

    private static String number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15
                ? Long.toString((long) value)
                : String.format(Locale.ROOT, "%.3f", value);
    }
}
