package dev.sekisho.operator.loadtest;

import dev.sekisho.api.v1alpha1.Durations;
import dev.sekisho.api.v1alpha1.LoadTest;
import dev.sekisho.api.v1alpha1.LoadTestStatus;
import dev.sekisho.api.v1alpha1.LoadTestStatus.Phase;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;

/** The Jobs of a load test: how far they are, and what becomes of them in the end. */
final class LoadTestJobs {
    private final LoadTestStore store;
    private final Duration startPatience;

    /**
     * @param store where Jobs are
     * @param startPatience how long a pod may take to start
     */
    LoadTestJobs(LoadTestStore store, Duration startPatience) {
        this.store = store;
        this.startPatience = startPatience;
    }

    /** How far a step's Job is. */
    StepRun stepRun(LoadTest test, String name) {
        var job = store.job(test.getMetadata().getNamespace(), name);
        if (job.isEmpty() || job.get().isMarkedForDeletion()) {
            return new StepRun.Absent();
        }
        return LoadTestStore.isOwned(job.get(), test)
                ? StepRun.of(job.get(), store.pods(job.get()), startPatience)
                : new StepRun.Foreign();
    }

    /** Whether Jobs of another run are there, or pods that may still put a load on something. */
    boolean hasFormerRun(LoadTest test, String run) {
        return store.jobs(test).stream().anyMatch(job -> isFormer(job, run)) || isLoading(test);
    }

    /** Whether pods may still put a load on something. */
    boolean isLoading(LoadTest test) {
        return store.pods(test).stream().anyMatch(LoadTestStore::isActive);
    }

    /** Deletes Jobs of other runs. */
    void endFormerRuns(LoadTest test, String run) {
        store.jobs(test).stream()
                .filter(job -> isFormer(job, run) && !job.isMarkedForDeletion())
                .forEach(store::delete);
    }

    /** Deletes all Jobs of a load test. */
    void deleteAll(LoadTest test) {
        store.jobs(test).stream().filter(job -> !job.isMarkedForDeletion()).forEach(store::delete);
    }

    /**
     * Jobs of steps whose result stands in the status get their time to live; after the end of a run those that still
     * run, or never will, are deleted.
     */
    void settle(LoadTest test, String run) {
        var status = LoadTestStatuses.current(test);
        boolean ended =
                run.equals(status.run()) && (status.phase() == Phase.Completed || status.phase() == Phase.Failed);
        if (!ended && status.results().isEmpty()) {
            return;
        }
        for (var job : store.jobs(test)) {
            if (isFormer(job, run) || job.isMarkedForDeletion()) {
                continue;
            }
            if (ended && !LoadTestStore.isFinished(job)) {
                // A pod that has ended leaves its Job to finish by itself, a moment later.
                if (store.pods(job).stream().allMatch(LoadTestStore::isActive)) {
                    store.delete(job);
                }
            } else if (job.getSpec().getTtlSecondsAfterFinished() == null && (ended || isMeasured(job, status))) {
                store.expire(job, lifetime(test));
            }
        }
    }

    private static boolean isFormer(Job job, String run) {
        return !run.equals(job.getMetadata().getLabels().get(LoadTestNames.LABEL_RUN));
    }

    private static boolean isMeasured(Job job, LoadTestStatus status) {
        var step = job.getMetadata().getLabels().get(LoadTestNames.LABEL_STEP);
        return step != null
                && step.matches("[0-9]{1,4}")
                && Integer.parseInt(step) < status.results().size();
    }

    private static int lifetime(LoadTest test) {
        long seconds = Durations.parse(test.getSpec().cleanup().jobsAfter()).toSeconds();
        return (int) Math.min(seconds, Integer.MAX_VALUE);
    }
}
