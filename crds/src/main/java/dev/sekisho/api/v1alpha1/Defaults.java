package dev.sekisho.api.v1alpha1;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What an absent field stands for. */
final class Defaults {
    private Defaults() {}

    static <T> T or(@Nullable T value, T otherwise) {
        return value == null ? otherwise : value;
    }

    static <T> List<T> list(@Nullable List<T> value) {
        return value == null ? List.of() : List.copyOf(value);
    }

    static <K, V> Map<K, V> map(@Nullable Map<K, V> value) {
        return value == null ? Map.of() : Map.copyOf(value);
    }
}
