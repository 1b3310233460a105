package dev.sekisho.operator.loadtest;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Numbers for people. */
final class Figures {
    private Figures() {}

    /** At most three decimals, no trailing zeros, no exponent. */
    static String plain(double value) {
        if (!Double.isFinite(value)) {
            return "–";
        }
        var rounded =
                BigDecimal.valueOf(value).setScale(3, RoundingMode.HALF_UP).stripTrailingZeros();
        // A bound such as 0.00001 must not read as 0.
        return rounded.signum() == 0 && value != 0
                ? BigDecimal.valueOf(value).stripTrailingZeros().toPlainString()
                : rounded.toPlainString();
    }

    /** Two decimals; a dash for what was not measured. */
    static String fixed(@Nullable Double value) {
        return value == null ? "–" : String.format(Locale.ROOT, "%.2f", value);
    }

    /** Thousands separated; a dash for what was not measured. */
    static String count(@Nullable Long value) {
        return value == null ? "–" : String.format(Locale.ROOT, "%,d", value);
    }

    /** A share as a percentage of two decimals. */
    static String percent(@Nullable Double share) {
        return share == null ? "–" : String.format(Locale.ROOT, "%.2f %%", share * 100);
    }
}
