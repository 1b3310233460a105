package dev.sekisho.idp.store.redis;

import dev.sekisho.idp.tenant.Invalidations;
import dev.sekisho.idp.tenant.TenantVersion;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RTopic;
import org.redisson.api.RedissonClient;
import org.redisson.api.listener.StatusListener;
import org.redisson.client.codec.StringCodec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Messages about changed tenants over a Redis channel.
 *
 * <p>Every second each replica sends itself a message by the same way: as long as it comes back, nothing sent before it
 * can have been missed. Each (re)connection raises doubt, for what was sent meanwhile is lost. A change that could not
 * be sent is sent again until it can.
 *
 * <p>Message: {@code c <tenant> <version> <revision>} for a change, {@code b <replica>} for a beat.
 */
public final class RedisInvalidations implements Invalidations, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RedisInvalidations.class);
    private static final String CHANNEL = "sekisho:tenants:v1";
    private static final int PENDING = 10_000;

    private final RedissonClient redis;
    private final Listener listener;
    private final String replica = UUID.randomUUID().toString();
    private final Map<UUID, TenantVersion> pending = new LinkedHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final ScheduledExecutorService beats = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("redis-beat").daemon(true).factory());
    private @Nullable RTopic topic;
    private boolean subscribed;
    private boolean reachable = true;

    private RedisInvalidations(RedissonClient redis, Listener listener) {
        this.redis = redis;
        this.listener = listener;
    }

    /** Starts listening. Returns at once, whether Redis is there or not. */
    public static RedisInvalidations start(RedissonClient redis, Listener listener) {
        var invalidations = new RedisInvalidations(redis, listener);
        var unused = invalidations.beats.scheduleWithFixedDelay(invalidations::beat, 0, 1, TimeUnit.SECONDS);
        return invalidations;
    }

    @Override
    public void publish(UUID key, TenantVersion version) {
        lock.lock();
        try {
            if (pending.size() < PENDING) {
                // Which of two is the newer is not known: the threads that made them come here in any order. So it is
                // said that whatever anybody has may be old.
                pending.merge(key, version, (waiting, next) -> waiting.isSameAs(next) ? waiting : unknown(next));
            } else {
                LOG.error("Tenant {} changed, but too many messages wait for Redis; others notice later", key);
            }
        } finally {
            lock.unlock();
        }
        beats.execute(this::flush);
    }

    private static TenantVersion unknown(TenantVersion version) {
        return new TenantVersion(version.number(), TenantVersion.NO_REVISION);
    }

    /** Runs on the one thread of {@code beats}, as does all that talks to Redis. */
    private void beat() {
        try {
            var channel = topic();
            if (!subscribed) {
                channel.addListener(new Subscription());
                channel.addListener(String.class, (_, message) -> heard(message));
                subscribed = true;
            }
            channel.publish("b " + replica);
            reachable = true;
            flush();
        } catch (RuntimeException e) {
            if (reachable && !beats.isShutdown()) {
                LOG.warn("Redis is away; tenants are checked against the database meanwhile: {}", e.toString());
            }
            reachable = false;
        }
    }

    private RTopic topic() {
        var known = topic;
        if (known == null) {
            known = redis.getTopic(CHANNEL, StringCodec.INSTANCE);
            topic = known;
        }
        return known;
    }

    private void flush() {
        for (var next = first(); next.isPresent(); next = first()) {
            var key = next.get().getKey();
            var version = next.get().getValue();
            try {
                topic().publish("c " + key + " " + version.number() + " " + version.revision());
            } catch (RuntimeException e) {
                LOG.debug("A message waits for Redis: {}", e.toString());
                return;
            }
            lock.lock();
            try {
                pending.remove(key, version);
            } finally {
                lock.unlock();
            }
        }
    }

    private Optional<Map.Entry<UUID, TenantVersion>> first() {
        lock.lock();
        try {
            return pending.entrySet().stream().findFirst().map(e -> Map.entry(e.getKey(), e.getValue()));
        } finally {
            lock.unlock();
        }
    }

    private void heard(String message) {
        var words = message.split(" ", -1);
        try {
            if (words.length == 2 && words[0].equals("b")) {
                if (words[1].equals(replica)) {
                    listener.inTouch();
                }
            } else if (words.length == 4 && words[0].equals("c")) {
                listener.changed(
                        UUID.fromString(words[1]),
                        new TenantVersion(Long.parseLong(words[2]), UUID.fromString(words[3])));
            } else {
                listener.doubt();
            }
        } catch (IllegalArgumentException e) {
            // A newer version's message, perhaps: something changed.
            listener.doubt();
        }
    }

    /** Stops listening, after what waits to be sent has been sent, if Redis is there. */
    @Override
    public void close() {
        beats.shutdown();
        try {
            if (!beats.awaitTermination(3, TimeUnit.SECONDS)) {
                beats.shutdownNow();
            }
        } catch (InterruptedException e) {
            beats.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    /** Each subscription, the first and those after a lost connection, follows a time of which nothing was heard. */
    private final class Subscription implements StatusListener {
        @Override
        public void onSubscribe(String channel) {
            listener.doubt();
        }

        @Override
        public void onUnsubscribe(String channel) {
            listener.doubt();
        }
    }
}
