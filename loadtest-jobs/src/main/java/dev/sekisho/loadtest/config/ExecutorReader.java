package dev.sekisho.loadtest.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sekisho.loadtest.config.ExecutorConfig.Base;
import dev.sekisho.loadtest.config.ExecutorConfig.ConstantVus;
import dev.sekisho.loadtest.config.ExecutorConfig.PerVuIterations;
import dev.sekisho.loadtest.config.ExecutorConfig.SharedIterations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Reads scenarios, or the shortcuts vus, duration and iterations that stand for one. */
final class ExecutorReader {
    private static final Duration DEFAULT_MAX_DURATION = Duration.ofMinutes(10);

    private static final Duration MINIMUM = Duration.ofSeconds(1);

    private ExecutorReader() {}

    static List<ExecutorConfig> read(ObjectNode json, Consumer<String> warn) {
        boolean scenarios = OptionsReader.isSet(json, "scenarios");
        if (scenarios && !json.path("scenarios").isObject()) {
            throw OptionsReader.wrong("scenarios", "an object", json.path("scenarios"));
        }
        refusePairs(json);
        int vus = OptionsReader.integer(json, "vus", 1, 0);
        if (OptionsReader.isSet(json, "stages")) {
            throw new ConfigException("`stages` (executor ramping-vus) is not supported by this runner");
        }
        if (OptionsReader.isSet(json, "iterations")) {
            Duration limit = limit(json, "duration", DEFAULT_MAX_DURATION);
            return List.of(shared(Base.ofDefault(), vus, OptionsReader.integer(json, "iterations", 1, 1), limit));
        }
        if (OptionsReader.isSet(json, "duration")) {
            return List.of(new ConstantVus(Base.ofDefault(), atLeastOne(vus), limit(json, "duration", Duration.ZERO)));
        }
        if (OptionsReader.isSet(json, "vus")) {
            if (scenarios) {
                warn.accept("`vus=" + vus + "` overrides scenarios configuration");
            }
            return List.of(shared(Base.ofDefault(), vus, vus, DEFAULT_MAX_DURATION));
        }
        if (scenarios && !json.path("scenarios").isEmpty()) {
            return scenarios(json.path("scenarios"));
        }
        return List.of(new PerVuIterations(Base.ofDefault(), 1, 1, DEFAULT_MAX_DURATION));
    }

    private static void refusePairs(ObjectNode json) {
        List<String> set = new ArrayList<>();
        for (String key : List.of("iterations", "duration", "stages", "scenarios")) {
            if (OptionsReader.isSet(json, key)) {
                set.add(key);
            }
        }
        // Only iterations and duration go together: the latter is then a limit.
        if (set.size() > 1 && !set.equals(List.of("iterations", "duration"))) {
            throw new ConfigException("using `" + set.get(0) + "` and `" + set.get(set.size() - 1)
                    + "` options simultaneously is not allowed");
        }
    }

    private static List<ExecutorConfig> scenarios(JsonNode json) {
        List<ExecutorConfig> executors = new ArrayList<>();
        json.properties().forEach(entry -> {
            try {
                executors.add(scenario(entry.getKey(), entry.getValue()));
            } catch (ConfigException e) {
                throw new ConfigException("scenario " + entry.getKey() + ": " + e.getMessage());
            }
        });
        return executors;
    }

    private static ExecutorConfig scenario(String name, JsonNode json) {
        if (!name.matches("[0-9a-zA-Z_-]+")) {
            throw new ConfigException(
                    "the scenario name should contain only numbers, latin letters, underscores, and dashes");
        }
        if (!json.isObject()) {
            throw OptionsReader.wrong(name, "an object", json);
        }
        Base base = new Base(
                name,
                exec(json),
                OptionsReader.duration(json, "startTime", Duration.ZERO),
                OptionsReader.duration(json, "gracefulStop", Base.DEFAULT_GRACEFUL_STOP),
                OptionsReader.strings(json, "env"),
                OptionsReader.strings(json, "tags"));
        int vus = OptionsReader.integer(json, "vus", 1, 1);
        Duration limit = limit(json, "maxDuration", DEFAULT_MAX_DURATION);
        String type = OptionsReader.text(json, "executor", "");
        return switch (type) {
            case "constant-vus" -> new ConstantVus(base, vus, limit(json, "duration", Duration.ZERO));
            case "shared-iterations" -> shared(base, vus, OptionsReader.integer(json, "iterations", 1, 1), limit);
            case "per-vu-iterations" ->
                new PerVuIterations(base, vus, OptionsReader.integer(json, "iterations", 1, 1), limit);
            case "ramping-vus", "constant-arrival-rate", "ramping-arrival-rate", "externally-controlled" ->
                throw new ConfigException("executor " + type + " is not supported by this runner");
            case "" -> throw new ConfigException("missing executor");
            default -> throw new ConfigException("unknown executor type '" + type + "'");
        };
    }

    private static String exec(JsonNode json) {
        String exec = OptionsReader.text(json, "exec", "default");
        if (exec.isEmpty()) {
            throw new ConfigException("exec value cannot be empty");
        }
        return exec;
    }

    private static ExecutorConfig shared(Base base, int vus, long iterations, Duration limit) {
        if (iterations < atLeastOne(vus)) {
            throw new ConfigException(
                    "the number of iterations (" + iterations + ") can't be less than the number of VUs (" + vus + ")");
        }
        return new SharedIterations(base, vus, iterations, limit);
    }

    private static int atLeastOne(int vus) {
        if (vus < 1) {
            throw new ConfigException("the number of VUs must be more than 0");
        }
        return vus;
    }

    /** A time limit as k6 takes it: a second at least. */
    private static Duration limit(JsonNode json, String key, Duration fallback) {
        Duration limit = OptionsReader.duration(json, key, fallback);
        if (limit.compareTo(MINIMUM) < 0) {
            throw new ConfigException("the " + key + " must be at least 1s, but is "
                    + json.path(key).asText("unset"));
        }
        return limit;
    }
}
