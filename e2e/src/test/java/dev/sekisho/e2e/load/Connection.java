package dev.sekisho.e2e.load;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One HTTP/1.1 connection, for one request at a time. A reader of its own waits for what the peer says at all times, so
 * that the peer's end is noticed when it comes, not when the next request is sent.
 */
final class Connection implements AutoCloseable {
    private static final int MAX_LINE = 8_192;
    private static final int MAX_BODY = 1 << 20;

    private final Socket socket;
    private final long openedAt = System.nanoTime();
    private final AtomicReference<@Nullable CompletableFuture<Reply>> waiting = new AtomicReference<>();
    private volatile boolean over;

    /**
     * An answer.
     *
     * @param last whether the peer said that it is the last one on this connection
     */
    record Reply(int status, boolean last, String body) {}

    Connection(Target target) throws IOException {
        socket = target.connect();
        Thread.ofVirtual().name("reader").start(this::read);
    }

    /** Whether the peer has ended it, or said that it will. */
    boolean isOver() {
        return over;
    }

    Duration age() {
        return Duration.ofNanos(System.nanoTime() - openedAt);
    }

    /** The peer's end was noticed before anything was sent. */
    static final class NothingSent extends IOException {
        private static final long serialVersionUID = 1;
    }

    /**
     * Sends the request once.
     *
     * @throws NothingSent if there was no connection any more
     * @throws IOException if the request was cut, or not answered in time
     */
    Reply ask(String request, Duration limit) throws IOException, InterruptedException {
        var reply = new CompletableFuture<Reply>();
        waiting.set(reply);
        try {
            if (over) {
                throw new NothingSent();
            }
            write(request, reply);
            return reply.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getCause()), e);
        } catch (TimeoutException e) {
            throw new IOException("no answer within " + limit.toSeconds() + " s", e);
        } finally {
            waiting.set(null);
        }
    }

    private void write(String request, CompletableFuture<Reply> reply) throws IOException {
        try {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            // The answer may be there, and the connection's end with it, before the call that sent the request returns.
            if (!reply.isDone()) {
                throw e;
            }
        }
    }

    /** Reads answers until the last one. The socket is closed by its owner, who may still be sending. */
    private void read() {
        try {
            var in = new BufferedInputStream(socket.getInputStream());
            while (!over) {
                var reply = reply(in);
                over = reply.last();
                var asked = waiting.getAndSet(null);
                if (asked == null) {
                    throw new IOException("an answer without a request: " + reply.status());
                }
                asked.complete(reply);
            }
        } catch (IOException | RuntimeException e) {
            over = true;
            var asked = waiting.getAndSet(null);
            if (asked != null) {
                asked.completeExceptionally(e);
            }
        }
    }

    private static Reply reply(InputStream in) throws IOException {
        var status = line(in).split(" ", 3);
        if (status.length < 2 || !status[0].startsWith("HTTP/1.")) {
            throw new IOException("not HTTP: " + String.join(" ", status));
        }
        boolean last = false;
        int length = -1;
        for (var header = line(in); !header.isEmpty(); header = line(in)) {
            var lower = header.toLowerCase(Locale.ROOT).replace(" ", "");
            last |= lower.equals("connection:close");
            if (lower.startsWith("content-length:")) {
                length = Integer.parseInt(lower.substring("content-length:".length()));
            }
        }
        if (length < 0 || length > MAX_BODY) {
            throw new IOException("no length, or a strange one, in an answer of status " + status[1]);
        }
        var body = in.readNBytes(length);
        if (body.length < length) {
            throw new EOFException("cut within the body of an answer");
        }
        return new Reply(Integer.parseInt(status[1]), last, new String(body, StandardCharsets.UTF_8));
    }

    private static String line(InputStream in) throws IOException {
        var text = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException(text.isEmpty() ? "closed without an answer" : "cut within an answer");
            }
            if (text.length() > MAX_LINE) {
                throw new IOException("a line without end");
            }
            text.append((char) c);
        }
        return text.toString().stripTrailing();
    }

    @Override
    public void close() {
        over = true;
        try {
            socket.close();
        } catch (IOException e) {
            // It is closed either way.
        }
    }
}
