package dev.sekisho.loadtest.http;

import java.time.Duration;

/** Until when a request may take, redirects included. */
record Deadline(long nanoTime) {
    static Deadline in(Duration timeout) {
        return new Deadline(System.nanoTime() + timeout.toNanos());
    }

    /** Milliseconds that are left, at least 1 and at most some days. */
    int remainingMillis() throws RequestException {
        long left = nanoTime - System.nanoTime();
        if (left <= 0) {
            throw RequestException.timeout();
        }
        return Math.clamp(left / 1_000_000 + 1, 1, 1_000_000_000);
    }
}
