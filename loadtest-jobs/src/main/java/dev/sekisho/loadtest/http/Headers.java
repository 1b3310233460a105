package dev.sekisho.loadtest.http;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** Header fields by canonical name ({@code Content-Type}); values of repeated ones are joined by a comma. */
public final class Headers {
    private final Map<String, String> values = new LinkedHashMap<>();

    /** Sets a field in place of all of that name. */
    public void set(String name, String value) {
        values.put(canonical(name), value);
    }

    /** Adds a field to those of that name. */
    public void add(String name, String value) {
        values.merge(canonical(name), value, (a, b) -> a + ", " + b);
    }

    /** Removes all fields of that name. */
    public void remove(String name) {
        values.remove(canonical(name));
    }

    /** The value of a field, or the fallback. */
    public String get(String name, String fallback) {
        return values.getOrDefault(canonical(name), fallback);
    }

    public boolean has(String name) {
        return values.containsKey(canonical(name));
    }

    /** A copy of all fields, by name. */
    public Map<String, String> toMap() {
        return new TreeMap<>(values);
    }

    /** A copy to change. */
    public Headers copy() {
        Headers copy = new Headers();
        copy.values.putAll(values);
        return copy;
    }

    static String canonical(String name) {
        StringBuilder result = new StringBuilder(name.length());
        boolean start = true;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (start && c >= 'a' && c <= 'z') {
                c = Character.toUpperCase(c);
            } else if (!start && c >= 'A' && c <= 'Z') {
                c = Character.toLowerCase(c);
            }
            result.append(c);
            start = c == '-';
        }
        return result.toString();
    }

    /** Whether text may stand in a header field: no control characters but tab. */
    static boolean valid(String text) {
        return text.chars().allMatch(c -> (c >= 0x20 && c != 0x7f) || c == '\t');
    }
}
