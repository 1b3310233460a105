package dev.sekisho.idp.http;

import io.helidon.webserver.CloseConnectionException;
import java.util.concurrent.atomic.AtomicReference;

/** The other end of a connection, and what it is waited for. */
final class Peer {
    /** What a connection is about. */
    enum Phase {
        /** Waiting for the first request. */
        FIRST,
        /** Waiting for another request. */
        IDLE,
        /** Waiting for a body. */
        BODY,
        /** Waiting for the rest of a body that nobody needs. */
        UNREAD,
        /** Waiting until the answer is taken. */
        ANSWER,
        /** Not waiting for the peer. */
        WORK,
        /** Given up. */
        ENDED;

        /** Whether there is no request under way. */
        boolean isSilent() {
            return this == FIRST || this == IDLE;
        }
    }

    private record State(Phase phase, long since, long until) {}

    private final Thread thread;
    private final Patience patience;
    private final AtomicReference<State> state;

    Peer(Thread thread, Patience patience) {
        this.thread = thread;
        this.patience = patience;
        this.state = new AtomicReference<>(state(Phase.FIRST));
    }

    private State state(Phase phase) {
        long now = System.nanoTime();
        return new State(
                phase,
                now,
                switch (phase) {
                    case FIRST -> now + patience.first().toNanos();
                    case IDLE -> now + patience.idle().toNanos();
                    case BODY -> now + patience.body().toNanos();
                    case UNREAD -> now + patience.unread().toNanos();
                    case ANSWER -> now + patience.answer().toNanos();
                    case WORK, ENDED -> now;
                });
    }

    Thread thread() {
        return thread;
    }

    Phase phase() {
        return state.get().phase();
    }

    /** When the phase began, as {@link System#nanoTime()} tells it. */
    long since() {
        return state.get().since();
    }

    boolean readsUnread() {
        return patience.unread().isPositive();
    }

    /**
     * A new phase begins; only the connection's thread says so.
     *
     * @throws CloseConnectionException when the connection was given up meanwhile
     */
    void enter(Phase phase) {
        var next = state(phase);
        if (state.getAndUpdate(s -> s.phase() == Phase.ENDED ? s : next).phase() == Phase.ENDED) {
            throw new CloseConnectionException("the peer took too long");
        }
    }

    /** Gives the connection up, unless a request is under way. */
    void endIfSilent() {
        var current = state.get();
        if (current.phase().isSilent()) {
            end(current);
        }
    }

    void endIfLate(long now) {
        var current = state.get();
        if (current.phase() != Phase.WORK && now - current.until() > 0) {
            end(current);
        }
    }

    /** Unless it went on meanwhile. The interrupt closes the socket. */
    private void end(State seen) {
        if (seen.phase() != Phase.ENDED
                && state.compareAndSet(seen, new State(Phase.ENDED, seen.since(), seen.until()))) {
            thread.interrupt();
        }
    }
}
