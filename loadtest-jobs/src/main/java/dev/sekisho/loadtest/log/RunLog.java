package dev.sekisho.loadtest.log;

import java.io.PrintStream;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;

/**
 * Lines in k6's form on standard error: {@code time="…" level=info msg="…" source=console}. Thread-safe.
 *
 * <p>Beyond 100 lines a second it only counts them: a target that is down would fill the node's disk.
 */
public final class RunLog {
    private static final int LINES_PER_SECOND = 100;

    private final PrintStream out;
    private long second;
    private int lines;
    private long suppressed;

    public RunLog(PrintStream out) {
        this.out = out;
    }

    public void info(String message) {
        write("info", message, "");
    }

    public void warn(String message) {
        write("warning", message, "");
    }

    public void error(String message) {
        write("error", message, "");
    }

    /** A line of the script's console. */
    public void console(String level, String message) {
        if (!level.equals("debug")) {
            write(level, message, " source=console");
        }
    }

    /** Says how many lines were left out, if any. */
    public synchronized void close() {
        reportSuppressed();
        out.flush();
    }

    private synchronized void write(String level, String message, String suffix) {
        long now = System.nanoTime() / 1_000_000_000;
        if (now != second) {
            second = now;
            lines = 0;
            reportSuppressed();
        }
        if (++lines > LINES_PER_SECOND) {
            suppressed++;
            return;
        }
        print(level, message, suffix);
    }

    private void reportSuppressed() {
        if (suppressed > 0) {
            print("warning", suppressed + " more lines were left out: there were too many in a second", "");
            suppressed = 0;
        }
    }

    private void print(String level, String message, String suffix) {
        String time = DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(
                OffsetDateTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.SECONDS));
        out.println("time=\"" + time + "\" level=" + level + " msg=\"" + escape(message) + "\"" + suffix);
    }

    private static String escape(String message) {
        return message.replace("\\", "\\\\")
                .replace("\"", "\\\"")
                .replace("\n", "\\n")
                .replace("\r", "\\r")
                .replace("\t", "\\t");
    }
}
