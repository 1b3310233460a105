package dev.sekisho.idp.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Processes that a test starts, and ends. */
final class Processes {
    private static final boolean ROOT = "root".equals(System.getProperty("user.name"));
    private static final String UNPRIVILEGED = "nobody";

    private Processes() {}

    /** A temporary directory that the services can write to, removed when the JVM ends. */
    static Path directory(String prefix) {
        try {
            var directory = Files.createTempDirectory(prefix);
            if (ROOT) {
                run(List.of("chown", UNPRIVILEGED, directory.toString()), directory, false);
            }
            atExit(() -> run(List.of("rm", "-rf", directory.toString()), Path.of("/"), false));
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Makes a file readable for the services only. */
    static void hand(Path file) {
        if (ROOT) {
            run(List.of("chown", UNPRIVILEGED, file.toString()), Path.of("/"), false);
        }
    }

    /** Runs a command to its end. */
    static void run(List<String> command, Path directory, boolean unprivileged) {
        try {
            var process = new ProcessBuilder(unprivileged ? unprivileged(command) : command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .start();
            var output = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(command.getFirst() + " failed: " + output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Starts a service, which is ended with the JVM at the latest; see {@link #log}. */
    static Process start(List<String> command, Path directory) {
        try {
            var process = new ProcessBuilder(unprivileged(command))
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(
                            ProcessBuilder.Redirect.appendTo(log(directory).toFile()))
                    .start();
            atExit(() -> stop(process));
            return process;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where the output of what was started in a directory goes. It outlives the directory, until the next clean build. */
    static Path log(Path directory) {
        return Path.of("target", directory.getFileName() + ".log").toAbsolutePath();
    }

    static void stop(Process process) {
        process.destroy();
        try {
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static int freePort() {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> unprivileged(List<String> command) {
        if (!ROOT) {
            return command;
        }
        var all = new ArrayList<>(List.of("setpriv", "--reuid", UNPRIVILEGED, "--regid", "nogroup", "--clear-groups"));
        all.addAll(command);
        return all;
    }

    /** What is registered last runs first, as services must end before their directories go. */
    private static void atExit(Runnable action) {
        EXITS.addFirst(action);
    }

    private static final java.util.concurrent.ConcurrentLinkedDeque<Runnable> EXITS =
            new java.util.concurrent.ConcurrentLinkedDeque<>();

    static {
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(() -> EXITS.forEach(Runnable::run)));
    }
}
