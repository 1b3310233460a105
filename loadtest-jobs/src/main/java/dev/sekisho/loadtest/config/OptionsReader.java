package dev.sekisho.loadtest.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sekisho.loadtest.metrics.TrendStat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** Makes {@link Options} of merged JSON. */
public final class OptionsReader {
    /** What decides how long a run lasts: a higher layer that has one of these replaces all of the lower ones. */
    private static final List<String> EXECUTION = List.of("duration", "iterations", "stages", "scenarios");

    private static final Set<String> KNOWN = Set.of(
            "vus",
            "duration",
            "iterations",
            "stages",
            "scenarios",
            "thresholds",
            "summaryTrendStats",
            "summaryTimeUnit",
            "setupTimeout",
            "teardownTimeout",
            "noSetup",
            "noTeardown",
            "maxRedirects",
            "userAgent",
            "insecureSkipTLSVerify",
            "throw",
            "discardResponseBodies",
            "noConnectionReuse",
            "noVUConnectionReuse",
            "noCookiesReset",
            "minIterationDuration",
            "batch",
            "batchPerHost",
            "hosts",
            "tags");

    private OptionsReader() {}

    /** Lays a higher layer over a lower one; both are left as they are. */
    public static ObjectNode merge(ObjectNode lower, ObjectNode higher) {
        ObjectNode merged = lower.deepCopy();
        if (EXECUTION.stream().anyMatch(key -> isSet(higher, key))) {
            merged.remove(EXECUTION);
        }
        higher.properties().forEach(entry -> {
            if (!entry.getValue().isNull()) {
                merged.set(entry.getKey(), entry.getValue());
            }
        });
        return merged;
    }

    /**
     * Reads merged options.
     *
     * @param warn takes what is worth saying about options that this runner does not know
     * @throws ConfigException if they cannot be run
     */
    public static Options read(ObjectNode json, Consumer<String> warn) {
        json.fieldNames().forEachRemaining(key -> {
            if (!KNOWN.contains(key)) {
                warn.accept("option '" + key + "' is not known to this runner and has no effect");
            }
        });
        return new Options(
                ExecutorReader.read(json, warn),
                thresholds(json.path("thresholds")),
                trendStats(json),
                text(json, "summaryTimeUnit", ""),
                duration(json, "setupTimeout", Duration.ofSeconds(60)),
                duration(json, "teardownTimeout", Duration.ofSeconds(60)),
                !flag(json, "noSetup"),
                !flag(json, "noTeardown"),
                integer(json, "maxRedirects", 10, 0),
                text(json, "userAgent", "sekisho-k6-runner"),
                flag(json, "insecureSkipTLSVerify"),
                flag(json, "throw"),
                flag(json, "discardResponseBodies"),
                !flag(json, "noConnectionReuse"),
                !flag(json, "noVUConnectionReuse"),
                !flag(json, "noCookiesReset"),
                duration(json, "minIterationDuration", Duration.ZERO),
                integer(json, "batch", 20, 1),
                integer(json, "batchPerHost", 6, 1),
                strings(json, "hosts"),
                strings(json, "tags"),
                json.toString());
    }

    private static List<String> trendStats(JsonNode json) {
        if (!isSet(json, "summaryTrendStats")) {
            return TrendStat.DEFAULT;
        }
        List<String> names = new ArrayList<>();
        JsonNode given = json.path("summaryTrendStats");
        if (!given.isArray()) {
            throw wrong("summaryTrendStats", "a list", given);
        }
        for (JsonNode name : given) {
            try {
                names.add(TrendStat.parse(name.asText()).name());
            } catch (IllegalArgumentException e) {
                throw new ConfigException(String.valueOf(e.getMessage()));
            }
        }
        return names;
    }

    private static Map<String, List<ThresholdConfig>> thresholds(JsonNode json) {
        Map<String, List<ThresholdConfig>> thresholds = new LinkedHashMap<>();
        if (json.isMissingNode() || json.isNull()) {
            return thresholds;
        }
        if (!json.isObject()) {
            throw wrong("thresholds", "an object", json);
        }
        json.properties().forEach(entry -> {
            if (!entry.getValue().isArray()) {
                throw wrong("thresholds." + entry.getKey(), "a list", entry.getValue());
            }
            List<ThresholdConfig> list = new ArrayList<>();
            entry.getValue().forEach(threshold -> list.add(threshold(entry.getKey(), threshold)));
            thresholds.put(entry.getKey(), list);
        });
        return thresholds;
    }

    private static ThresholdConfig threshold(String metric, JsonNode json) {
        if (json.isTextual()) {
            return new ThresholdConfig(json.asText(), false, Duration.ZERO);
        }
        if (!json.isObject() || !json.path("threshold").isTextual()) {
            throw wrong("thresholds." + metric, "a list of expressions", json);
        }
        return new ThresholdConfig(
                json.path("threshold").asText(),
                flag(json, "abortOnFail"),
                duration(json, "delayAbortEval", Duration.ZERO));
    }

    static boolean isSet(JsonNode json, String key) {
        return json.has(key) && !json.path(key).isNull();
    }

    static String text(JsonNode json, String key, String fallback) {
        if (!isSet(json, key)) {
            return fallback;
        }
        if (!json.path(key).isTextual()) {
            throw wrong(key, "text", json.path(key));
        }
        return json.path(key).asText();
    }

    static boolean flag(JsonNode json, String key) {
        if (isSet(json, key) && !json.path(key).isBoolean()) {
            throw wrong(key, "true or false", json.path(key));
        }
        return json.path(key).asBoolean(false);
    }

    static int integer(JsonNode json, String key, int fallback, int least) {
        if (!isSet(json, key)) {
            return fallback;
        }
        JsonNode value = json.path(key);
        if (!value.isNumber() || !value.canConvertToInt() || value.asDouble() != value.asInt()) {
            throw wrong(key, "a whole number", value);
        }
        if (value.asInt() < least) {
            throw new ConfigException(key + " must be at least " + least + ", but is " + value);
        }
        return value.asInt();
    }

    static Duration duration(JsonNode json, String key, Duration fallback) {
        if (!isSet(json, key)) {
            return fallback;
        }
        try {
            Duration duration = Durations.parse(json.path(key));
            if (duration.isNegative()) {
                throw new ConfigException("it is negative");
            }
            return duration;
        } catch (ConfigException e) {
            throw new ConfigException("option " + key + ": " + e.getMessage());
        }
    }

    static Map<String, String> strings(JsonNode json, String key) {
        Map<String, String> strings = new LinkedHashMap<>();
        if (!isSet(json, key)) {
            return strings;
        }
        if (!json.path(key).isObject()) {
            throw wrong(key, "an object", json.path(key));
        }
        json.path(key)
                .properties()
                .forEach(entry -> strings.put(entry.getKey(), entry.getValue().asText()));
        return strings;
    }

    static ConfigException wrong(String key, String expected, JsonNode actual) {
        return new ConfigException("option " + key + " must be " + expected + ", but is " + actual);
    }
}
