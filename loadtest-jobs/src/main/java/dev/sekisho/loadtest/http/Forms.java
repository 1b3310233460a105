package dev.sekisho.loadtest.http;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** {@code application/x-www-form-urlencoded}, with fields in the order of their names as k6 sends them. */
public final class Forms {
    private Forms() {}

    /** Encodes fields; one with several values is repeated. */
    public static String encode(SortedMap<String, List<String>> fields) {
        StringBuilder form = new StringBuilder();
        for (Map.Entry<String, List<String>> field : fields.entrySet()) {
            for (String value : field.getValue()) {
                if (!form.isEmpty()) {
                    form.append('&');
                }
                form.append(encode(field.getKey())).append('=').append(encode(value));
            }
        }
        return form.toString();
    }

    private static String encode(String text) {
        // Go leaves the tilde and escapes the asterisk; Java does the opposite.
        return URLEncoder.encode(text, StandardCharsets.UTF_8)
                .replace("*", "%2A")
                .replace("%7E", "~");
    }

    static String decode(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }
}
