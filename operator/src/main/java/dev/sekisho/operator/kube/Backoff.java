package dev.sekisho.operator.kube;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long to wait before an object is tried again: twice as long after each failure, up to a limit, each wait varied by
 * up to a tenth so that many objects do not come back at once. Failures are counted in memory: after a restart of the
 * operator an object is tried at once.
 */
public final class Backoff {
    private final Clock clock;
    private final Duration first;
    private final Duration limit;
    private final Map<ResourceID, Failures> failures = new ConcurrentHashMap<>();

    private record Failures(int count, Instant since) {}

    /**
     * @param clock the time
     * @param first the wait after the first failure
     * @param limit the longest wait
     */
    public Backoff(Clock clock, Duration first, Duration limit) {
        this.clock = clock;
        this.first = first;
        this.limit = limit;
    }

    /** Notes a failure and says how long to wait. */
    public Duration failed(ResourceID object) {
        var noted = failures.merge(
                object, new Failures(1, clock.instant()), (old, one) -> new Failures(old.count() + 1, old.since()));
        long millis = first.toMillis() << Math.min(noted.count() - 1, 20);
        return jittered(Duration.ofMillis(Math.min(millis, limit.toMillis())));
    }

    /** Forgets an object's failures. */
    public void succeeded(ResourceID object) {
        failures.remove(object);
    }

    /** How often in a row an object failed. */
    public int count(ResourceID object) {
        var noted = failures.get(object);
        return noted == null ? 0 : noted.count();
    }

    /** Since when an object has failed; now, when it has not. */
    public Instant since(ResourceID object) {
        var noted = failures.get(object);
        return noted == null ? clock.instant() : noted.since();
    }

    /** The duration, varied by up to a tenth either way. */
    public static Duration jittered(Duration duration) {
        double factor = 0.9 + 0.2 * ThreadLocalRandom.current().nextDouble();
        return Duration.ofMillis(Math.round(duration.toMillis() * factor));
    }
}
