package dev.sekisho.loadtest.runner;

import dev.sekisho.loadtest.config.ExecutorConfig;
import dev.sekisho.loadtest.config.ExecutorConfig.ConstantVus;
import dev.sekisho.loadtest.config.ExecutorConfig.PerVuIterations;
import dev.sekisho.loadtest.config.ExecutorConfig.SharedIterations;
import dev.sekisho.loadtest.js.RunState;
import dev.sekisho.loadtest.js.ScenarioState;
import dev.sekisho.loadtest.js.ScriptException;
import dev.sekisho.loadtest.js.StoppedException;
import dev.sekisho.loadtest.metrics.Tags;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/** Runs one scenario with its virtual users, one virtual thread each. */
final class ScenarioRunner {
    private final ExecutorConfig executor;
    private final List<VirtualUser> users;
    private final RunState run;
    private final Progress progress;
    private final BooleanSupplier aborted;
    private final AtomicLong nextIteration = new AtomicLong();
    private final AtomicLong startedIterations = new AtomicLong();

    /**
     * @param aborted whether the whole run shall end
     */
    ScenarioRunner(
            ExecutorConfig executor,
            List<VirtualUser> users,
            RunState run,
            Progress progress,
            BooleanSupplier aborted) {
        this.executor = executor;
        this.users = users;
        this.run = run;
        this.progress = progress;
        this.aborted = aborted;
    }

    /** Runs it, and returns when no virtual user runs any more. */
    void run(Optional<String> setupJson) throws InterruptedException {
        if (!waitForStart()) {
            return;
        }
        long start = System.nanoTime();
        long end = start + executor.maxDuration().toNanos();
        ScenarioState scenario = new ScenarioState(
                executor.base().name(),
                executor.type(),
                System.currentTimeMillis(),
                () -> Math.min(1, (System.nanoTime() - start) / (double) Math.max(1, end - start)));
        List<Thread> threads = new ArrayList<>();
        for (VirtualUser user : users) {
            threads.add(Thread.ofVirtual()
                    .name("vu-" + user.instance().vu().id())
                    .start(() -> loop(user, scenario, setupJson, end)));
        }
        long lastMoment = end + executor.base().gracefulStop().toNanos();
        for (Thread thread : threads) {
            thread.join(Duration.ofNanos(Math.max(1, lastMoment - System.nanoTime())));
        }
        // Past the graceful stop, iterations are cut off; after an abort this only waits for what others stopped.
        for (int i = 0; i < threads.size(); i++) {
            if (threads.get(i).isAlive()) {
                users.get(i).instance().stop();
            }
        }
        for (Thread thread : threads) {
            thread.join();
        }
        countDropped();
    }

    private boolean waitForStart() throws InterruptedException {
        long start = System.nanoTime() + executor.base().startTime().toNanos();
        while (!aborted.getAsBoolean()) {
            long left = start - System.nanoTime();
            if (left <= 0) {
                return true;
            }
            Thread.sleep(Duration.ofNanos(Math.min(left, 50_000_000)));
        }
        return false;
    }

    private void loop(VirtualUser user, ScenarioState scenario, Optional<String> setupJson, long end) {
        progress.active().incrementAndGet();
        try {
            user.activate(executor, scenario, setupJson);
            long own = 0;
            while (!aborted.getAsBoolean() && System.nanoTime() < end && mayStart(own++)) {
                user.iterate(nextIteration.getAndIncrement());
                progress.completed().incrementAndGet();
            }
        } catch (StoppedException e) {
            progress.interrupted().incrementAndGet();
            user.countTraffic();
        } catch (ScriptException e) {
            run.log().error(String.valueOf(e.getMessage()));
        } finally {
            progress.active().decrementAndGet();
        }
    }

    private boolean mayStart(long own) {
        return switch (executor) {
            case ConstantVus _ -> true;
            case SharedIterations shared -> startedIterations.getAndIncrement() < shared.iterations();
            case PerVuIterations each -> {
                boolean more = own < each.iterations();
                if (more) {
                    startedIterations.incrementAndGet();
                }
                yield more;
            }
        };
    }

    /** Iterations of a fixed number that the time did not suffice for. */
    private void countDropped() {
        long planned = switch (executor) {
            case ConstantVus _ -> 0;
            case SharedIterations shared -> shared.iterations();
            case PerVuIterations each -> each.iterations() * each.vus();
        };
        long dropped = planned - startedIterations.get();
        if (dropped > 0) {
            Tags tags = Tags.of(run.options().tags())
                    .with(executor.base().tags())
                    .with("scenario", executor.base().name());
            run.metrics().droppedIterations.add((double) dropped, tags);
        }
    }
}
