package dev.sekisho.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.sekisho.api.v1alpha1.IdpClusterSpec.Resources;
import io.fabric8.crdv2.generator.v1.SchemaCustomizer;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a load test shall do. Immutable but for {@code runToken}: with a new token the rest may change too.
 *
 * @param clusterRef the cluster to test; it must allow load tests
 * @param scenario what each virtual user does
 * @param data the data that the test makes for itself, and removes afterwards
 * @param steps what runs, one after the other
 * @param objectives what the verdict stands on; every step must meet each
 * @param engine what runs the scenario
 * @param runToken change it to run again
 * @param cleanup what is removed, and when
 */
@SchemaCustomizer(value = ListMaps.class, input = "")
@ValidationRule(
        value = "self.runToken != oldSelf.runToken || self == oldSelf",
        message = "a LoadTest is immutable while it keeps its runToken: change runToken to run again",
        reason = "FieldValueForbidden",
        fieldPath = ".runToken")
public record LoadTestSpec(
        @JsonPropertyDescription("The IdpCluster to test; its loadTests must be Allow.") @Required
        ClusterRef clusterRef,

        @JsonPropertyDescription("What each virtual user does.") @Required
        Scenario scenario,

        @JsonPropertyDescription("Data that the test makes for itself, and removes afterwards.") @Default("{}")
        Data data,

        @JsonPropertyDescription("What runs, one after the other.") @Required @Size(min = 1, max = 20) List<Step> steps,

        @JsonPropertyDescription("What the verdict stands on; every step must meet each.")
        @Default("[{\"measure\":\"p95\",\"atMost\":500},{\"measure\":\"errorRate\",\"atMost\":0.01},"
                + "{\"measure\":\"checkRate\",\"atLeast\":0.99}]")
        @Size(min = 1, max = 30) List<Objective> objectives,

        @JsonPropertyDescription("What runs the scenario.") @Default("{}")
        Engine engine,

        @JsonPropertyDescription("Change it to run again.") @Default("1") @Size(max = 100) String runToken,

        @JsonPropertyDescription("What is removed, and when.") @Default("{}")
        Cleanup cleanup) {

    private static final List<Objective> DEFAULT_OBJECTIVES = List.of(
            new Objective(Measure.P95, 500.0, null),
            new Objective(Measure.ERROR_RATE, 0.01, null),
            new Objective(Measure.CHECK_RATE, null, 0.99));

    public LoadTestSpec {
        data = Defaults.or(data, new Data(1));
        steps = Defaults.list(steps);
        objectives = objectives == null ? DEFAULT_OBJECTIVES : List.copyOf(objectives);
        engine = Defaults.or(engine, new Engine(null, null));
        runToken = Defaults.or(runToken, "1");
        cleanup = Defaults.or(cleanup, new Cleanup("1h"));
    }

    /**
     * A scenario: one that ships with Sekisho, or a script of the user's.
     *
     * @param name the shipped scenario, or a name for the script
     * @param configMapRef the script
     */
    @ValidationRule(
            value = "has(self.configMapRef) || self.name in ['client-credentials', 'jwks']",
            message = "no such scenario; one of client-credentials, jwks, or any name together with configMapRef",
            fieldPath = ".name")
    public record Scenario(
            @JsonPropertyDescription(
                    "A scenario that ships with Sekisho (client-credentials, jwks), or a name for the script.")
            @Required
            @Size(min = 1, max = 60) @Pattern("^[a-z0-9]([a-z0-9-]*[a-z0-9])?$") String name,

            @JsonPropertyDescription("A k6 script of your own.") @Nullable ConfigMapRef configMapRef) {}

    /**
     * A key of a ConfigMap.
     *
     * @param name the ConfigMap, in the LoadTest's namespace
     * @param key the key in it
     */
    public record ConfigMapRef(
            @JsonPropertyDescription("Name of a ConfigMap in this namespace.") @Required @Size(min = 1, max = 253) String name,

            @JsonPropertyDescription("Key in the ConfigMap.")
            @Default("script.js")
            @Size(min = 1, max = 253) @Pattern("^[-._a-zA-Z0-9]+$") String key) {
        public ConfigMapRef {
            key = Defaults.or(key, "script.js");
        }
    }

    /**
     * Data of the test's own.
     *
     * @param tenants how many tenants, each with a client; virtual users draw one at random
     */
    public record Data(
            @JsonPropertyDescription("How many tenants, each with a client; virtual users draw one at random.")
            @Default("1")
            @Min(1) @Max(1000) Integer tenants) {
        public Data {
            tenants = Defaults.or(tenants, 1);
        }
    }

    /**
     * One step.
     *
     * @param vus virtual users that call without a pause
     * @param duration for how long
     */
    @ValidationRule(
            value = "duration(self.duration) >= duration('1s') && duration(self.duration) <= duration('24h')",
            message = "duration must be between 1s and 24h",
            fieldPath = ".duration")
    public record Step(
            @JsonPropertyDescription("Virtual users that call without a pause.") @Required @Min(1) @Max(100000) Integer vus,

            @JsonPropertyDescription("For how long: 1s to 24h.") @Required @Size(max = 20) @Pattern(Durations.PATTERN) String duration) {}

    /**
     * One objective: a measure and its bound.
     *
     * @param measure what is measured
     * @param atMost its upper bound
     * @param atLeast its lower bound
     */
    @ValidationRule(
            value = "has(self.atMost) != has(self.atLeast)",
            message = "exactly one of atMost and atLeast must be set")
    public record Objective(
            @JsonPropertyDescription(
                    "avg, min, med, p90, p95, p99, max: milliseconds; errorRate, checkRate: shares from 0 to 1;"
                            + " requestsPerSecond, requests, iterationsPerSecond.")
            @Required
            Measure measure,

            @JsonPropertyDescription("Its upper bound.") @Nullable Double atMost,

            @JsonPropertyDescription("Its lower bound.") @Nullable Double atLeast) {}

    /** What an objective can be about. */
    public enum Measure {
        @JsonProperty("avg")
        AVG,
        @JsonProperty("min")
        MIN,
        @JsonProperty("med")
        MED,
        @JsonProperty("p90")
        P90,
        @JsonProperty("p95")
        P95,
        @JsonProperty("p99")
        P99,
        @JsonProperty("max")
        MAX,
        @JsonProperty("errorRate")
        ERROR_RATE,
        @JsonProperty("checkRate")
        CHECK_RATE,
        @JsonProperty("requestsPerSecond")
        REQUESTS_PER_SECOND,
        @JsonProperty("requests")
        REQUESTS,
        @JsonProperty("iterationsPerSecond")
        ITERATIONS_PER_SECOND
    }

    /**
     * What runs the scenario.
     *
     * @param image k6's image; absent: the operator's setting
     * @param resources of its pod
     */
    public record Engine(
            @JsonPropertyDescription("The image that runs k6. Absent: the operator's setting.")
            @Size(min = 1, max = 500) @Nullable String image,

            @JsonPropertyDescription("Of its pod; what is absent gets the operator's defaults.") @Default("{}")
            Resources resources) {
        public Engine(@Nullable String image, @Nullable Resources resources) {
            this.image = image;
            this.resources = Defaults.or(resources, new Resources(Map.of(), Map.of()));
        }
    }

    /**
     * What is removed, and when. Data is removed as soon as the test ends.
     *
     * @param jobsAfter how long finished Jobs stay, for their logs
     */
    public record Cleanup(
            @JsonPropertyDescription("How long finished Jobs stay, for their logs.")
            @Default("1h")
            @Size(max = 20) @Pattern(Durations.PATTERN) String jobsAfter) {
        public Cleanup {
            jobsAfter = Defaults.or(jobsAfter, "1h");
        }
    }
}
