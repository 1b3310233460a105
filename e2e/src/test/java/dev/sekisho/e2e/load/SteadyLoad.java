package dev.sekisho.e2e.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sekisho.e2e.load.Connection.NothingSent;
import dev.sekisho.e2e.load.Connection.Reply;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Token requests at a fixed rate, after ten seconds of getting there, over connections that stay open, until it is
 * closed. Requests are sent when they are due,
 * whether or not earlier ones have been answered, and none is ever sent twice: one that cannot be sent, is cut, is not
 * answered in time or not with a token has failed. Only a connection whose end was noticed before anything was sent on it is
 * replaced; that is no retry, for there was no request.
 */
public final class SteadyLoad implements AutoCloseable {
    private static final JsonMapper JSON = new JsonMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int MAX_CONNECTIONS = 1024;
    private static final int AT_START = 32;
    /** A new connection costs a handshake; one that rests for more than a second or two may meet the end of its peer. */
    private static final int AT_REST = 256;
    /** A young JVM gets its requests bit by bit. */
    private static final int RAMP_SECONDS = 10;

    private final Target target;
    private final Figures figures;
    private final Duration maximum;
    private final Semaphore places = new Semaphore(MAX_CONNECTIONS);
    /** First in, first out: none is left alone for long. */
    private final ArrayBlockingQueue<Connection> idle = new ArrayBlockingQueue<>(AT_REST);

    private final Thread clock;
    private volatile boolean stopped;
    private volatile long changedAt = System.nanoTime();

    private SteadyLoad(String name, Target target, int perSecond, Duration maximum) {
        this.target = target;
        this.maximum = maximum;
        this.figures = new Figures(name, perSecond);
        this.clock = Thread.ofPlatform().daemon().name("load").unstarted(() -> run(perSecond));
    }

    /**
     * Begins.
     *
     * @param name of the file with the figures
     * @param perSecond 1 to 2000 requests
     * @param maximum after this it ends by itself, which is a failure
     */
    public static SteadyLoad start(String name, Target target, int perSecond, Duration maximum) {
        if (perSecond < 1 || perSecond > 2000) {
            throw new IllegalArgumentException("1 to 2000 requests a second, not " + perSecond);
        }
        var load = new SteadyLoad(name, target, perSecond, maximum);
        for (int i = 0; i < AT_START; i++) {
            try {
                load.idle.add(load.open());
            } catch (IOException e) {
                load.idle.forEach(Connection::close);
                throw new IllegalStateException("the load cannot begin: " + e, e);
            }
        }
        load.clock.start();
        return load;
    }

    private void run(int perSecond) {
        long start = System.nanoTime();
        long second = TimeUnit.SECONDS.toNanos(1);
        long interval = second / perSecond;
        for (long due = start; !stopped; due += interval * Math.max(1, RAMP_SECONDS - (due - start) / second)) {
            if (due - start > maximum.toNanos()) {
                figures.failed(due, Duration.ZERO, "the load ended by itself after " + maximum);
                return;
            }
            for (long left = due - System.nanoTime(); left > 0 && !stopped; left = due - System.nanoTime()) {
                LockSupport.parkNanos(left);
            }
            long at = due;
            Thread.ofVirtual().name("request").start(() -> request(at));
        }
    }

    private void request(long due) {
        figures.sent();
        if (!places.tryAcquire()) {
            figures.failed(due, Duration.ZERO, "all " + MAX_CONNECTIONS + " connections wait for answers");
            return;
        }
        try {
            send(due);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            places.release();
        }
    }

    private void send(long due) throws InterruptedException {
        Connection connection;
        try {
            connection = take();
        } catch (IOException | RuntimeException e) {
            figures.failed(due, Duration.ZERO, "no connection: " + e);
            return;
        }
        Reply reply;
        try {
            reply = connection.ask(target.request(), PATIENCE);
        } catch (NothingSent e) {
            figures.endedIdle();
            connection.close();
            send(due);
            return;
        } catch (IOException e) {
            figures.failed(due, connection.age(), String.valueOf(e.getMessage()));
            connection.close();
            return;
        }
        if (reply.status() == 200 && hasToken(reply.body())) {
            figures.answered(due);
        } else {
            figures.failed(due, connection.age(), "answered " + reply.status() + " " + start(reply.body()));
        }
        if (reply.last()) {
            figures.announced();
            connection.close();
        } else if (!idle.offer(connection)) {
            connection.close();
        }
    }

    private Connection take() throws IOException {
        for (var next = idle.poll(); next != null; next = idle.poll()) {
            if (!next.isOver()) {
                return next;
            }
            figures.endedIdle();
            next.close();
        }
        return open();
    }

    private Connection open() throws IOException {
        var connection = new Connection(target);
        figures.opened();
        return connection;
    }

    private static boolean hasToken(String body) {
        try {
            return JSON.readTree(body).path("access_token").asText().split("\\.", -1).length == 3;
        } catch (JsonProcessingException e) {
            return false;
        }
    }

    private static String start(String body) {
        return body.length() <= 200 ? body : body.substring(0, 200);
    }

    /** Notes that something is being changed now; what fails from here on is told under this name. */
    public void change(String what) {
        figures.change(what);
        changedAt = System.nanoTime();
    }

    /** Goes on until there has been no {@linkplain #change(String) change} for so long. */
    public void awaitQuiet(Duration calm) throws InterruptedException {
        for (long left = left(calm); left > 0 && clock.isAlive(); left = left(calm)) {
            clock.join(Duration.ofNanos(left));
        }
    }

    private long left(Duration calm) {
        return calm.toNanos() - (System.nanoTime() - changedAt);
    }

    /** Waits until hardly a request has waited for its answer for three seconds: what just started has got warm. */
    public void awaitCalm(Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        for (int calm = 0; calm < 30 && System.nanoTime() < end; calm++) {
            clock.join(Duration.ofMillis(100));
            if (MAX_CONNECTIONS - places.availablePermits() > 8) {
                calm = 0;
            }
        }
    }

    /** What has failed so far, oldest first. */
    public List<Failure> failures() {
        return figures.failures();
    }

    /** Requests that were sent, or should have been. */
    public long requests() {
        return figures.requests();
    }

    /** Ends, waits for the answers that are due, and writes the figures to {@code target/e2e-figures}. */
    @Override
    public void close() {
        stopped = true;
        boolean interrupted = false;
        try {
            clock.join(PATIENCE);
            if (places.tryAcquire(MAX_CONNECTIONS, PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                places.release(MAX_CONNECTIONS);
            }
        } catch (InterruptedException e) {
            interrupted = true;
        }
        idle.forEach(Connection::close);
        figures.write(Path.of("target", "e2e-figures"));
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
