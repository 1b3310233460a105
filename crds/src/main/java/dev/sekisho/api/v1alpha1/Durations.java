package dev.sekisho.api.v1alpha1;

import java.time.Duration;
import java.util.regex.Pattern;

/** Durations as the kinds write them: one or more of {@code <number>(ms|s|m|h)}, such as {@code 1m30s}. */
public final class Durations {
    /** What the schema accepts. */
    public static final String PATTERN = "^([0-9]{1,9}(ms|s|m|h)){1,4}$";

    private static final Pattern WHOLE = Pattern.compile(PATTERN);
    private static final Pattern PART = Pattern.compile("([0-9]+)(ms|s|m|h)");

    private Durations() {}

    /**
     * Reads a duration.
     *
     * @throws IllegalArgumentException when the text does not match {@link #PATTERN}
     */
    public static Duration parse(String text) {
        if (!WHOLE.matcher(text).matches()) {
            throw new IllegalArgumentException("not a duration such as 30s or 1m30s");
        }
        var total = Duration.ZERO;
        var part = PART.matcher(text);
        while (part.find()) {
            long amount = Long.parseLong(part.group(1));
            total = total.plus(
                    switch (part.group(2)) {
                        case "ms" -> Duration.ofMillis(amount);
                        case "s" -> Duration.ofSeconds(amount);
                        case "m" -> Duration.ofMinutes(amount);
                        default -> Duration.ofHours(amount);
                    });
        }
        return total;
    }
}
