package dev.sekisho.loadtest.runner;

import dev.sekisho.loadtest.config.ExecutorConfig;
import dev.sekisho.loadtest.config.Options;
import dev.sekisho.loadtest.http.HttpClient;
import dev.sekisho.loadtest.js.RunState;
import dev.sekisho.loadtest.js.ScenarioState;
import dev.sekisho.loadtest.js.ScriptException;
import dev.sekisho.loadtest.js.ScriptInstance;
import dev.sekisho.loadtest.js.StoppedException;
import dev.sekisho.loadtest.js.VuContext;
import dev.sekisho.loadtest.metrics.BuiltinMetrics;
import dev.sekisho.loadtest.metrics.Tags;
import java.time.Duration;
import java.util.Optional;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/** One virtual user: its copy of the script, its connections, and one iteration after the other. */
final class VirtualUser implements AutoCloseable {
    private final ScriptInstance instance;
    private final HttpClient http;
    private final LiveInstances live;
    private final RunState run;
    private @Nullable String setupJson;
    private @Nullable Value setupData;
    private String function = "default";

    VirtualUser(ScriptInstance instance, HttpClient http, LiveInstances live) {
        this.instance = instance;
        this.live = live;
        this.http = http;
        this.run = instance.vu().run();
    }

    ScriptInstance instance() {
        return instance;
    }

    /** Gets ready for a scenario. */
    void activate(ExecutorConfig executor, ScenarioState scenario, Optional<String> setup)
            throws ScriptException, StoppedException {
        VuContext vu = instance.vu();
        function = executor.base().exec();
        setupJson = setup.orElse(null);
        for (var variable : executor.base().env().entrySet()) {
            instance.environment(variable.getKey(), variable.getValue());
        }
        vu.scenario(scenario);
        vu.tags(Tags.of(run.options().tags()).with(executor.base().tags()).with("scenario", scenario.name()));
        vu.group(run.rootGroup());
    }

    /**
     * Runs one iteration. What the script throws is logged, and the iteration counts.
     *
     * @param number of the iteration in its scenario, from 0
     * @throws StoppedException if it was stopped; then it does not count
     */
    void iterate(long number) throws StoppedException {
        VuContext vu = instance.vu();
        Options options = run.options();
        vu.nextIteration(number);
        if (options.cookiesReset()) {
            vu.cookies().clear();
        }
        long start = System.nanoTime();
        try {
            instance.global("__ITER", vu.iteration());
            if (setupData == null && setupJson != null) {
                setupData = instance.parse(setupJson);
            }
            instance.call(function, setupData);
        } catch (ScriptException e) {
            run.log().error(String.valueOf(e.getMessage()));
        }
        long duration = System.nanoTime() - start;
        if (!options.connectionReuseBetweenIterations()) {
            http.closeIdle();
        }
        BuiltinMetrics metrics = run.metrics();
        countTraffic();
        metrics.iterationDuration.add(duration / 1e6, vu.tags());
        metrics.iterations.add(1, vu.tags());
        pause(options.minIterationDuration().minusNanos(duration));
    }

    /** Adds what went over its connections to the run's counters. */
    void countTraffic() {
        BuiltinMetrics metrics = run.metrics();
        metrics.dataSent.add((double) http.traffic().takeSent(), instance.vu().tags());
        metrics.dataReceived.add(
                (double) http.traffic().takeReceived(), instance.vu().tags());
    }

    private static void pause(Duration rest) {
        if (!rest.isPositive()) {
            return;
        }
        try {
            Thread.sleep(rest);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        live.remove(instance);
        instance.close();
        http.close();
    }
}
