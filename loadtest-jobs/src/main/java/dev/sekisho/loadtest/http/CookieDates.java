package dev.sekisho.loadtest.http;

import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Dates of the Expires attribute, in the forms that servers use. */
final class CookieDates {
    private static final List<DateTimeFormatter> FORMS = List.of(
            DateTimeFormatter.RFC_1123_DATE_TIME,
            DateTimeFormatter.ofPattern("EEE, dd-MMM-yyyy HH:mm:ss zzz", Locale.ENGLISH));

    private CookieDates() {}

    /** The instant, or null: then the cookie lasts as long as the session. */
    static @Nullable Instant parse(String text) {
        for (DateTimeFormatter form : FORMS) {
            try {
                return ZonedDateTime.parse(text, form).toInstant();
            } catch (DateTimeParseException e) {
                // the next form may fit
            }
        }
        return null;
    }
}
