package dev.sekisho.idp.observe;

import java.util.Locale;

/** What a request was for, as metrics name it: a closed set, so that no caller makes new series. */
public enum Endpoint {
    TOKEN,
    JWKS,
    DISCOVERY,
    MANAGEMENT_TENANT,
    HEALTH,
    METRICS,
    OTHER;

    private final String label = name().toLowerCase(Locale.ROOT);

    /** The value of the label {@code endpoint}. */
    public String label() {
        return label;
    }
}
