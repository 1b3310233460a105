package dev.sekisho.e2e.load;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** What came of a load, by the changes that were made meanwhile. */
final class Figures {
    private static final JsonMapper JSON = new JsonMapper();
    /** Failures that the file tells of, for each change. */
    private static final int SHOWN = 10;

    /** The time of each answer in microseconds, by the change it was given under. */
    private static final class Stretch {
        final String change;
        final long start;
        long[] micros = new long[1024];
        int answered;
        int failed;

        Stretch(String change, long start) {
            this.change = change;
            this.start = start;
        }
    }

    private final String name;
    private final int perSecond;
    private final long start = System.nanoTime();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong opened = new AtomicLong();
    private final AtomicLong announced = new AtomicLong();
    private final AtomicLong endedIdle = new AtomicLong();
    private final List<Failure> failures = new ArrayList<>();
    private final List<Stretch> stretches = new ArrayList<>(List.of(new Stretch("before any change", start)));

    Figures(String name, int perSecond) {
        this.name = name;
        this.perSecond = perSecond;
    }

    void sent() {
        sent.incrementAndGet();
    }

    void opened() {
        opened.incrementAndGet();
    }

    /** The peer said that an answer was the last one of its connection. */
    void announced() {
        announced.incrementAndGet();
    }

    /** The peer ended a connection on which nothing was under way. */
    void endedIdle() {
        endedIdle.incrementAndGet();
    }

    synchronized void change(String what) {
        stretches.add(new Stretch(what, System.nanoTime()));
    }

    synchronized void answered(long due) {
        var now = stretches.getLast();
        if (now.answered == now.micros.length) {
            now.micros = Arrays.copyOf(now.micros, now.answered * 2);
        }
        now.micros[now.answered++] = (System.nanoTime() - due) / 1_000;
    }

    synchronized void failed(long due, Duration age, String cause) {
        var now = stretches.getLast();
        now.failed++;
        failures.add(new Failure(now.change, Duration.ofNanos(due - start), age, cause));
    }

    synchronized List<Failure> failures() {
        return List.copyOf(failures);
    }

    long requests() {
        return sent.get();
    }

    /** Writes {@code NAME.json}. Times are in milliseconds. */
    synchronized void write(Path folder) {
        var all = new LinkedHashMap<String, Object>();
        all.put("name", name);
        all.put("requestsPerSecond", perSecond);
        all.put("seconds", (System.nanoTime() - start) / 1e9);
        all.put("requests", sent.get());
        all.put("failed", failures.size());
        all.put("connectionsOpened", opened.get());
        all.put("endsAnnounced", announced.get());
        all.put("endsNoticedIdle", endedIdle.get());
        all.put("changes", stretches.stream().map(this::of).toList());
        try {
            Files.createDirectories(folder);
            JSON.writerWithDefaultPrettyPrinter()
                    .writeValue(folder.resolve(name + ".json").toFile(), all);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Map<String, Object> of(Stretch stretch) {
        var sorted = Arrays.copyOf(stretch.micros, stretch.answered);
        Arrays.sort(sorted);
        var one = new LinkedHashMap<String, Object>();
        one.put("change", stretch.change);
        one.put("atSecond", (stretch.start - start) / 1e9);
        one.put("answered", stretch.answered);
        one.put("failed", stretch.failed);
        one.put(
                "failures",
                failures.stream()
                        .filter(f -> f.during().equals(stretch.change))
                        .limit(SHOWN)
                        .map(f -> "at %d ms, connection of %d ms: %s"
                                .formatted(f.at().toMillis(), f.age().toMillis(), f.cause()))
                        .toList());
        for (double part : new double[] {0.5, 0.99, 1}) {
            one.put(
                    part == 1 ? "max" : "p" + (int) (part * 100),
                    sorted.length == 0 ? 0 : sorted[(int) Math.ceil(part * sorted.length) - 1] / 1e3);
        }
        return one;
    }
}
