package dev.sekisho.loadtest.runner;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sekisho.loadtest.config.CommandLine;
import dev.sekisho.loadtest.config.ConfigException;
import dev.sekisho.loadtest.config.EnvironmentOptions;
import dev.sekisho.loadtest.config.ExecutorConfig;
import dev.sekisho.loadtest.config.Options;
import dev.sekisho.loadtest.config.OptionsReader;
import dev.sekisho.loadtest.http.HttpSettings;
import dev.sekisho.loadtest.http.TlsSettings;
import dev.sekisho.loadtest.js.RunState;
import dev.sekisho.loadtest.js.Script;
import dev.sekisho.loadtest.js.ScriptException;
import dev.sekisho.loadtest.js.ScriptInstance;
import dev.sekisho.loadtest.js.StoppedException;
import dev.sekisho.loadtest.js.VuContext;
import dev.sekisho.loadtest.metrics.InvalidThresholdException;
import dev.sekisho.loadtest.metrics.Threshold;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds out what a run does, and refuses what cannot be run. */
final class Preparation {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final CommandLine commandLine;
    private final Map<String, String> environment;
    private final RunState run;

    Preparation(CommandLine commandLine, Map<String, String> environment, RunState run) {
        this.commandLine = commandLine;
        this.environment = environment;
        this.run = run;
    }

    /**
     * What a run does.
     *
     * @param options merged from script, environment and command line
     * @param http for all clients
     */
    record Prepared(Options options, HttpSettings http) {}

    /** Reads the script. */
    Script load() throws RunFailure {
        commandLine.notes().forEach(run.log()::warn);
        if (!environment.getOrDefault("K6_OUT", "").isEmpty()) {
            run.log().warn("K6_OUT is not supported by this runner: no samples are sent");
        }
        Path file = commandLine.script();
        if (!Files.isRegularFile(file)) {
            throw new RunFailure(
                    ExitCode.USAGE, "The moduleSpecifier \"" + file + "\" couldn't be found on local disk");
        }
        Map<String, String> visible = new HashMap<>(environment);
        visible.putAll(commandLine.env());
        try {
            return new Script(file, visible);
        } catch (IOException e) {
            throw new RunFailure(ExitCode.USAGE, "cannot read " + file + ": " + e.getMessage());
        }
    }

    /** Runs the init code once to learn the options and to see that all they name is there. */
    Prepared prepare(Script script) throws RunFailure {
        try (ScriptInstance instance = script.instantiate(new VuContext(0, run, null))) {
            checkExports(instance);
            Options options = readOptions(instance.exportAsJson("options"));
            for (ExecutorConfig executor : options.executors()) {
                if (!instance.exportsFunction(executor.base().exec())) {
                    throw new ConfigException("executor " + executor.base().name() + ": function '"
                            + executor.base().exec() + "' not found in exports");
                }
            }
            if (commandLine.thresholds()) {
                addThresholds(options);
            }
            HttpSettings http =
                    new HttpSettings(tls(options), options.hosts(), options.connectionReuse(), options.batchPerHost());
            return new Prepared(options, http);
        } catch (ScriptException e) {
            throw new RunFailure(ExitCode.SCRIPT_ERROR, String.valueOf(e.getMessage()));
        } catch (StoppedException e) {
            throw new RunFailure(ExitCode.SIGNAL, "stopped while the script was loaded");
        } catch (ConfigException | InvalidThresholdException e) {
            throw new RunFailure(ExitCode.INVALID_CONFIG, String.valueOf(e.getMessage()));
        }
    }

    private static void checkExports(ScriptInstance instance) throws RunFailure {
        if (!instance.exportsAnyFunction()) {
            throw new RunFailure(ExitCode.USAGE, "no exported functions in script");
        }
        for (String special : List.of("setup", "teardown")) {
            if (instance.exports(special) && !instance.exportsFunction(special)) {
                throw new RunFailure(ExitCode.USAGE, "exported '" + special + "' must be a function");
            }
        }
    }

    private void addThresholds(Options options) {
        options.thresholds()
                .forEach((metric, thresholds) -> run.registry()
                        .addThresholds(
                                metric,
                                thresholds.stream()
                                        .map(threshold -> Threshold.parse(
                                                threshold.expression(),
                                                threshold.abortOnFail(),
                                                threshold.delayAbortEval().toMillis() / 1000.0))
                                        .toList()));
    }

    private Options readOptions(Optional<String> exported) {
        try {
            JsonNode json = exported.isPresent() ? JSON.readTree(exported.get()) : JSON.createObjectNode();
            if (!(json instanceof ObjectNode fromScript)) {
                throw new ConfigException("exported options must be an object");
            }
            ObjectNode fromEnvironment = EnvironmentOptions.read(environment);
            return OptionsReader.read(
                    OptionsReader.merge(OptionsReader.merge(fromScript, fromEnvironment), commandLine.options()),
                    run.log()::warn);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the engine made invalid JSON", e);
        }
    }

    private TlsSettings tls(Options options) {
        if (options.insecureSkipTlsVerify()) {
            return TlsSettings.insecure();
        }
        String file = environment.getOrDefault("SSL_CERT_FILE", "");
        try {
            return TlsSettings.trusting(file.isEmpty() ? Optional.empty() : Optional.of(Path.of(file)));
        } catch (IOException e) {
            throw new ConfigException("SSL_CERT_FILE: " + e.getMessage());
        }
    }
}
