package dev.sekisho.loadtest.js;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.io.IOAccess;
import org.jspecify.annotations.Nullable;

/** A script and the engine that its virtual users share; each gets a context of its own. Thread-safe. */
public final class Script implements AutoCloseable {
    static final String HOST_NAME = "__k6RunnerHost";
    private static final HostAccess ACCESS = HostAccess.newBuilder()
            .allowAccessAnnotatedBy(HostAccess.Export.class)
            .allowArrayAccess(true)
            .build();

    // Of what GraalJS has on top of the language, or ahead of k6's engine.
    private static final Map<String, String> LANGUAGE = Map.ofEntries(
            Map.entry("js.esm-eval-returns-exports", "true"),
            Map.entry("js.ecmascript-version", "2023"),
            Map.entry("js.intl-402", "false"),
            Map.entry("js.shared-array-buffer", "false"),
            Map.entry("js.atomics", "false"),
            Map.entry("js.polyglot-builtin", "false"),
            Map.entry("js.graal-builtin", "false"),
            Map.entry("js.java-package-globals", "false"),
            Map.entry("js.load", "false"),
            Map.entry("js.print", "false"),
            Map.entry("js.console", "false"),
            Map.entry("js.performance", "false"));

    private final Engine engine;
    private final Source main;
    private final Source bootstrap;
    private final Source modules;
    private final String allowedGlobals;
    private final Path folder;
    private final Map<String, String> environment;
    private final Map<String, List<String>> sharedArrays = new ConcurrentHashMap<>();
    private final ModuleFileSystem files = new ModuleFileSystem();
    private volatile String @Nullable [] hidden;

    /**
     * Reads a script.
     *
     * @param file the script; imports are relative to it
     * @param environment what it sees as {@code __ENV}
     * @throws IOException if it cannot be read
     */
    public Script(Path file, Map<String, String> environment) throws IOException {
        this.engine = Engine.newBuilder("js")
                .option("engine.WarnInterpreterOnly", "false")
                .build();
        Path real = file.toRealPath();
        this.folder = Objects.requireNonNull(real.getParent(), "a file is in a folder");
        this.main = Source.newBuilder("js", real.toFile())
                .mimeType("application/javascript+module")
                .build();
        this.environment = Map.copyOf(environment);
        this.allowedGlobals = BuiltinModules.text("engine-globals.txt");
        this.bootstrap = Source.newBuilder("js", BuiltinModules.text("bootstrap.js"), "bootstrap.js")
                .internal(true)
                .build();
        String imports = BuiltinModules.names().stream()
                .sorted()
                .map(name -> "import '" + name + "';")
                .collect(Collectors.joining("\n"));
        this.modules = Source.newBuilder("js", imports, "modules.mjs")
                .mimeType("application/javascript+module")
                .internal(true)
                .build();
    }

    /**
     * Runs the script's init code in a new context.
     *
     * @throws ScriptException if it throws
     * @throws StoppedException if it is stopped meanwhile
     */
    public ScriptInstance instantiate(VuContext vu) throws ScriptException, StoppedException {
        Context context = Context.newBuilder("js")
                .engine(engine)
                .allowHostAccess(ACCESS)
                .allowIO(IOAccess.newBuilder().fileSystem(files).build())
                .allowExperimentalOptions(true)
                .options(LANGUAGE)
                .build();
        ScriptInstance instance = new ScriptInstance(context, vu);
        try {
            instance.start(this);
            return instance;
        } catch (ScriptException | StoppedException | RuntimeException e) {
            instance.close();
            throw e;
        }
    }

    Source main() {
        return main;
    }

    Source bootstrap() {
        return bootstrap;
    }

    Source modules() {
        return modules;
    }

    String allowedGlobals() {
        return allowedGlobals;
    }

    Path folder() {
        return folder;
    }

    Map<String, String> environment() {
        return environment;
    }

    String @Nullable [] hidden() {
        return hidden;
    }

    void hidden(String[] entries) {
        hidden = entries;
    }

    Map<String, List<String>> sharedArrays() {
        return sharedArrays;
    }

    @Override
    public void close() {
        engine.close(true);
    }
}
