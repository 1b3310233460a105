package dev.sekisho.loadtest.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as k6 writes them: {@code 1h30m}, {@code 1.5s}, {@code 300ms}, {@code 1d}, or a number of milliseconds. */
public final class Durations {
    private static final Pattern PART = Pattern.compile("([0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|ms|s|m|h|d)");
    private static final Pattern WHOLE = Pattern.compile("(?:" + PART.pattern() + ")+");
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]+(?:\\.[0-9]+)?");
    private static final Map<String, Long> NANOS = Map.of(
            "ns", 1L,
            "us", 1_000L,
            "µs", 1_000L,
            "ms", 1_000_000L,
            "s", 1_000_000_000L,
            "m", 60_000_000_000L,
            "h", 3_600_000_000_000L,
            "d", 86_400_000_000_000L);

    private Durations() {}

    /**
     * Parses a duration.
     *
     * @throws ConfigException if it is none, or more than about 292 years
     */
    public static Duration parse(String text) {
        String given = text.strip();
        try {
            if (NUMBER.matcher(given).matches()) {
                return Duration.ofNanos(nanos(new BigDecimal(given), NANOS.getOrDefault("ms", 0L)));
            }
            boolean negative = given.startsWith("-");
            String unsigned = negative || given.startsWith("+") ? given.substring(1) : given;
            if (!WHOLE.matcher(unsigned).matches()) {
                throw new ConfigException("invalid duration \"" + text + "\"");
            }
            long total = 0;
            for (Matcher part = PART.matcher(unsigned); part.find(); ) {
                total = Math.addExact(
                        total, nanos(new BigDecimal(part.group(1)), NANOS.getOrDefault(part.group(2), 0L)));
            }
            return Duration.ofNanos(negative ? -total : total);
        } catch (ArithmeticException e) {
            throw new ConfigException("duration \"" + text + "\" is out of range");
        }
    }

    /**
     * A duration from JSON: text, or a number of milliseconds.
     *
     * @throws ConfigException if it is neither
     */
    public static Duration parse(JsonNode node) {
        if (node.isTextual() || node.isNumber()) {
            return parse(node.asText());
        }
        throw new ConfigException("invalid duration " + node);
    }

    private static long nanos(BigDecimal amount, long unit) {
        return amount.multiply(BigDecimal.valueOf(unit)).toBigInteger().longValueExact();
    }
}
