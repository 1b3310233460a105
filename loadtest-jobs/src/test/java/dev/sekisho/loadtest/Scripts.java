package dev.sekisho.loadtest;

import java.nio.file.Path;

/** Where scripts are. */
public final class Scripts {
    private Scripts() {}

    /** A script of the tests. */
    public static Path ofTests(String name) {
        return Path.of("src/test/resources/k6", name).toAbsolutePath();
    }

    /** A script that ships. */
    public static Path shipped(String name) {
        return Path.of("src/main/resources/scenarios", name).toAbsolutePath();
    }
}
