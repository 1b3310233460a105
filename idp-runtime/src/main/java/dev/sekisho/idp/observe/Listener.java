package dev.sekisho.idp.observe;

import java.util.Locale;

/** The three listeners, as metrics name them. */
public enum Listener {
    PUBLIC,
    MANAGEMENT,
    METRICS;

    private final String label = name().toLowerCase(Locale.ROOT);

    /** The value of the label {@code listener}. */
    public String label() {
        return label;
    }
}
