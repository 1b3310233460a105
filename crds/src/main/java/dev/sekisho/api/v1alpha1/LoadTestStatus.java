package dev.sekisho.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sekisho.api.v1alpha1.LoadTestSpec.Measure;
import io.fabric8.crdv2.generator.v1.SchemaCustomizer;
import io.fabric8.generator.annotation.Required;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a load test has done. The phase says how far it is; the verdict says whether objectives were met.
 *
 * @param observedGeneration the generation of the spec that was last looked at
 * @param run identifies the run: a hash of the object's uid and runToken
 * @param phase how far it is
 * @param verdict whether the objectives were met; absent until it ended
 * @param reason why it is in this phase, or has this verdict, as one CamelCase word
 * @param message the same for people
 * @param startTime when the first step started (RFC 3339)
 * @param completionTime when it ended (RFC 3339)
 * @param results one per finished step, in order
 * @param objectives each with the worst value over the steps
 * @param conditions Ready (the run ended well), Progressing
 */
@SchemaCustomizer(value = ListMaps.class, input = "conditions=type")
public record LoadTestStatus(
        @Nullable Long observedGeneration,
        @Nullable String run,
        @Nullable Phase phase,
        @Nullable Verdict verdict,
        @Nullable String reason,
        @Nullable String message,
        @Nullable String startTime,
        @Nullable String completionTime,
        List<StepResult> results,
        List<ObjectiveResult> objectives,
        List<Condition> conditions) {

    public LoadTestStatus {
        results = Defaults.list(results);
        objectives = Defaults.list(objectives);
        conditions = Defaults.list(conditions);
    }

    /** How far a load test is. */
    public enum Phase {
        Pending,
        Preparing,
        Running,
        Completed,
        Failed
    }

    /** Whether objectives were met. */
    public enum Verdict {
        Passed,
        Failed,
        /** The run says nothing about the target: it broke, or measured nothing. */
        Inconclusive
    }

    /**
     * Figures of one step; times in milliseconds, rates per second, shares from 0 to 1.
     *
     * @param step its index, from 0
     * @param vus virtual users
     * @param duration as asked
     * @param requests HTTP requests
     * @param requestsPerSecond the same per second
     * @param iterations runs of the scenario
     * @param iterationsPerSecond the same per second
     * @param droppedIterations iterations that should have started and did not
     * @param errorRate share of requests that failed
     * @param avg mean time of a request
     * @param min fastest
     * @param med median
     * @param p90 90th percentile
     * @param p95 95th percentile
     * @param p99 99th percentile
     * @param max slowest
     * @param checksPassed checks of content that held
     * @param checksFailed checks of content that did not
     * @param checks the same per check, most failing first
     */
    public record StepResult(
            @Required Integer step,
            @Nullable Integer vus,
            @Nullable String duration,
            @Nullable Long requests,
            @Nullable Double requestsPerSecond,
            @Nullable Long iterations,
            @Nullable Double iterationsPerSecond,
            @Nullable Long droppedIterations,

            @JsonPropertyDescription("Share of requests that failed, 0 to 1.") @Nullable Double errorRate,

            @JsonPropertyDescription("Milliseconds.") @Nullable Double avg,

            @JsonPropertyDescription("Milliseconds.") @Nullable Double min,

            @JsonPropertyDescription("Milliseconds.") @Nullable Double med,

            @JsonPropertyDescription("Milliseconds.") @Nullable Double p90,

            @JsonPropertyDescription("Milliseconds.") @Nullable Double p95,

            @JsonPropertyDescription("Milliseconds.") @Nullable Double p99,

            @JsonPropertyDescription("Milliseconds.") @Nullable Double max,

            @Nullable Long checksPassed,
            @Nullable Long checksFailed,
            List<CheckResult> checks) {
        public StepResult {
            checks = Defaults.list(checks);
        }
    }

    /**
     * Figures of one check.
     *
     * @param name what it checks
     * @param passes how often it held
     * @param fails how often it did not
     */
    public record CheckResult(
            @Required String name,
            @Nullable Long passes,
            @Nullable Long fails) {}

    /**
     * What came of an objective.
     *
     * @param measure what was measured
     * @param atMost its upper bound
     * @param atLeast its lower bound
     * @param actual the worst value over the steps; absent when nothing was measured
     * @param step the step it comes from
     * @param met whether it was met
     */
    public record ObjectiveResult(
            @Required Measure measure,
            @Nullable Double atMost,
            @Nullable Double atLeast,
            @Nullable Double actual,
            @Nullable Integer step,
            @Required Boolean met) {}
}
