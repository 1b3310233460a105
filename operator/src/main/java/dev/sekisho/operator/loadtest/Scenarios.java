package dev.sekisho.operator.loadtest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** The k6 scripts that ship with Sekisho, from the class path. */
final class Scenarios {
    /** What the shipped scenarios import, and scripts of users may. */
    static final String LIBRARY = "lib.js";

    private Scenarios() {}

    /**
     * The files of a shipped scenario.
     *
     * @param scenario its name; the CRD's schema has checked that it ships
     * @throws IllegalArgumentException when no such scenario ships
     */
    static Map<String, String> shipped(String scenario) {
        var files = new TreeMap<String, String>();
        files.put(LIBRARY, read(LIBRARY));
        files.put(scenario + ".js", read(scenario + ".js"));
        return files;
    }

    /** The files of a script of the user's: the script, and the library in case it imports it. */
    static Map<String, String> own(String scenario, String script) {
        var files = new TreeMap<String, String>();
        files.put(LIBRARY, read(LIBRARY));
        files.put(scenario + ".js", script);
        return files;
    }

    private static String read(String file) {
        try (var in = Scenarios.class.getResourceAsStream("/scenarios/" + file)) {
            if (in == null) {
                throw new IllegalArgumentException("no scenario file " + file + " ships with this operator");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
