package dev.sekisho.loadtest.config;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A command line: {@code run [flags] script.js}, with k6's flags.
 *
 * @param script what to run
 * @param options what the flags say about options
 * @param env what {@code -e} adds to the script's environment
 * @param thresholds whether thresholds are looked at
 * @param summary whether a summary is made
 * @param notes what to say about flags without effect
 */
public record CommandLine(
        Path script,
        ObjectNode options,
        Map<String, String> env,
        boolean thresholds,
        boolean summary,
        List<String> notes) {
    private static final ObjectMapper JSON = new ObjectMapper();

    public CommandLine {
        env = Map.copyOf(env);
        notes = List.copyOf(notes);
    }

    /**
     * Parses arguments.
     *
     * @throws UsageException if there is an unknown flag, a flag without its value, or not exactly one script
     */
    public static CommandLine parse(List<String> arguments) {
        if (arguments.isEmpty() || !arguments.get(0).equals("run")) {
            throw new UsageException(
                    arguments.isEmpty()
                            ? "no command; usage: run [flags] script.js"
                            : "unknown command \"" + arguments.get(0) + "\"; usage: run [flags] script.js");
        }
        Parser parser = new Parser(arguments);
        parser.parse();
        if (parser.scripts.size() != 1) {
            throw new UsageException(
                    "accepts 1 arg(s), received " + parser.scripts.size() + ": arg should be a path to a script file");
        }
        Path script = Path.of(parser.scripts.get(0)).toAbsolutePath().normalize();
        return new CommandLine(script, parser.options, parser.env, parser.thresholds, parser.summary, parser.notes);
    }

    /** The flags; each with its short form, whether it has a value, and what it does. */
    private enum Flag {
        VUS("vus", "u", true),
        DURATION("duration", "d", true),
        ITERATIONS("iterations", "i", true),
        ENV("env", "e", true),
        TAG("tag", "", true),
        SUMMARY_TREND_STATS("summary-trend-stats", "", true),
        SUMMARY_TIME_UNIT("summary-time-unit", "", true),
        MAX_REDIRECTS("max-redirects", "", true),
        USER_AGENT("user-agent", "", true),
        BATCH("batch", "", true),
        BATCH_PER_HOST("batch-per-host", "", true),
        MIN_ITERATION_DURATION("min-iteration-duration", "", true),
        NO_SETUP("no-setup", "", false),
        NO_TEARDOWN("no-teardown", "", false),
        NO_SUMMARY("no-summary", "", false),
        NO_THRESHOLDS("no-thresholds", "", false),
        INSECURE_SKIP_TLS_VERIFY("insecure-skip-tls-verify", "", false),
        NO_CONNECTION_REUSE("no-connection-reuse", "", false),
        NO_VU_CONNECTION_REUSE("no-vu-connection-reuse", "", false),
        THROW("throw", "w", false),
        DISCARD_RESPONSE_BODIES("discard-response-bodies", "", false),
        QUIET("quiet", "q", false),
        NO_COLOR("no-color", "", false),
        NO_USAGE_REPORT("no-usage-report", "", false),
        VERBOSE("verbose", "v", false),
        INCLUDE_SYSTEM_ENV_VARS("include-system-env-vars", "", false),
        LOG_FORMAT("log-format", "", true),
        LOG_OUTPUT("log-output", "", true),
        ADDRESS("address", "a", true),
        OUT("out", "o", true),
        SUMMARY_MODE("summary-mode", "", true);

        private final String name;
        private final String letter;
        private final boolean valued;

        Flag(String name, String letter, boolean valued) {
            this.name = name;
            this.letter = letter;
            this.valued = valued;
        }

        static Flag named(String name) {
            return Arrays.stream(values())
                    .filter(flag -> flag.name.equals(name))
                    .findFirst()
                    .orElseThrow(() -> new UsageException("unknown flag: --" + name));
        }

        static Flag lettered(String letter, String argument) {
            return Arrays.stream(values())
                    .filter(flag -> flag.letter.equals(letter))
                    .findFirst()
                    .orElseThrow(() -> new UsageException("unknown shorthand flag: '" + letter + "' in " + argument));
        }
    }

    private static final class Parser {
        private final List<String> arguments;
        private int next = 1;
        private final ObjectNode options = JSON.createObjectNode();
        private final Map<String, String> env = new HashMap<>();
        private final List<String> scripts = new ArrayList<>();
        private final List<String> notes = new ArrayList<>();
        private boolean thresholds = true;
        private boolean summary = true;

        Parser(List<String> arguments) {
            this.arguments = arguments;
        }

        void parse() {
            while (next < arguments.size()) {
                String argument = arguments.get(next++);
                if (argument.equals("--")) {
                    scripts.addAll(arguments.subList(next, arguments.size()));
                    return;
                }
                if (argument.startsWith("--")) {
                    parseLong(argument);
                } else if (argument.startsWith("-") && argument.length() > 1) {
                    parseShort(argument);
                } else {
                    scripts.add(argument);
                }
            }
        }

        private void parseLong(String argument) {
            int equals = argument.indexOf('=');
            Flag flag = Flag.named(argument.substring(2, equals < 0 ? argument.length() : equals));
            if (flag.valued) {
                apply(flag, equals < 0 ? value(argument) : argument.substring(equals + 1));
            } else {
                apply(flag, equals < 0 ? "true" : argument.substring(equals + 1));
            }
        }

        private void parseShort(String argument) {
            for (int i = 1; i < argument.length(); i++) {
                Flag flag = Flag.lettered(argument.substring(i, i + 1), argument);
                if (!flag.valued) {
                    apply(flag, "true");
                    continue;
                }
                String rest = argument.substring(i + 1);
                apply(flag, rest.isEmpty() ? value(argument) : rest.startsWith("=") ? rest.substring(1) : rest);
                return;
            }
        }

        private String value(String argument) {
            if (next == arguments.size()) {
                throw new UsageException("flag needs an argument: " + argument);
            }
            return arguments.get(next++);
        }

        private void apply(Flag flag, String value) {
            switch (flag) {
                case VUS, ITERATIONS, MAX_REDIRECTS, BATCH, BATCH_PER_HOST ->
                    options.put(key(flag), whole(flag, value));
                case DURATION, MIN_ITERATION_DURATION -> options.put(key(flag), duration(flag, value));
                case SUMMARY_TIME_UNIT, USER_AGENT -> options.put(key(flag), value);
                case SUMMARY_TREND_STATS -> {
                    for (String stat : value.split(",", -1)) {
                        options.withArray("summaryTrendStats").add(stat.strip());
                    }
                }
                case NO_SETUP, NO_TEARDOWN, NO_CONNECTION_REUSE, THROW, DISCARD_RESPONSE_BODIES ->
                    options.put(key(flag), truth(flag, value));
                case INSECURE_SKIP_TLS_VERIFY -> options.put("insecureSkipTLSVerify", truth(flag, value));
                case NO_VU_CONNECTION_REUSE -> options.put("noVUConnectionReuse", truth(flag, value));
                case NO_THRESHOLDS -> thresholds = !truth(flag, value);
                case NO_SUMMARY -> summary = !truth(flag, value);
                case ENV -> pair(flag, value, env);
                case TAG -> {
                    Map<String, String> tag = new HashMap<>();
                    pair(flag, value, tag);
                    tag.forEach((name, text) -> options.withObject("/tags").put(name, text));
                }
                case OUT -> notes.add("output '" + value + "' is not supported by this runner: no samples are sent");
                case SUMMARY_MODE, ADDRESS, LOG_FORMAT, LOG_OUTPUT ->
                    notes.add("flag --" + flag.name + " has no effect in this runner");
                case QUIET, NO_COLOR, NO_USAGE_REPORT, VERBOSE, INCLUDE_SYSTEM_ENV_VARS -> {
                    // This runner is always quiet, without colours and reports, and shows scripts the environment.
                    truth(flag, value);
                }
            }
        }

        private static String key(Flag flag) {
            String[] words = flag.name.split("-", -1);
            StringBuilder key = new StringBuilder(words[0]);
            for (int i = 1; i < words.length; i++) {
                key.append(words[i].substring(0, 1).toUpperCase(Locale.ROOT)).append(words[i].substring(1));
            }
            return key.toString();
        }

        private static long whole(Flag flag, String value) {
            try {
                return Long.parseLong(value);
            } catch (NumberFormatException e) {
                throw invalid(flag, value);
            }
        }

        private static String duration(Flag flag, String value) {
            try {
                Durations.parse(value);
                return value;
            } catch (ConfigException e) {
                throw invalid(flag, value);
            }
        }

        private static boolean truth(Flag flag, String value) {
            return switch (value) {
                case "true", "1", "t", "T", "TRUE", "True" -> true;
                case "false", "0", "f", "F", "FALSE", "False" -> false;
                default -> throw invalid(flag, value);
            };
        }

        private static void pair(Flag flag, String value, Map<String, String> into) {
            int equals = value.indexOf('=');
            if (equals <= 0) {
                throw invalid(flag, value);
            }
            into.put(value.substring(0, equals), value.substring(equals + 1));
        }

        private static UsageException invalid(Flag flag, String value) {
            return new UsageException("invalid argument \"" + value + "\" for \"--" + flag.name + "\" flag");
        }
    }
}
