package dev.sekisho.operator.loadtest;

import dev.sekisho.api.v1alpha1.Condition;
import dev.sekisho.api.v1alpha1.LoadTest;
import dev.sekisho.api.v1alpha1.LoadTestStatus;
import dev.sekisho.api.v1alpha1.LoadTestStatus.Phase;
import dev.sekisho.api.v1alpha1.LoadTestStatus.StepResult;
import dev.sekisho.api.v1alpha1.LoadTestStatus.Verdict;
import dev.sekisho.operator.loadtest.Planner.Action;
import dev.sekisho.operator.status.Conditions;
import dev.sekisho.operator.status.Observation;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Statuses that follow from actions. Pure but for the clock. */
final class LoadTestStatuses {
    /** Whether the run ended with verdict Passed. */
    static final String READY = "Ready";

    /** Whether the run goes on, or something of it is left to remove. Since when a run goes on is its transition time. */
    static final String PROGRESSING = "Progressing";

    /** Reason of {@link #PROGRESSING} while an ended run leaves something to remove. */
    static final String CLEANING_UP = "CleaningUp";

    private static final LoadTestStatus NONE =
            new LoadTestStatus(null, null, null, null, null, null, null, null, List.of(), List.of(), List.of());

    private final Conditions conditions;
    private final Clock clock;

    LoadTestStatuses(Clock clock) {
        this.conditions = new Conditions(clock);
        this.clock = clock;
    }

    /** The status that stands, or an empty one. */
    static LoadTestStatus current(LoadTest test) {
        return Objects.requireNonNullElse(test.getStatus(), NONE);
    }

    /** Whether an ended run left something to remove. */
    static boolean isCleaningUp(LoadTestStatus status) {
        return Conditions.find(status.conditions(), PROGRESSING)
                .filter(progressing -> progressing.status() == Condition.Status.True)
                .isPresent();
    }

    /** Since when the run goes on; now when it does not. */
    Instant progressingSince(LoadTestStatus status) {
        return Conditions.find(status.conditions(), PROGRESSING)
                .filter(progressing -> progressing.status() == Condition.Status.True)
                .map(progressing -> Instant.parse(progressing.lastTransitionTime()))
                .orElseGet(clock::instant);
    }

    /** A new run: results of the former one are gone. */
    LoadTestStatus begin(LoadTest test, String run) {
        return new LoadTestStatus(
                generation(test),
                run,
                Phase.Pending,
                null,
                Reasons.WAITING,
                "",
                null,
                null,
                List.of(),
                List.of(),
                conditions.merge(
                        current(test).conditions(),
                        List.of(
                                Observation.unknown(READY, Reasons.WAITING, ""),
                                Observation.no(PROGRESSING, Reasons.WAITING, "")),
                        generation(test)));
    }

    LoadTestStatus waiting(LoadTest test, Action.Wait wait) {
        return going(
                test, wait.phase(), wait.reason(), wait.message(), current(test).results());
    }

    LoadTestStatus kept(LoadTest test, StepResult result) {
        var results = new ArrayList<>(current(test).results());
        results.add(result);
        return going(
                test,
                Phase.Running,
                Reasons.RUNNING,
                "step " + results.size() + " of " + test.getSpec().steps().size() + " is measured",
                results);
    }

    private LoadTestStatus going(LoadTest test, Phase phase, String reason, String message, List<StepResult> results) {
        var status = current(test);
        boolean started = phase != Phase.Pending;
        var observed = List.of(
                Observation.unknown(READY, reason, message),
                started
                        ? Observation.yes(PROGRESSING, phase.name(), message)
                        : Observation.no(PROGRESSING, reason, message));
        return new LoadTestStatus(
                generation(test),
                status.run(),
                phase,
                null,
                reason,
                message,
                phase == Phase.Running ? Objects.requireNonNullElseGet(status.startTime(), this::now) : null,
                null,
                results,
                List.of(),
                conditions.merge(status.conditions(), observed, generation(test)));
    }

    /** @param leftovers whether the run made something that is to be removed */
    LoadTestStatus finished(LoadTest test, Action.Finish end, boolean leftovers) {
        var status = current(test);
        var objectives = end.results().isEmpty()
                ? List.<LoadTestStatus.ObjectiveResult>of()
                : Verdicts.objectives(end.results(), test.getSpec().objectives());
        var observed = List.of(
                end.verdict() == Verdict.Passed
                        ? Observation.yes(READY, end.reason(), end.message())
                        : Observation.no(READY, end.reason(), end.message()),
                leftovers
                        ? Observation.yes(PROGRESSING, CLEANING_UP, "removing tenants and credentials")
                        : Observation.no(PROGRESSING, end.phase().name(), ""));
        return new LoadTestStatus(
                generation(test),
                status.run(),
                end.phase(),
                end.verdict(),
                end.reason(),
                end.message(),
                status.startTime(),
                now(),
                end.results(),
                objectives,
                conditions.merge(status.conditions(), observed, generation(test)));
    }

    /** Nothing is left. */
    LoadTestStatus cleanedUp(LoadTest test) {
        return progressing(test, Observation.no(PROGRESSING, phase(test).name(), ""));
    }

    /** Something is left, and this is why. */
    LoadTestStatus stillCleaningUp(LoadTest test, String message) {
        return progressing(test, Observation.yes(PROGRESSING, CLEANING_UP, message));
    }

    private LoadTestStatus progressing(LoadTest test, Observation progressing) {
        var status = current(test);
        var ready = Conditions.find(status.conditions(), READY)
                .map(old -> new Observation(READY, old.status(), old.reason(), old.message()))
                .orElseGet(() -> Observation.unknown(READY, Reasons.WAITING, ""));
        return new LoadTestStatus(
                status.observedGeneration(),
                status.run(),
                status.phase(),
                status.verdict(),
                status.reason(),
                status.message(),
                status.startTime(),
                status.completionTime(),
                status.results(),
                status.objectives(),
                conditions.merge(status.conditions(), List.of(ready, progressing), generation(test)));
    }

    private static Phase phase(LoadTest test) {
        @Nullable Phase phase = current(test).phase();
        return phase == null ? Phase.Pending : phase;
    }

    private String now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static long generation(LoadTest test) {
        return Objects.requireNonNullElse(test.getMetadata().getGeneration(), 0L);
    }
}
