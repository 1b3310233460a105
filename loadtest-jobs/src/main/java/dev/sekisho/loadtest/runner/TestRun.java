package dev.sekisho.loadtest.runner;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sekisho.loadtest.config.CommandLine;
import dev.sekisho.loadtest.config.ConfigException;
import dev.sekisho.loadtest.config.EnvironmentOptions;
import dev.sekisho.loadtest.config.ExecutorConfig;
import dev.sekisho.loadtest.config.Options;
import dev.sekisho.loadtest.config.OptionsReader;
import dev.sekisho.loadtest.http.HttpClient;
import dev.sekisho.loadtest.http.HttpSettings;
import dev.sekisho.loadtest.http.TlsSettings;
import dev.sekisho.loadtest.js.RunState;
import dev.sekisho.loadtest.js.Script;
import dev.sekisho.loadtest.js.ScriptException;
import dev.sekisho.loadtest.js.ScriptInstance;
import dev.sekisho.loadtest.js.StoppedException;
import dev.sekisho.loadtest.js.VuContext;
import dev.sekisho.loadtest.log.RunLog;
import dev.sekisho.loadtest.metrics.BuiltinMetrics;
import dev.sekisho.loadtest.metrics.CheckGroup;
import dev.sekisho.loadtest.metrics.InvalidThresholdException;
import dev.sekisho.loadtest.metrics.MetricRegistry;
import dev.sekisho.loadtest.metrics.Tags;
import dev.sekisho.loadtest.metrics.Threshold;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/** One run of one script. */
public final class TestRun implements RunState {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration SUMMARY_TIMEOUT = Duration.ofMinutes(2);
    private static final Duration THRESHOLD_INTERVAL = Duration.ofSeconds(2);
    private static final Duration GAUGE_INTERVAL = Duration.ofSeconds(1);

    private final CommandLine commandLine;
    private final Map<String, String> environment;
    private final RunLog log;
    private final SummaryWriter writer;
    private final MetricRegistry registry = new MetricRegistry();
    private final BuiltinMetrics metrics = new BuiltinMetrics(registry);
    private final CheckGroup rootGroup = CheckGroup.root();
    private final LiveInstances live = new LiveInstances();
    private final Progress progress = new Progress();
    private final AtomicReference<@Nullable RunFailure> abort = new AtomicReference<>();
    private final AtomicBoolean markedAsFailed = new AtomicBoolean();
    private @Nullable Options options;
    private @Nullable HttpSettings httpSettings;
    private volatile boolean ended;

    /**
     * @param environment of the process: the script sees all of it
     * @param out for the summary
     * @param err for the log
     */
    public TestRun(CommandLine commandLine, Map<String, String> environment, PrintStream out, PrintStream err) {
        this.commandLine = commandLine;
        this.environment = Map.copyOf(environment);
        this.log = new RunLog(err);
        this.writer = new SummaryWriter(out, err, log);
    }

    /** Runs it all. */
    public ExitCode execute() throws InterruptedException {
        try (Script script = load()) {
            prepare(script);
            return run(script);
        } catch (RunFailure e) {
            log.error(String.valueOf(e.getMessage()));
            return e.exitCode();
        } finally {
            ended = true;
            log.close();
        }
    }

    /** Ends the run because the process was told to end. */
    public void interrupt() {
        abort(new RunFailure(ExitCode.SIGNAL, "test run was aborted because the runner received a signal"));
    }

    private Script load() throws RunFailure {
        commandLine.notes().forEach(log::warn);
        if (!Files.isRegularFile(commandLine.script())) {
            throw new RunFailure(
                    ExitCode.USAGE,
                    "The moduleSpecifier \"" + commandLine.script() + "\" couldn't be found on local disk");
        }
        Map<String, String> visible = new HashMap<>(environment);
        visible.putAll(commandLine.env());
        try {
            return new Script(commandLine.script(), visible);
        } catch (IOException e) {
            throw new RunFailure(ExitCode.USAGE, "cannot read " + commandLine.script() + ": " + e.getMessage());
        }
    }

    /** Runs the init code once to learn the options and to see that all they name is there. */
    private void prepare(Script script) throws RunFailure {
        try (ScriptInstance instance = script.instantiate(new VuContext(0, this, null))) {
            if (!instance.exportsAnyFunction()) {
                throw new RunFailure(ExitCode.USAGE, "no exported functions in script");
            }
            for (String special : List.of("setup", "teardown")) {
                if (instance.exports(special) && !instance.exportsFunction(special)) {
                    throw new RunFailure(ExitCode.USAGE, "exported '" + special + "' must be a function");
                }
            }
            Options read = readOptions(instance.exportAsJson("options"));
            for (ExecutorConfig executor : read.executors()) {
                if (!instance.exportsFunction(executor.base().exec())) {
                    throw new ConfigException("executor " + executor.base().name() + ": function '"
                            + executor.base().exec() + "' not found in exports");
                }
            }
            if (commandLine.thresholds()) {
                read.thresholds()
                        .forEach((metric, thresholds) -> registry.addThresholds(
                                metric,
                                thresholds.stream()
                                        .map(threshold -> Threshold.parse(
                                                threshold.expression(),
                                                threshold.abortOnFail(),
                                                threshold.delayAbortEval().toMillis() / 1000.0))
                                        .toList()));
            }
            options = read;
            httpSettings = new HttpSettings(tls(read), read.hosts(), read.connectionReuse(), read.batchPerHost());
        } catch (ScriptException e) {
            throw new RunFailure(ExitCode.SCRIPT_ERROR, String.valueOf(e.getMessage()));
        } catch (StoppedException e) {
            throw new RunFailure(ExitCode.SIGNAL, "stopped while the script was loaded");
        } catch (ConfigException | InvalidThresholdException e) {
            throw new RunFailure(ExitCode.INVALID_CONFIG, String.valueOf(e.getMessage()));
        }
    }

    private Options readOptions(Optional<String> exported) {
        try {
            JsonNode json = exported.isPresent() ? JSON.readTree(exported.get()) : JSON.createObjectNode();
            if (!(json instanceof ObjectNode fromScript)) {
                throw new ConfigException("exported options must be an object");
            }
            ObjectNode fromEnvironment = EnvironmentOptions.read(environment);
            return OptionsReader.read(
                    OptionsReader.merge(OptionsReader.merge(fromScript, fromEnvironment), commandLine.options()),
                    log::warn);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the engine made invalid JSON", e);
        }
    }

    private TlsSettings tls(Options read) {
        if (read.insecureSkipTlsVerify()) {
            return TlsSettings.insecure();
        }
        String file = environment.getOrDefault("SSL_CERT_FILE", "");
        try {
            return TlsSettings.trusting(file.isEmpty() ? Optional.empty() : Optional.of(Path.of(file)));
        } catch (IOException e) {
            throw new ConfigException("SSL_CERT_FILE: " + e.getMessage());
        }
    }

    private ExitCode run(Script script) throws RunFailure, InterruptedException {
        List<ScenarioRunner> scenarios = new ArrayList<>();
        List<VirtualUser> users = new ArrayList<>();
        Thread background = Thread.ofVirtual().name("background").unstarted(this::watch);
        Optional<String> setup = Optional.empty();
        @Nullable RunFailure failure = null;
        try {
            initialize(script, scenarios, users);
            progress.start();
            background.start();
            setup = options().runSetup() ? runPart(script, "setup", Optional.empty()) : Optional.empty();
            runScenarios(scenarios, setup);
            if (options().runTeardown()) {
                runPart(script, "teardown", setup);
            }
        } catch (RunFailure e) {
            failure = e;
        } finally {
            progress.end();
            background.interrupt();
            users.forEach(VirtualUser::close);
        }
        RunFailure first = abort.get();
        ExitCode exitCode = conclude(first == null ? failure : first);
        summarize(script, setup);
        return exitCode;
    }

    private ExitCode conclude(@Nullable RunFailure failure) {
        List<String> crossed =
                registry.evaluate(progress.elapsedSeconds(), true).crossed();
        if (failure != null) {
            log.error(String.valueOf(failure.getMessage()));
            return failure.exitCode();
        }
        if (progress.completed().get() == 0) {
            log.warn("No script iterations fully finished, consider making the test duration longer");
        }
        if (markedAsFailed.get()) {
            log.error("test run was marked as failed");
            return ExitCode.MARKED_AS_FAILED;
        }
        if (!crossed.isEmpty()) {
            log.error("thresholds on metrics '" + String.join(", ", crossed) + "' have been crossed");
            return ExitCode.THRESHOLDS_FAILED;
        }
        return ExitCode.OK;
    }

    private void initialize(Script script, List<ScenarioRunner> scenarios, List<VirtualUser> users) throws RunFailure {
        int id = 0;
        for (ExecutorConfig executor : options().executors()) {
            List<CompletableFuture<VirtualUser>> pending = new ArrayList<>();
            for (int i = 0; i < executor.maxVus(); i++) {
                int vuId = ++id;
                CompletableFuture<VirtualUser> user = new CompletableFuture<>();
                pending.add(user);
                Thread.ofVirtual().name("init-" + vuId).start(() -> {
                    try {
                        user.complete(newUser(script, vuId));
                    } catch (ScriptException | StoppedException | RuntimeException e) {
                        user.completeExceptionally(e);
                    }
                });
            }
            List<VirtualUser> own = new ArrayList<>();
            for (CompletableFuture<VirtualUser> user : pending) {
                own.add(await(user));
                progress.initialized().incrementAndGet();
            }
            users.addAll(own);
            scenarios.add(new ScenarioRunner(executor, own, this, progress, () -> abort.get() != null));
        }
    }

    private static VirtualUser await(CompletableFuture<VirtualUser> user) throws RunFailure {
        try {
            return user.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof ScriptException failure) {
                throw new RunFailure(ExitCode.SCRIPT_ERROR, String.valueOf(failure.getMessage()));
            }
            throw e;
        }
    }

    private VirtualUser newUser(Script script, int id) throws ScriptException, StoppedException {
        if (httpSettings == null) {
            throw new IllegalStateException("options are not read yet");
        }
        HttpClient http = new HttpClient(httpSettings);
        VuContext vu = new VuContext(id, this, http);
        ScriptInstance instance = script.instantiate(vu);
        vu.initialized();
        live.add(instance);
        return new VirtualUser(instance, http);
    }

    private void runScenarios(List<ScenarioRunner> scenarios, Optional<String> setup) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (ScenarioRunner scenario : scenarios) {
            threads.add(Thread.ofVirtual().name("scenario").start(() -> {
                try {
                    scenario.run(setup);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** Runs setup() or teardown() in an instance of its own; returns what it returned, as JSON. */
    private Optional<String> runPart(Script script, String name, Optional<String> argument) throws RunFailure {
        boolean setup = name.equals("setup");
        Duration timeout = setup ? options().setupTimeout() : options().teardownTimeout();
        AtomicBoolean late = new AtomicBoolean();
        try (VirtualUser user = newUser(script, 0)) {
            ScriptInstance instance = user.instance();
            if (!instance.exportsFunction(name)) {
                return Optional.empty();
            }
            instance.vu().tags(Tags.of(options().tags()));
            instance.vu().group(rootGroup.group(name));
            Thread watchdog = stopAfter(timeout, instance, late);
            try {
                Value data = argument.isPresent() ? instance.parse(argument.get()) : null;
                return instance.toJson(instance.call(name, data));
            } finally {
                watchdog.interrupt();
                user.countTraffic();
                live.remove(instance);
            }
        } catch (ScriptException e) {
            throw new RunFailure(ExitCode.SCRIPT_ERROR, String.valueOf(e.getMessage()));
        } catch (StoppedException e) {
            throw late.get()
                    ? new RunFailure(
                            setup ? ExitCode.SETUP_TIMEOUT : ExitCode.TEARDOWN_TIMEOUT,
                            name + "() execution timed out after " + timeout.toSeconds() + " seconds")
                    : new RunFailure(ExitCode.SIGNAL, name + "() was stopped");
        }
    }

    private static Thread stopAfter(Duration timeout, ScriptInstance instance, AtomicBoolean late) {
        return Thread.ofVirtual().name("watchdog").start(() -> {
            try {
                Thread.sleep(timeout);
            } catch (InterruptedException e) {
                return;
            }
            late.set(true);
            instance.stop();
        });
    }

    private void summarize(Script script, Optional<String> setup) {
        if (!commandLine.summary()) {
            return;
        }
        ObjectNode data = SummaryData.build(registry, rootGroup, options(), progress.elapsedSeconds(), setup);
        AtomicBoolean late = new AtomicBoolean();
        try (VirtualUser user = newUser(script, 0)) {
            ScriptInstance instance = user.instance();
            Thread watchdog = stopAfter(SUMMARY_TIMEOUT, instance, late);
            try {
                Optional<Value> result = callHandleSummary(instance, data);
                if (result.isPresent()) {
                    writer.write(instance, result.get());
                } else {
                    writer.write(TextSummary.of(data));
                }
            } finally {
                watchdog.interrupt();
            }
        } catch (ScriptException e) {
            log.error("failed to handle the end-of-test summary: " + e.getMessage());
        } catch (StoppedException e) {
            log.error("failed to handle the end-of-test summary: " + (late.get() ? "timed out" : "stopped"));
        }
    }

    private Optional<Value> callHandleSummary(ScriptInstance instance, ObjectNode data) throws StoppedException {
        if (!instance.exportsFunction("handleSummary")) {
            return Optional.empty();
        }
        try {
            Value result = instance.call("handleSummary", instance.parse(data.toString()));
            return result.isNull() ? Optional.empty() : Optional.of(result);
        } catch (ScriptException e) {
            // As in k6: logged, and the default summary takes its place.
            log.error(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    /** Once a second the gauges of virtual users, every two seconds the thresholds that may end the run. */
    private void watch() {
        long nextThresholds = System.nanoTime() + THRESHOLD_INTERVAL.toNanos();
        Tags tags = Tags.of(options().tags());
        try {
            while (!ended) {
                metrics.vus.add(progress.active().get(), tags);
                metrics.vusMax.add(progress.initialized().get(), tags);
                Thread.sleep(GAUGE_INTERVAL);
                if (System.nanoTime() >= nextThresholds) {
                    nextThresholds += THRESHOLD_INTERVAL.toNanos();
                    checkThresholds();
                }
            }
        } catch (InterruptedException e) {
            metrics.vus.add(progress.active().get(), tags);
            metrics.vusMax.add(progress.initialized().get(), tags);
        }
    }

    private void checkThresholds() {
        MetricRegistry.Evaluation evaluation = registry.evaluate(progress.elapsedSeconds(), false);
        if (evaluation.abort()) {
            abort(new RunFailure(
                    ExitCode.THRESHOLDS_FAILED,
                    "thresholds on metrics '" + String.join(", ", evaluation.crossed())
                            + "' were crossed; at least one has abortOnFail enabled, stopping test prematurely"));
        }
    }

    private void abort(RunFailure reason) {
        if (abort.compareAndSet(null, reason)) {
            live.stopAll();
        }
    }

    @Override
    public void abort(String reason) {
        abort(new RunFailure(ExitCode.SCRIPT_ABORTED, reason));
    }

    @Override
    public void markFailed(String reason) {
        log.error(reason);
        markedAsFailed.set(true);
    }

    @Override
    public MetricRegistry registry() {
        return registry;
    }

    @Override
    public BuiltinMetrics metrics() {
        return metrics;
    }

    @Override
    public CheckGroup rootGroup() {
        return rootGroup;
    }

    @Override
    public RunLog log() {
        return log;
    }

    @Override
    public Options options() {
        if (options == null) {
            throw new IllegalStateException("options are not available in the init context");
        }
        return options;
    }

    @Override
    public double elapsedMillis() {
        return progress.elapsedNanos() / 1e6;
    }

    @Override
    public int vusActive() {
        return progress.active().get();
    }

    @Override
    public int vusInitialized() {
        return progress.initialized().get();
    }

    @Override
    public long iterationsCompleted() {
        return progress.completed().get();
    }

    @Override
    public long iterationsInterrupted() {
        return progress.interrupted().get();
    }
}
