package dev.sekisho.loadtest;

import dev.sekisho.loadtest.config.CommandLine;
import dev.sekisho.loadtest.config.UsageException;
import dev.sekisho.loadtest.log.RunLog;
import dev.sekisho.loadtest.runner.ExitCode;
import dev.sekisho.loadtest.runner.TestRun;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The command {@code run [flags] script.js}, with k6's flags, environment and exit codes. */
public final class Main {
    private static final long SUMMARY_AFTER_SIGNAL_SECONDS = 120;

    private Main() {}

    /** Runs a script and exits. */
    public static void main(String[] arguments) throws InterruptedException {
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        ExitCode exitCode = run(List.of(arguments), System.getenv(), out, err);
        System.exit(exitCode.code());
    }

    private static ExitCode run(
            List<String> arguments, Map<String, String> environment, PrintStream out, PrintStream err)
            throws InterruptedException {
        CommandLine commandLine;
        try {
            commandLine = CommandLine.parse(arguments);
        } catch (UsageException e) {
            new RunLog(err).error(String.valueOf(e.getMessage()));
            return ExitCode.USAGE;
        }
        TestRun run = new TestRun(commandLine, environment, out, err);
        CountDownLatch done = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> endOnSignal(run, done), "signal"));
        try {
            return run.execute();
        } finally {
            done.countDown();
        }
    }

    /** The JVM runs this on SIGTERM and SIGINT, and also as it exits by itself: then there is nothing to do. */
    private static void endOnSignal(TestRun run, CountDownLatch done) {
        if (done.getCount() == 0) {
            return;
        }
        run.interrupt();
        try {
            done.await(SUMMARY_AFTER_SIGNAL_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(ExitCode.SIGNAL.code());
    }
}
