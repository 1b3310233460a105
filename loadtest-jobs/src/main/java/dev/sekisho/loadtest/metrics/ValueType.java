package dev.sekisho.loadtest.metrics;

import java.util.Locale;

/** What a metric's values are: plain numbers, milliseconds, or bytes. */
public enum ValueType {
    DEFAULT,
    TIME,
    DATA;

    /** The name in a summary. */
    public String jsonName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
