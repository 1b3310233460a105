package dev.sekisho.operator.loadtest;

import dev.sekisho.api.v1alpha1.LoadTestSpec.Measure;
import dev.sekisho.api.v1alpha1.LoadTestSpec.Objective;
import dev.sekisho.api.v1alpha1.LoadTestStatus.ObjectiveResult;
import dev.sekisho.api.v1alpha1.LoadTestStatus.StepResult;
import dev.sekisho.api.v1alpha1.LoadTestStatus.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What results say about objectives. Passed is the exception: samples, checks, no script errors, and every objective met
 * by every step; all else is Failed or Inconclusive with a reason.
 */
final class Verdicts {
    private Verdicts() {}

    /**
     * A verdict and its reason.
     *
     * @param verdict what the run says about the target
     * @param reason why, in one CamelCase word
     * @param message why, for people
     */
    record Judgement(Verdict verdict, String reason, String message) {}

    /**
     * Judges a run whose steps all ended.
     *
     * @param results one per step
     * @param objectives as {@link #objectives} computed them from the same results
     */
    static Judgement judge(List<StepResult> results, List<ObjectiveResult> objectives) {
        if (results.isEmpty()) {
            return new Judgement(Verdict.Inconclusive, Reasons.RESULT_MISSING, "no step has a result");
        }
        for (var result : results) {
            if (!hasSamples(result)) {
                return new Judgement(
                        Verdict.Inconclusive, Reasons.NO_SAMPLES, "step " + number(result) + " measured nothing");
            }
            if (total(result) == 0) {
                return new Judgement(
                        Verdict.Inconclusive,
                        Reasons.NO_CHECKS,
                        "step " + number(result) + " checked nothing, so its answers may be anything");
            }
        }
        if (objectives.isEmpty()) {
            return new Judgement(Verdict.Inconclusive, Reasons.NO_OBJECTIVES, "there is no objective to judge by");
        }
        for (var result : results) {
            long errors = scriptErrors(result);
            if (errors > 0) {
                return new Judgement(
                        Verdict.Failed,
                        Reasons.SCRIPT_ERRORS,
                        errors + " iterations of step " + number(result) + " threw an error");
            }
        }
        var missed = objectives.stream().filter(o -> !o.met()).toList();
        if (!missed.isEmpty()) {
            return new Judgement(
                    Verdict.Failed,
                    Reasons.OBJECTIVE_MISSED,
                    missed.stream().limit(5).map(Verdicts::describe).collect(Collectors.joining("; ")));
        }
        for (var result : results) {
            if (count(result.checksPassed()) == 0) {
                return new Judgement(
                        Verdict.Failed, Reasons.ALL_CHECKS_FAILED, "no check of step " + number(result) + " held");
            }
        }
        return new Judgement(
                Verdict.Passed,
                Reasons.OBJECTIVES_MET,
                objectives.size() == 1 ? "the objective was met" : "all " + objectives.size() + " objectives were met");
    }

    /**
     * Whether a step measured its scenario at all. Requests alone do not tell: setup makes some, too.
     */
    static boolean hasSamples(StepResult result) {
        return count(result.requests()) > 0 && count(result.iterations()) > 0 && result.avg() != null;
    }

    /** Each objective with the worst value over the steps. */
    static List<ObjectiveResult> objectives(List<StepResult> results, List<Objective> objectives) {
        var judged = new ArrayList<ObjectiveResult>();
        for (var objective : objectives) {
            judged.add(judge(results, objective));
        }
        return List.copyOf(judged);
    }

    private static ObjectiveResult judge(List<StepResult> results, Objective objective) {
        @Nullable Double worst = null;
        @Nullable Integer step = null;
        boolean measured = !results.isEmpty();
        for (var result : results) {
            var value = actual(result, objective.measure());
            if (value == null) {
                measured = false;
            } else if (worst == null || worse(value, worst, objective)) {
                worst = value;
                step = result.step();
            }
        }
        boolean met = measured && worst != null && within(worst, objective);
        return new ObjectiveResult(objective.measure(), objective.atMost(), objective.atLeast(), worst, step, met);
    }

    private static boolean worse(double value, double than, Objective objective) {
        return objective.atMost() != null ? value > than : value < than;
    }

    private static boolean within(double value, Objective objective) {
        var atMost = objective.atMost();
        var atLeast = objective.atLeast();
        return (atMost != null || atLeast != null)
                && (atMost == null || value <= atMost)
                && (atLeast == null || value >= atLeast);
    }

    private static @Nullable Double actual(StepResult result, Measure measure) {
        return switch (measure) {
            case AVG -> result.avg();
            case MIN -> result.min();
            case MED -> result.med();
            case P90 -> result.p90();
            case P95 -> result.p95();
            case P99 -> result.p99();
            case MAX -> result.max();
            case ERROR_RATE -> count(result.requests()) == 0 ? null : result.errorRate();
            case CHECK_RATE -> total(result) == 0 ? null : (double) count(result.checksPassed()) / total(result);
            case REQUESTS_PER_SECOND -> result.requestsPerSecond();
            case REQUESTS -> (double) count(result.requests());
            case ITERATIONS_PER_SECOND -> result.iterationsPerSecond();
        };
    }

    /** An objective and what came of it, such as {@code p95 41.2 > 40 (step 1)}. */
    static String describe(ObjectiveResult objective) {
        @Nullable Double actual = objective.actual();
        @Nullable Double bound = objective.atMost() != null ? objective.atMost() : objective.atLeast();
        var measure = name(objective.measure());
        if (actual == null) {
            return measure + " was not measured";
        }
        if (bound == null) {
            return measure + " has no bound";
        }
        var relation = objective.atMost() != null ? (objective.met() ? "≤" : ">") : (objective.met() ? "≥" : "<");
        @Nullable Integer step = objective.step();
        return "%s %s %s %s%s"
                .formatted(
                        measure,
                        Figures.plain(actual),
                        relation,
                        Figures.plain(bound),
                        step == null ? "" : " (step " + (step + 1) + ")");
    }

    /** A measure as users write it. */
    static String name(Measure measure) {
        return switch (measure) {
            case AVG, MIN, MED, P90, P95, P99, MAX -> measure.name().toLowerCase(Locale.ROOT);
            case ERROR_RATE -> "errorRate";
            case CHECK_RATE -> "checkRate";
            case REQUESTS_PER_SECOND -> "requestsPerSecond";
            case REQUESTS -> "requests";
            case ITERATIONS_PER_SECOND -> "iterationsPerSecond";
        };
    }

    /** Steps count from 1 for people, from 0 in the status. */
    private static int number(StepResult result) {
        return result.step() + 1;
    }

    private static long scriptErrors(StepResult result) {
        return result.checks().stream()
                .filter(check -> check.name().equals(Summary.SCRIPT_ERRORS))
                .mapToLong(check -> count(check.fails()))
                .sum();
    }

    private static long total(StepResult result) {
        return count(result.checksPassed()) + count(result.checksFailed());
    }

    private static long count(@Nullable Long value) {
        return value == null ? 0 : value;
    }
}
