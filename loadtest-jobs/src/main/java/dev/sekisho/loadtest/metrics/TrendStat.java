package dev.sekisho.loadtest.metrics;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** One figure of a Trend in a summary: {@code avg}, {@code min}, {@code med}, {@code max}, {@code count}, {@code p(N)}. */
public record TrendStat(String name, ToDoubleFunction<TrendSink> of) {
    /** What k6 summarises unless told otherwise. */
    public static final List<String> DEFAULT = List.of("avg", "min", "med", "max", "p(90)", "p(95)");

    /**
     * Parses a name.
     *
     * @throws IllegalArgumentException if there is no such figure
     */
    public static TrendStat parse(String name) {
        return new TrendStat(
                name,
                switch (name) {
                    case "avg" -> TrendSink::avg;
                    case "min" -> TrendSink::min;
                    case "med" -> trend -> trend.percentile(50);
                    case "max" -> TrendSink::max;
                    case "count" -> TrendSink::count;
                    default -> percentile(name);
                });
    }

    private static ToDoubleFunction<TrendSink> percentile(String name) {
        if (name.startsWith("p(") && name.endsWith(")")) {
            try {
                double percent = Double.parseDouble(name.substring(2, name.length() - 1));
                if (percent >= 0 && percent <= 100) {
                    return trend -> trend.percentile(percent);
                }
            } catch (NumberFormatException e) {
                // falls through to the one message for all that is malformed
            }
        }
        throw new IllegalArgumentException("invalid summary trend stat '" + name
                + "'; possible are avg, min, med, max, count and p(N) with N from 0 to 100");
    }
}
