package dev.sekisho.idp.tenant;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Lets so many do something at once, and a few more wait a while for their turn. */
final class Turns {
    private static final int WAITING_PER_TURN = 16;

    private final Semaphore free;
    private final int mostWaiting;
    private final Duration wait;

    Turns(int atOnce, Duration wait) {
        this.free = new Semaphore(atOnce, true);
        this.mostWaiting = WAITING_PER_TURN * atOnce;
        this.wait = wait;
    }

    /**
     * Does it when it is its turn.
     *
     * @throws StoreBusyException when that does not come in time, or too many wait already
     */
    <T> T take(Supplier<T> work) {
        if (!acquire()) {
            throw new StoreBusyException("too many tenants are being loaded");
        }
        try {
            return work.get();
        } finally {
            free.release();
        }
    }

    private boolean acquire() {
        try {
            return free.getQueueLength() < mostWaiting && free.tryAcquire(wait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
