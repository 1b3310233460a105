package dev.sekisho.operator.loadtest;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.sekisho.api.v1alpha1.LoadTestSpec.Step;
import dev.sekisho.api.v1alpha1.LoadTestStatus.CheckResult;
import dev.sekisho.api.v1alpha1.LoadTestStatus.StepResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a step's pod said of itself in its termination message. The script is the user's to replace, so the message is
 * input like any other: bounded, checked field by field, and refused as a whole when one field is wrong.
 */
sealed interface Summary {
    /** Kubernetes keeps no more of a termination message. */
    int MAXIMUM_BYTES = 4096;

    /** The name under which script errors appear among the checks in status. */
    String SCRIPT_ERRORS = "iterations without a script error";

    /** The pod said nothing: the script ended before its summary, or its summary failed. */
    record Missing() implements Summary {}

    /**
     * The pod said something else.
     *
     * @param why for people
     */
    record Unreadable(String why) implements Summary {}

    /**
     * The step's figures.
     *
     * @param result as they stand in status
     */
    record Readable(StepResult result) implements Summary {}

    /**
     * Reads a termination message.
     *
     * @param message as the pod left it; empty when it left none
     * @param step the step's index
     * @param asked what the step should have done
     */
    static Summary read(String message, int step, Step asked) {
        if (message.isBlank()) {
            return new Missing();
        }
        if (message.getBytes(StandardCharsets.UTF_8).length > MAXIMUM_BYTES) {
            return new Unreadable("it is longer than " + MAXIMUM_BYTES + " bytes");
        }
        try {
            return new Readable(new Reader().result(Reader.JSON.readTree(message), step, asked));
        } catch (JacksonException e) {
            // Neither the text nor the parser's message: both may quote what a script printed.
            return new Unreadable("it is not JSON");
        } catch (Reader.Refused e) {
            return new Unreadable(e.why);
        }
    }

    /** Reads fields, refusing what is absent, of another type or out of range. */
    final class Reader {
        private static final JsonMapper JSON = JsonMapper.builder()
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
                .build();

        static {
            JSON.getFactory()
                    .setStreamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(8)
                            .maxNumberLength(40)
                            .build());
        }

        private static final int MAXIMUM_CHECKS = 64;
        private static final int MAXIMUM_NAME = 200;
        private static final long MAXIMUM_COUNT = 1L << 53;

        private StepResult result(JsonNode root, int step, Step asked) {
            if (!root.isObject()) {
                throw new Refused("it is no JSON object");
            }
            if (root.path("v").asInt(0) != 1 || !root.path("v").isIntegralNumber()) {
                throw new Refused("its version (v) is not 1");
            }
            var checks = root.path("checks");
            long passes = count(checks, "passes");
            long fails = count(checks, "fails");
            var byName = byName(checks.path("byName"));
            // Required: k6 takes an iteration that throws for a good one, so silence is no proof that none did.
            long scriptErrors = count(root, "scriptErrors");
            if (scriptErrors > 0) {
                // Not added to the totals: the shipped scripts also count a failed check for each.
                byName.addFirst(new CheckResult(SCRIPT_ERRORS, 0L, scriptErrors));
            }
            var times = root.path("duration");
            boolean timed = times.isObject();
            if (!timed && !times.isNull() && !times.isMissingNode()) {
                throw new Refused("duration is no object");
            }
            return new StepResult(
                    step,
                    asked.vus(),
                    asked.duration(),
                    count(root, "requests"),
                    number(root, "requestRate"),
                    count(root, "iterations"),
                    number(root, "iterationRate"),
                    count(root, "droppedIterations"),
                    share(root, "errorRate"),
                    timed ? number(times, "avg") : null,
                    timed ? number(times, "min") : null,
                    timed ? number(times, "med") : null,
                    timed ? number(times, "p90") : null,
                    timed ? number(times, "p95") : null,
                    timed ? number(times, "p99") : null,
                    timed ? number(times, "max") : null,
                    passes,
                    fails,
                    List.copyOf(byName));
        }

        private static List<CheckResult> byName(JsonNode node) {
            var checks = new ArrayList<CheckResult>();
            if (node.isMissingNode()) {
                return checks;
            }
            if (!node.isArray() || node.size() > MAXIMUM_CHECKS) {
                throw new Refused("checks.byName is no array of at most " + MAXIMUM_CHECKS);
            }
            for (var each : node) {
                var name = each.path("name");
                if (!name.isTextual() || name.textValue().length() > MAXIMUM_NAME) {
                    throw new Refused("a check's name is no text of at most " + MAXIMUM_NAME + " characters");
                }
                checks.add(new CheckResult(name.textValue(), count(each, "passes"), count(each, "fails")));
            }
            return checks;
        }

        private static long count(JsonNode parent, String field) {
            var node = present(parent, field);
            if (!node.isNumber() || !node.canConvertToExactIntegral() || !node.canConvertToLong()) {
                throw new Refused(field + " is no whole number");
            }
            long value = node.longValue();
            if (value < 0 || value > MAXIMUM_COUNT) {
                throw new Refused(field + " is out of range");
            }
            return value;
        }

        private static double number(JsonNode parent, String field) {
            var node = present(parent, field);
            double value = node.isNumber() ? node.doubleValue() : Double.NaN;
            if (!Double.isFinite(value) || value < 0) {
                throw new Refused(field + " is no finite number from 0 up");
            }
            return value;
        }

        private static double share(JsonNode parent, String field) {
            double value = number(parent, field);
            if (value > 1) {
                throw new Refused(field + " is above 1");
            }
            return value;
        }

        private static JsonNode present(JsonNode parent, String field) {
            @Nullable JsonNode node = parent.get(field);
            if (node == null || node instanceof MissingNode || node.isNull()) {
                throw new Refused(field + " is missing");
            }
            return node;
        }

        /** Carries the reason up through the fields; it never leaves {@link Summary#read}. */
        private static final class Refused extends RuntimeException {
            private static final long serialVersionUID = 1L;

            private final String why;

            Refused(String why) {
                super(why, null, false, false);
                this.why = why;
            }
        }
    }
}
