package dev.sekisho.loadtest.runner;

import dev.sekisho.loadtest.js.ScriptException;
import dev.sekisho.loadtest.js.ScriptInstance;
import dev.sekisho.loadtest.js.StoppedException;
import dev.sekisho.loadtest.log.RunLog;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.graalvm.polyglot.Value;

/** Writes what handleSummary() returned. What goes wrong here is logged and does not change the exit code, as in k6. */
final class SummaryWriter {
    private final PrintStream out;
    private final PrintStream err;
    private final RunLog log;

    SummaryWriter(PrintStream out, PrintStream err, RunLog log) {
        this.out = out;
        this.err = err;
        this.log = log;
    }

    void write(String text) {
        out.print(text);
        out.flush();
    }

    /** Writes an object of texts and ArrayBuffers by where they go: stdout, stderr, or a file. */
    void write(ScriptInstance instance, Value result) throws ScriptException, StoppedException {
        if (!result.hasMembers() || result.isString() || result.canExecute()) {
            log.error("failed to handle the end-of-test summary: handleSummary() should return a map with string keys");
            return;
        }
        List<String> problems = new ArrayList<>();
        for (String target : result.getMemberKeys()) {
            Value content = result.getMember(target);
            Optional<byte[]> bytes = content.isString()
                    ? Optional.of(content.asString().getBytes(StandardCharsets.UTF_8))
                    : instance.bytes(content);
            if (bytes.isEmpty()) {
                log.error("failed to handle the end-of-test summary: error handling summary object " + target
                        + ": invalid type, it needs to be a string or ArrayBuffer");
                return;
            }
            try {
                save(target, bytes.get());
            } catch (IOException e) {
                problems.add("could not open '" + target + "': " + e.getMessage());
            }
        }
        if (!problems.isEmpty()) {
            log.error("failed to handle the end-of-test summary: Could not save some summary information: "
                    + String.join("; ", problems));
        }
    }

    private void save(String target, byte[] content) throws IOException {
        switch (target) {
            case "stdout" -> {
                out.write(content);
                out.flush();
            }
            case "stderr" -> {
                err.write(content);
                err.flush();
            }
            default -> {
                try (OutputStream file = Files.newOutputStream(Path.of(target))) {
                    file.write(content);
                }
            }
        }
    }
}
