package dev.sekisho.loadtest.metrics;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** A group of a script with its checks and sub-groups, in the order they were first seen. Thread-safe. */
public final class CheckGroup {
    /** What stands between names in a path. */
    public static final String SEPARATOR = "::";

    private final String name;
    private final String path;
    private final Map<String, CheckGroup> groups = Collections.synchronizedMap(new LinkedHashMap<>());
    private final Map<String, Check> checks = Collections.synchronizedMap(new LinkedHashMap<>());

    private volatile boolean used;

    private CheckGroup(String name, String path) {
        this.name = name;
        this.path = path;
    }

    /** A root: without name and path. */
    public static CheckGroup root() {
        return new CheckGroup("", "");
    }

    /** The sub-group of that name, made if need be. */
    public CheckGroup group(String child) {
        return groups.computeIfAbsent(child, key -> new CheckGroup(key, path + SEPARATOR + key));
    }

    /** The check of that name, made if need be. */
    public Check check(String child) {
        used = true;
        return checks.computeIfAbsent(child, key -> new Check(key, path + SEPARATOR + key));
    }

    /** Notes that a script entered it. */
    public void used() {
        used = true;
    }

    /** Whether it belongs into a summary: a script entered it, or it has checks, or a group in it does. */
    public boolean isUsed() {
        return used || groups().stream().anyMatch(CheckGroup::isUsed);
    }

    public String name() {
        return name;
    }

    /** The names from the root to here, each after {@code ::}. */
    public String path() {
        return path;
    }

    /** An identifier made of the path. */
    public String id() {
        return hash(path);
    }

    public List<CheckGroup> groups() {
        synchronized (groups) {
            return List.copyOf(groups.values());
        }
    }

    public List<Check> checks() {
        synchronized (checks) {
            return List.copyOf(checks.values());
        }
    }

    private static String hash(String path) {
        try {
            byte[] digest = MessageDigest.getInstance("MD5").digest(path.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has MD5", e);
        }
    }

    /** How often a check held, and how often it did not. */
    public static final class Check {
        private final String name;
        private final String path;
        private final LongAdder passes = new LongAdder();
        private final LongAdder fails = new LongAdder();

        private Check(String name, String path) {
            this.name = name;
            this.path = path;
        }

        public void add(boolean passed) {
            (passed ? passes : fails).increment();
        }

        public String name() {
            return name;
        }

        public String path() {
            return path;
        }

        public String id() {
            return hash(path);
        }

        public long passes() {
            return passes.sum();
        }

        public long fails() {
            return fails.sum();
        }
    }
}
