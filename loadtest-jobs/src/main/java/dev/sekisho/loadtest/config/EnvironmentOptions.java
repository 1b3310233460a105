package dev.sekisho.loadtest.config;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/** Options from the environment: {@code K6_VUS}, {@code K6_DURATION} and so on. */
public final class EnvironmentOptions {
    private static final Map<String, String> NUMBERS = Map.of(
            "K6_VUS", "vus",
            "K6_ITERATIONS", "iterations",
            "K6_MAX_REDIRECTS", "maxRedirects",
            "K6_BATCH", "batch",
            "K6_BATCH_PER_HOST", "batchPerHost");
    private static final Map<String, String> TEXTS = Map.of(
            "K6_DURATION", "duration",
            "K6_SETUP_TIMEOUT", "setupTimeout",
            "K6_TEARDOWN_TIMEOUT", "teardownTimeout",
            "K6_MIN_ITERATION_DURATION", "minIterationDuration",
            "K6_USER_AGENT", "userAgent",
            "K6_SUMMARY_TIME_UNIT", "summaryTimeUnit");
    private static final Map<String, String> FLAGS = Map.of(
            "K6_NO_SETUP", "noSetup",
            "K6_NO_TEARDOWN", "noTeardown",
            "K6_INSECURE_SKIP_TLS_VERIFY", "insecureSkipTLSVerify",
            "K6_NO_CONNECTION_REUSE", "noConnectionReuse",
            "K6_NO_VU_CONNECTION_REUSE", "noVUConnectionReuse",
            "K6_THROW", "throw",
            "K6_DISCARD_RESPONSE_BODIES", "discardResponseBodies");

    private EnvironmentOptions() {}

    /**
     * Reads options.
     *
     * @throws ConfigException if a number or flag is none
     */
    public static ObjectNode read(Map<String, String> environment) {
        ObjectNode options = new ObjectMapper().createObjectNode();
        TEXTS.forEach((variable, option) -> {
            if (isSet(environment, variable)) {
                options.put(option, environment.get(variable));
            }
        });
        NUMBERS.forEach((variable, option) -> {
            if (isSet(environment, variable)) {
                options.put(option, number(variable, environment.getOrDefault(variable, "")));
            }
        });
        FLAGS.forEach((variable, option) -> {
            if (isSet(environment, variable)) {
                options.put(option, truth(variable, environment.getOrDefault(variable, "")));
            }
        });
        for (String stat : list(environment.getOrDefault("K6_SUMMARY_TREND_STATS", ""))) {
            options.withArray("summaryTrendStats").add(stat);
        }
        return options;
    }

    private static boolean isSet(Map<String, String> environment, String variable) {
        return !environment.getOrDefault(variable, "").isEmpty();
    }

    private static List<String> list(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split("\\s*,\\s*"));
    }

    private static long number(String variable, String value) {
        try {
            return Long.parseLong(value);
        } catch (NumberFormatException e) {
            throw new ConfigException(variable + " must be a whole number, but is \"" + value + "\"");
        }
    }

    private static boolean truth(String variable, String value) {
        return switch (value) {
            case "true", "1" -> true;
            case "false", "0" -> false;
            default -> throw new ConfigException(variable + " must be true or false, but is \"" + value + "\"");
        };
    }
}
