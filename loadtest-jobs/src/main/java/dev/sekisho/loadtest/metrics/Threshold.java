package dev.sekisho.loadtest.metrics;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A condition on a metric, such as {@code p(95)<500}.
 *
 * <p>It has k6's traps: a Rate without samples passes any threshold; a Trend or Counter without samples counts as 0.
 */
public final class Threshold {
    // Longer operators first: the first that occurs is taken.
    private static final List<String> OPERATORS = List.of("<=", "<", ">=", ">", "===", "==", "!=");
    private static final List<String> PLAIN = List.of("value", "count", "rate", "avg", "min", "med", "max");

    private final String source;
    private final String aggregation;
    private final double percentile;
    private final String operator;
    private final double bound;
    private final boolean abortOnFail;
    private final double delayAbortSeconds;
    private volatile boolean failed;

    private Threshold(
            String source,
            String aggregation,
            double percentile,
            String operator,
            double bound,
            boolean abortOnFail,
            double delayAbortSeconds) {
        this.source = source;
        this.aggregation = aggregation;
        this.percentile = percentile;
        this.operator = operator;
        this.bound = bound;
        this.abortOnFail = abortOnFail;
        this.delayAbortSeconds = delayAbortSeconds;
    }

    /**
     * Parses a threshold.
     *
     * @param source such as {@code p(95)<500}
     * @param abortOnFail whether the run ends as soon as it fails
     * @param delayAbortSeconds how long the run lasts at least before that
     * @throws InvalidThresholdException if it is malformed
     */
    public static Threshold parse(String source, boolean abortOnFail, double delayAbortSeconds) {
        for (String operator : OPERATORS) {
            int at = source.indexOf(operator);
            if (at < 0 || at + operator.length() == source.length()) {
                continue;
            }
            String left = source.substring(0, at).strip();
            double bound =
                    number(source, source.substring(at + operator.length()).strip());
            if (PLAIN.contains(left)) {
                return new Threshold(source, left, 0, operator, bound, abortOnFail, delayAbortSeconds);
            }
            if (left.startsWith("p(") && left.endsWith(")")) {
                double percentile = number(source, left.substring(2, left.length() - 1));
                if (percentile >= 0 && percentile <= 100) {
                    return new Threshold(source, "p", percentile, operator, bound, abortOnFail, delayAbortSeconds);
                }
            }
            throw new InvalidThresholdException(
                    "malformed threshold '" + source + "': unknown aggregation '" + left + "'");
        }
        throw new InvalidThresholdException("malformed threshold '" + source + "': no operator and bound");
    }

    private static double number(String source, String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new InvalidThresholdException("malformed threshold '" + source + "': '" + text + "' is no number");
        }
    }

    /** As written in the script. */
    public String source() {
        return source;
    }

    /** Whether it failed when it was last evaluated. */
    public boolean failed() {
        return failed;
    }

    void validate(String metric, MetricType type) {
        if (!type.aggregations().contains(aggregation)) {
            throw new InvalidThresholdException("invalid threshold '" + source + "' on metric " + metric + ": a "
                    + type.jsonName() + " has no '" + aggregation + "', only "
                    + String.join(", ", type.aggregations()));
        }
    }

    /** Evaluates it; true when it passes. */
    boolean evaluate(Sink sink, double seconds) {
        Double actual = actual(sink, seconds);
        failed = actual != null && !holds(actual);
        return !failed;
    }

    boolean demandsAbort(double seconds) {
        return failed && abortOnFail && seconds >= delayAbortSeconds;
    }

    private @Nullable Double actual(Sink sink, double seconds) {
        return switch (sink) {
            case CounterSink counter -> {
                if (aggregation.equals("count")) {
                    yield counter.count();
                }
                yield seconds > 0 ? counter.rate(seconds) : null;
            }
            case GaugeSink gauge -> gauge.value();
            case RateSink rate -> rate.isEmpty() ? null : (Double) rate.rate();
            case TrendSink trend ->
                switch (aggregation) {
                    case "avg" -> trend.avg();
                    case "min" -> trend.min();
                    case "max" -> trend.max();
                    case "med" -> trend.percentile(50);
                    default -> trend.percentile(percentile);
                };
        };
    }

    private boolean holds(double actual) {
        return switch (operator) {
            case "<" -> actual < bound;
            case "<=" -> actual <= bound;
            case ">" -> actual > bound;
            case ">=" -> actual >= bound;
            case "!=" -> actual != bound;
            default -> actual == bound;
        };
    }
}
