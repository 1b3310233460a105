package dev.sekisho.loadtest.metrics;

import java.util.HashMap;
import java.util.Map;

/** Tags of a sample: immutable. */
public final class Tags {
    /** No tags. */
    public static final Tags EMPTY = new Tags(Map.of());

    private final Map<String, String> values;

    private Tags(Map<String, String> values) {
        this.values = values;
    }

    /** Tags with these keys and values. */
    public static Tags of(Map<String, String> values) {
        return values.isEmpty() ? EMPTY : new Tags(Map.copyOf(values));
    }

    /** These tags and one more, which replaces a tag of that key. */
    public Tags with(String key, String value) {
        Map<String, String> copy = new HashMap<>(values);
        copy.put(key, value);
        return new Tags(copy);
    }

    /** These tags and more, which replace tags of the same keys. */
    public Tags with(Map<String, String> more) {
        if (more.isEmpty()) {
            return this;
        }
        Map<String, String> copy = new HashMap<>(values);
        copy.putAll(more);
        return new Tags(copy);
    }

    /** Whether there is a tag of that key. */
    public boolean has(String key) {
        return values.containsKey(key);
    }

    /** The value of a tag, or the fallback. */
    public String get(String key, String fallback) {
        return values.getOrDefault(key, fallback);
    }

    /** Whether all of the other's tags are among these. */
    public boolean contains(Tags other) {
        for (Map.Entry<String, String> tag : other.values.entrySet()) {
            if (!tag.getValue().equals(values.get(tag.getKey()))) {
                return false;
            }
        }
        return true;
    }

    /** A copy to change. */
    public Map<String, String> toMap() {
        return new HashMap<>(values);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Tags tags && tags.values.equals(values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString();
    }
}
