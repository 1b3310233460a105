package dev.sekisho.idp.store.redis;

import dev.sekisho.idp.oauth.OAuthError;
import dev.sekisho.idp.oauth.OAuthException;
import dev.sekisho.idp.oauth.UsedAssertions;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;

/**
 * Used client assertions in Redis: one {@code SET … NX PX} for each.
 *
 * <p>Key: {@code sekisho:{<bucket>}:jti:<tenant>:<hash of client and jti>}. The bucket, one of 1,024, spreads a busy
 * tenant over a Redis Cluster. The value tells a command that was sent again after its answer was lost from a second use.
 */
public final class RedisUsedAssertions implements UsedAssertions {
    /** So much longer than it is valid an assertion is remembered: clocks of replicas differ. */
    private static final Duration MARGIN = Duration.ofMinutes(1);

    private static final int BUCKETS = 1024;

    /** So many may wait for Redis at once. When it hangs, those who do not need it must not lack threads and memory. */
    private static final int WAITING = 256;

    private final RedissonClient redis;
    private final Clock clock;
    private final Semaphore waiting = new Semaphore(WAITING);

    public RedisUsedAssertions(RedissonClient redis, Clock clock) {
        this.redis = redis;
        this.clock = clock;
    }

    @Override
    public boolean use(UUID tenant, String clientId, String jti, Instant until) {
        var lifetime = Duration.between(clock.instant(), until).plus(MARGIN);
        if (!lifetime.isPositive()) {
            return false;
        }
        if (!waiting.tryAcquire()) {
            throw unavailable();
        }
        try {
            var use = redis.<String>getBucket(key(tenant, clientId, jti), StringCodec.INSTANCE);
            var mine = UUID.randomUUID().toString();
            return use.setIfAbsent(mine, lifetime) || mine.equals(use.get());
        } catch (RuntimeException e) {
            // Redisson's, of many kinds. Whether Redis is away is logged where its messages are.
            throw unavailable();
        } finally {
            waiting.release();
        }
    }

    private static OAuthException unavailable() {
        return new OAuthException(
                OAuthError.TEMPORARILY_UNAVAILABLE, "Whether the client assertion was used cannot be known now.");
    }

    /** The NUL keeps apart what ends and begins alike: no client id holds one. */
    static String key(UUID tenant, String clientId, String jti) {
        var hash = sha256(clientId + "\0" + jti);
        int bucket = ((tenant.hashCode() ^ ((hash[0] << 8) | (hash[1] & 0xff))) & Integer.MAX_VALUE) % BUCKETS;
        return "sekisho:{" + HexFormat.of().toHexDigits(bucket, 3) + "}:jti:" + tenant + ":"
                + Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }
}
