package dev.sekisho.loadtest.runner;

import dev.sekisho.loadtest.config.CommandLine;
import dev.sekisho.loadtest.config.ExecutorConfig;
import dev.sekisho.loadtest.config.Options;
import dev.sekisho.loadtest.js.RunState;
import dev.sekisho.loadtest.js.Script;
import dev.sekisho.loadtest.js.ScriptException;
import dev.sekisho.loadtest.js.ScriptInstance;
import dev.sekisho.loadtest.js.StoppedException;
import dev.sekisho.loadtest.log.RunLog;
import dev.sekisho.loadtest.metrics.BuiltinMetrics;
import dev.sekisho.loadtest.metrics.CheckGroup;
import dev.sekisho.loadtest.metrics.MetricRegistry;
import dev.sekisho.loadtest.metrics.Tags;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/** One run of one script. */
public final class TestRun implements RunState {
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
        Preparation preparation = new Preparation(commandLine, environment, this);
        try (Script script = preparation.load()) {
            Preparation.Prepared prepared = preparation.prepare(script);
            options = prepared.options();
            return run(new VirtualUsers(script, prepared.http(), this, live));
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

    private ExitCode run(VirtualUsers users) throws RunFailure, InterruptedException {
        Thread background = Thread.ofVirtual().name("background").unstarted(this::watch);
        Optional<String> setup = Optional.empty();
        @Nullable RunFailure failure = null;
        try (users) {
            List<ScenarioRunner> scenarios = initialize(users);
            progress.start();
            background.start();
            setup = options().runSetup() ? runPart(users, "setup", Optional.empty()) : Optional.empty();
            runScenarios(scenarios, setup);
            if (options().runTeardown()) {
                runPart(users, "teardown", setup);
            }
        } catch (RunFailure e) {
            failure = e;
        } finally {
            progress.end();
            background.interrupt();
        }
        RunFailure first = abort.get();
        ExitCode exitCode = conclude(first == null ? failure : first);
        if (commandLine.summary()) {
            new SummaryStep(users, writer, log)
                    .write(SummaryData.build(registry, rootGroup, options(), progress.elapsedSeconds(), setup));
        }
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

    private List<ScenarioRunner> initialize(VirtualUsers users) throws RunFailure {
        List<ScenarioRunner> scenarios = new ArrayList<>();
        for (ExecutorConfig executor : options().executors()) {
            List<VirtualUser> own = users.take(executor.maxVus());
            progress.initialized().addAndGet(own.size());
            scenarios.add(new ScenarioRunner(executor, own, this, progress, () -> abort.get() != null));
        }
        return scenarios;
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
    private Optional<String> runPart(VirtualUsers users, String name, Optional<String> argument) throws RunFailure {
        boolean setup = name.equals("setup");
        Duration timeout = setup ? options().setupTimeout() : options().teardownTimeout();
        try (VirtualUser user = users.transientUser()) {
            ScriptInstance instance = user.instance();
            if (!instance.exportsFunction(name)) {
                return Optional.empty();
            }
            instance.vu().tags(Tags.of(options().tags()));
            instance.vu().group(rootGroup.group(name));
            Watchdog watchdog = new Watchdog(timeout, instance);
            try (watchdog) {
                Value data = argument.isPresent() ? instance.parse(argument.get()) : null;
                return instance.toJson(instance.call(name, data));
            } catch (StoppedException e) {
                throw watchdog.late()
                        ? new RunFailure(
                                setup ? ExitCode.SETUP_TIMEOUT : ExitCode.TEARDOWN_TIMEOUT,
                                name + "() execution timed out after " + timeout.toSeconds() + " seconds")
                        : new RunFailure(ExitCode.SIGNAL, name + "() was stopped");
            } finally {
                user.countTraffic();
            }
        } catch (ScriptException e) {
            throw new RunFailure(ExitCode.SCRIPT_ERROR, String.valueOf(e.getMessage()));
        } catch (StoppedException e) {
            throw new RunFailure(ExitCode.SIGNAL, name + "() was stopped");
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
