package dev.sekisho.loadtest.js;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** k6's modules, as far as this runner has them, by the name that scripts import. */
final class BuiltinModules {
    private static final Set<String> NAMES =
            Set.of("k6", "k6/http", "k6/metrics", "k6/execution", "k6/encoding", "k6/crypto", "k6/data");
    private static final Map<String, byte[]> SOURCES = load();

    private BuiltinModules() {}

    static Set<String> names() {
        return NAMES;
    }

    static boolean has(String name) {
        return NAMES.contains(name);
    }

    static byte[] source(String name) {
        byte[] source = SOURCES.get(name);
        if (source == null) {
            throw new IllegalArgumentException("no module " + name);
        }
        return source;
    }

    private static Map<String, byte[]> load() {
        Map<String, byte[]> sources = new LinkedHashMap<>();
        NAMES.forEach(name -> sources.put(name, resource("modules/" + name.replace('/', '-') + ".js")));
        return Map.copyOf(sources);
    }

    static String text(String resource) {
        return new String(resource(resource), StandardCharsets.UTF_8);
    }

    private static byte[] resource(String name) {
        try (InputStream in = BuiltinModules.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("resource " + name + " is missing");
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
