package dev.sekisho.loadtest.js;

import dev.sekisho.loadtest.metrics.CheckGroup;
import dev.sekisho.loadtest.metrics.Metric;
import dev.sekisho.loadtest.metrics.MetricType;
import dev.sekisho.loadtest.metrics.Tags;
import dev.sekisho.loadtest.metrics.ValueType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/** What the JavaScript side of the modules calls; one per virtual user. */
public final class ScriptHost {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final long MAX_SLEEP_MILLIS = 7L * 24 * 3600 * 1000;

    private final VuContext vu;
    private final GuestTools tools;
    private final Script script;

    ScriptHost(VuContext vu, GuestTools tools, Script script) {
        this.vu = vu;
        this.tools = tools;
        this.script = script;
    }

    @HostAccess.Export
    public HttpApi http() {
        return new HttpApi(vu, tools);
    }

    @HostAccess.Export
    public ExecutionApi execution() {
        return new ExecutionApi(vu);
    }

    @HostAccess.Export
    public BytesApi bytes() {
        return new BytesApi(tools);
    }

    /** What an earlier context of this run found to hide, or null. */
    @HostAccess.Export
    public String @Nullable [] hidden() {
        return script.hidden();
    }

    @HostAccess.Export
    public void rememberHidden(Value entries) {
        String[] hidden = new String[(int) entries.getArraySize()];
        for (int i = 0; i < hidden.length; i++) {
            hidden[i] = entries.getArrayElement(i).asString();
        }
        script.hidden(hidden);
    }

    @HostAccess.Export
    public int id() {
        return vu.id();
    }

    @HostAccess.Export
    public void log(String level, String message) {
        vu.run().log().console(level, message);
    }

    /** The message of an exception that a host function threw. */
    @HostAccess.Export
    public String messageOf(Value error) {
        if (error.isHostObject() && error.asHostObject() instanceof Throwable thrown) {
            return String.valueOf(thrown.getMessage());
        }
        try {
            return error.isException() ? describe(error) : tools.describe(error);
        } catch (PolyglotException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static String describe(Value error) {
        try {
            throw error.throwException();
        } catch (PolyglotException e) {
            return e.isHostException()
                    ? String.valueOf(e.asHostException().getMessage())
                    : String.valueOf(e.getMessage());
        }
    }

    @HostAccess.Export
    public void requireVu(String what) {
        vu.requireVu(what);
    }

    @HostAccess.Export
    public void check(String name, boolean passed, @Nullable Value tags) {
        if (name.contains(CheckGroup.SEPARATOR)) {
            throw new IllegalArgumentException("group and check names may not contain '" + CheckGroup.SEPARATOR + "'");
        }
        Tags all = vu.tags().with(tools.tags(tags)).with("check", name);
        vu.group().check(name).add(passed);
        vu.run().metrics().checks.add(passed ? 1 : 0, all);
    }

    /** Enters a group; returns the one around it. */
    @HostAccess.Export
    public Object enterGroup(String name) {
        if (name.contains(CheckGroup.SEPARATOR)) {
            throw new IllegalArgumentException("group and check names may not contain '" + CheckGroup.SEPARATOR + "'");
        }
        CheckGroup outer = vu.group();
        vu.group(outer.group(name));
        return new GroupHandle(outer);
    }

    /** Leaves a group that was entered at that time, back to the one around it. */
    @HostAccess.Export
    public void leaveGroup(Value outer, long start) {
        vu.run().metrics().groupDuration.add((System.nanoTime() - start) / 1e6, vu.tags());
        vu.group().used();
        vu.group(outer.<GroupHandle>asHostObject().group());
    }

    /** Keeps a group, opaque to scripts. */
    private record GroupHandle(CheckGroup group) {}

    @HostAccess.Export
    public long nanoTime() {
        return System.nanoTime();
    }

    /** Sleeps; woken early when the run is stopped. */
    @HostAccess.Export
    public void sleep(double seconds) {
        if (!(seconds > 0)) {
            return;
        }
        try {
            Thread.sleep(Math.min(MAX_SLEEP_MILLIS, (long) (seconds * 1000)), (int) (seconds * 1e9 % 1e6));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @HostAccess.Export
    public MetricHandle newMetric(String type, String name, boolean isTime) {
        if (!vu.initializing()) {
            throw new IllegalStateException("metrics must be declared in the init context");
        }
        return new MetricHandle(vu.run()
                .registry()
                .metric(
                        name,
                        MetricType.valueOf(type.toUpperCase(Locale.ROOT)),
                        isTime ? ValueType.TIME : ValueType.DEFAULT));
    }

    @HostAccess.Export
    public void addToMetric(Value handle, double value, @Nullable Value tags) {
        handle.<MetricHandle>asHostObject().metric().add(value, vu.tags().with(tools.tags(tags)));
    }

    /** Keeps a metric, opaque to scripts. */
    public record MetricHandle(Metric metric) {}

    @HostAccess.Export
    public String openText(String path) throws IOException {
        return new String(openBytes(path), StandardCharsets.UTF_8);
    }

    @HostAccess.Export
    public byte[] openBytes(String path) throws IOException {
        if (!vu.initializing()) {
            throw new IllegalStateException("the \"open\" function is only available in the init stage");
        }
        Path file = script.folder().resolve(path);
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new IOException("open " + file + ": no such file or directory", e);
        }
    }

    @HostAccess.Export
    public byte[] randomBytes(int size) {
        byte[] bytes = new byte[size];
        RANDOM.nextBytes(bytes);
        return bytes;
    }

    @HostAccess.Export
    public String randomUuid() {
        return UUID.randomUUID().toString();
    }

    /** The elements of a shared array as JSON; made by the first who asks. */
    @HostAccess.Export
    public String[] sharedArray(String name, Value maker) {
        if (!vu.initializing()) {
            throw new IllegalStateException("new SharedArray must be called in the init context");
        }
        Map<String, List<String>> arrays = script.sharedArrays();
        synchronized (arrays) {
            List<String> known = arrays.get(name);
            if (known == null) {
                Value made = maker.execute();
                List<String> elements = new ArrayList<>();
                for (long i = 0; i < made.getArraySize(); i++) {
                    elements.add(made.getArrayElement(i).asString());
                }
                known = List.copyOf(elements);
                arrays.put(name, known);
            }
            return known.toArray(String[]::new);
        }
    }
}
