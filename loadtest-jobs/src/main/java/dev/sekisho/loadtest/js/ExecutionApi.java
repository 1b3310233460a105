package dev.sekisho.loadtest.js;

import dev.sekisho.loadtest.metrics.Tags;
import java.util.Map;
import org.graalvm.polyglot.HostAccess;
import org.jspecify.annotations.Nullable;

/** What {@code k6/execution} shows. */
public final class ExecutionApi {
    private final VuContext vu;

    ExecutionApi(VuContext vu) {
        this.vu = vu;
    }

    @HostAccess.Export
    public int vuId() {
        vu.requireVu("getting VU information");
        return vu.id();
    }

    @HostAccess.Export
    public long vuIteration() {
        vu.requireVu("getting VU information");
        return vu.iteration();
    }

    @HostAccess.Export
    public long vuIterationInScenario() {
        vu.requireVu("getting VU information");
        return Math.max(0, vu.iterationInScenario());
    }

    @HostAccess.Export
    public String scenarioName() {
        return vu.scenario().name();
    }

    @HostAccess.Export
    public String scenarioExecutor() {
        return vu.scenario().executor();
    }

    @HostAccess.Export
    public double scenarioStartTime() {
        return vu.scenario().startTime();
    }

    @HostAccess.Export
    public double scenarioProgress() {
        return vu.scenario().progress().getAsDouble();
    }

    @HostAccess.Export
    public long iterationInTest() {
        vu.scenario();
        return vu.iterationInTest();
    }

    @HostAccess.Export
    public double testRunDuration() {
        return vu.run().elapsedMillis();
    }

    @HostAccess.Export
    public long iterationsCompleted() {
        return vu.run().iterationsCompleted();
    }

    @HostAccess.Export
    public long iterationsInterrupted() {
        return vu.run().iterationsInterrupted();
    }

    @HostAccess.Export
    public int vusActive() {
        return vu.run().vusActive();
    }

    @HostAccess.Export
    public int vusInitialized() {
        return vu.run().vusInitialized();
    }

    @HostAccess.Export
    public String options() {
        vu.requireVu("getting test options");
        return vu.run().options().json();
    }

    @HostAccess.Export
    public @Nullable String tag(String name) {
        return vu.tags().has(name) ? vu.tags().get(name, "") : null;
    }

    @HostAccess.Export
    public void setTag(String name, String value) {
        vu.tags(vu.tags().with(name, value));
    }

    @HostAccess.Export
    public void removeTag(String name) {
        Map<String, String> tags = vu.tags().toMap();
        tags.remove(name);
        vu.tags(Tags.of(tags));
    }

    @HostAccess.Export
    public String[] tagNames() {
        return vu.tags().toMap().keySet().toArray(String[]::new);
    }

    /** Marks the run as failed; it goes on. */
    @HostAccess.Export
    public void fail(String message) {
        vu.requireVu("execution.test.fail()");
        vu.run().markFailed(message.isEmpty() ? "test marked as failed" : "test marked as failed: " + message);
    }

    /** Ends the run. The script does not go on: its context is about to be closed, which wakes this thread. */
    @HostAccess.Export
    public void abort(String message) {
        vu.run().abort(message.isEmpty() ? "test aborted" : "test aborted: " + message);
        try {
            Thread.sleep(10_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new IllegalStateException("test aborted");
    }
}
