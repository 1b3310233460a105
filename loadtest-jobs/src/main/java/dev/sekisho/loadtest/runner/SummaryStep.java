package dev.sekisho.loadtest.runner;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sekisho.loadtest.js.ScriptException;
import dev.sekisho.loadtest.js.ScriptInstance;
import dev.sekisho.loadtest.js.StoppedException;
import dev.sekisho.loadtest.log.RunLog;
import java.time.Duration;
import java.util.Optional;
import org.graalvm.polyglot.Value;

/** The end of a run: the script's handleSummary(), or a text in its place. Changes no exit code, as in k6. */
final class SummaryStep {
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final VirtualUsers users;
    private final SummaryWriter writer;
    private final RunLog log;

    SummaryStep(VirtualUsers users, SummaryWriter writer, RunLog log) {
        this.users = users;
        this.writer = writer;
        this.log = log;
    }

    void write(ObjectNode data) {
        try (VirtualUser user = users.transientUser()) {
            ScriptInstance instance = user.instance();
            try (Watchdog _ = new Watchdog(TIMEOUT, instance)) {
                Optional<Value> result = handleSummary(instance, data);
                if (result.isPresent()) {
                    writer.write(instance, result.get());
                } else {
                    writer.write(TextSummary.of(data));
                }
            }
        } catch (ScriptException e) {
            log.error("failed to handle the end-of-test summary: " + e.getMessage());
        } catch (StoppedException e) {
            log.error("failed to handle the end-of-test summary: it took more than " + TIMEOUT.toSeconds()
                    + " seconds, or the runner was stopped");
        }
    }

    private Optional<Value> handleSummary(ScriptInstance instance, ObjectNode data) throws StoppedException {
        if (!instance.exportsFunction("handleSummary")) {
            return Optional.empty();
        }
        try {
            Value result = instance.call("handleSummary", instance.parse(data.toString()));
            return result.isNull() ? Optional.empty() : Optional.of(result);
        } catch (ScriptException e) {
            // As in k6: logged, and the text takes its place.
            log.error(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }
}
