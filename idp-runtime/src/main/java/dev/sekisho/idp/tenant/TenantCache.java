package dev.sekisho.idp.tenant;

import dev.sekisho.api.v1alpha1.TenantIds;
import dev.sekisho.idp.keys.KeyUnusableException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tenants that a replica serves, in memory.
 *
 * <p>A tenant is loaded when it is first asked for, once however many ask. It stays until a message says that it
 * changed. While no messages arrive, a snapshot older than {@link Ages#silent} is checked against the database before it
 * is used; when the database is away too, the snapshot goes on serving. Tenants that do not exist are remembered for
 * {@link Ages#unknown}.
 *
 * <p>Half of the database's connections load tenants and a quarter check snapshots, so that neither a flood of unknown
 * names nor a doubt about everything keeps the others, and those who declare tenants, from theirs.
 */
public final class TenantCache implements Invalidations.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(TenantCache.class);
    private static final int MOST_UNKNOWN = 10_000;

    /**
     * How long things are believed.
     *
     * @param silent a snapshot, while no message arrives
     * @param heard a snapshot, while messages arrive; it is then checked without making anybody wait
     * @param unknown that a tenant does not exist
     * @param patience how long a check may take before requests are served what is there
     * @param turn how long a load or a check waits for its turn
     * @param load how long a request waits for a tenant that is not in memory
     * @param respite after the database failed, how long known tenants are served without asking it
     */
    public record Ages(
            Duration silent,
            Duration heard,
            Duration unknown,
            Duration patience,
            Duration turn,
            Duration load,
            Duration respite) {
        public static final Ages DEFAULT = new Ages(
                // With the check after it, a change is noticed within 5 seconds, as is promised.
                Duration.ofSeconds(4),
                Duration.ofSeconds(60),
                Duration.ofSeconds(1),
                Duration.ofMillis(500),
                Duration.ofMillis(500),
                Duration.ofSeconds(4),
                Duration.ofSeconds(2));
    }

    private final TenantStore store;
    private final Function<Versioned, Tenant> snapshots;
    private final Ages ages;
    private final LongSupplier nanoTime;
    private final BoundedMap<Entry> tenants;
    private final BoundedMap<Long> unknown;
    private final Turns loadTurns;
    private final Turns checkTurns;
    private final ConcurrentHashMap<UUID, Load> loads = new ConcurrentHashMap<>();
    private final AtomicLong doubts = new AtomicLong();
    private volatile long lastInTouch;
    private volatile long lastFailure;

    /** A snapshot, and when the database last said that it is right. */
    private static final class Entry {
        private final Tenant tenant;
        private volatile long checkedAt;
        private volatile long checkedInDoubt;

        Entry(Tenant tenant, long checkedAt, long checkedInDoubt) {
            this.tenant = tenant;
            this.checkedAt = checkedAt;
            this.checkedInDoubt = checkedInDoubt;
        }
    }

    /** A look into the database that is under way. */
    private static final class Load {
        private final long startedAt;
        private final CompletableFuture<Optional<Entry>> result = new CompletableFuture<>();

        Load(long startedAt) {
            this.startedAt = startedAt;
        }
    }

    /**
     * An empty cache.
     *
     * @param capacity tenants at most
     * @param connections of the store
     */
    public TenantCache(
            TenantStore store,
            Function<Versioned, Tenant> snapshots,
            int capacity,
            int connections,
            Ages ages,
            LongSupplier nanoTime) {
        this.store = store;
        this.snapshots = snapshots;
        this.ages = ages;
        this.nanoTime = nanoTime;
        this.tenants = new BoundedMap<>(capacity);
        this.unknown = new BoundedMap<>(Math.min(capacity, MOST_UNKNOWN));
        this.loadTurns = new Turns(Math.max(1, connections / 2), ages.turn());
        this.checkTurns = new Turns(Math.max(1, connections / 4), ages.turn());
        long now = nanoTime.getAsLong();
        this.lastInTouch = now - ages.silent().toNanos();
        this.lastFailure = now - ages.respite().toNanos();
    }

    /**
     * The tenant that a path segment names.
     *
     * @throws StoreUnavailableException when it is not in memory and the database is away, or busy
     */
    public Optional<Tenant> find(String segment) {
        if (!TenantIds.isValid(segment)) {
            return Optional.empty();
        }
        var key = TenantIds.key(segment);
        var entry = tenants.get(key);
        if (entry == null) {
            var missedAt = unknown.get(key);
            if (missedAt != null
                    && nanoTime.getAsLong() - missedAt <= ages.unknown().toNanos()) {
                return Optional.empty();
            }
            if (nanoTime.getAsLong() - lastFailure < ages.respite().toNanos() / 4) {
                // Otherwise those who wait for the database would take the place of those who need not.
                throw new StoreUnavailableException("the database was away a moment ago");
            }
            return await(load(key, null)).map(e -> e.tenant).filter(t -> t.isNamed(segment));
        }
        return believed(key, entry).filter(t -> t.isNamed(segment));
    }

    /** Whether messages arrive, so that snapshots need no check. */
    public boolean isInTouch() {
        return nanoTime.getAsLong() - lastInTouch < ages.silent().toNanos();
    }

    /** How many tenants are in memory. */
    public int size() {
        return tenants.size();
    }

    private Optional<Tenant> believed(UUID key, Entry entry) {
        long now = nanoTime.getAsLong();
        boolean inDoubt = entry.checkedInDoubt != doubts.get();
        long believedAt = inDoubt ? entry.checkedAt : Math.max(entry.checkedAt, lastInTouch);
        if (inDoubt || now - believedAt > ages.silent().toNanos()) {
            return now - lastFailure < ages.respite().toNanos() ? Optional.of(entry.tenant) : check(key, entry);
        }
        if (now - entry.checkedAt > ages.heard().toNanos()) {
            // In case a message went astray. Nobody waits for this.
            var unused = load(key, entry);
        }
        return Optional.of(entry.tenant);
    }

    private Optional<Tenant> check(UUID key, Entry entry) {
        var load = load(key, entry);
        // Who comes later waits for the rest only: a database that does not answer delays the first requests, not all.
        long rest = load.startedAt + ages.patience().toNanos() - nanoTime.getAsLong();
        try {
            return load.result.get(Math.max(0, rest), TimeUnit.NANOSECONDS).map(e -> e.tenant);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException | ExecutionException e) {
            LOG.debug("Tenant {} is served unchecked: {}", key, e.toString());
        }
        return Optional.of(entry.tenant);
    }

    private Optional<Entry> await(Load load) {
        try {
            return load.result.get(ages.load().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new StoreBusyException("the tenant is still being loaded", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreBusyException("interrupted", e);
        } catch (ExecutionException e) {
            var cause = e.getCause();
            if (cause instanceof StoreUnavailableException || cause instanceof KeyUnusableException) {
                throw new StoreUnavailableException("the tenant cannot be loaded: " + cause.getMessage(), cause);
            }
            throw new IllegalStateException("a tenant could not be loaded", cause);
        }
    }

    private Load load(UUID key, @Nullable Entry known) {
        var running = loads.get(key);
        if (running != null) {
            return running;
        }
        var load = new Load(nanoTime.getAsLong());
        var other = loads.putIfAbsent(key, load);
        if (other != null) {
            return other;
        }
        // A thread of its own: the one that asks may be interrupted, and others wait for the result too.
        Thread.ofVirtual().name("load-tenant").start(() -> run(key, known, load));
        return load;
    }

    private void run(UUID key, @Nullable Entry known, Load load) {
        long now = nanoTime.getAsLong();
        try {
            var found = known == null
                    ? loadTurns.take(() -> read(key, now))
                    : checkTurns.take(() -> check(key, known, now));
            lastFailure = now - ages.respite().toNanos();
            finish(key, load, found, now);
            load.result.complete(found);
        } catch (StoreBusyException e) {
            fail(key, load, e);
        } catch (StoreUnavailableException e) {
            lastFailure = nanoTime.getAsLong();
            fail(key, load, e);
        } catch (Throwable e) {
            fail(key, load, e);
        }
    }

    private Optional<Entry> check(UUID key, Entry known, long now) {
        long inDoubt = doubts.get();
        var version = store.version(key);
        if (version.isEmpty() || !version.get().isSameAs(known.tenant.version())) {
            return read(key, now);
        }
        known.checkedAt = now;
        known.checkedInDoubt = inDoubt;
        return Optional.of(known);
    }

    private Optional<Entry> read(UUID key, long now) {
        long inDoubt = doubts.get();
        return store.load(key).filter(Tenant::served).map(stored -> new Entry(snapshots.apply(stored), now, inDoubt));
    }

    private void fail(UUID key, Load load, Throwable e) {
        loads.remove(key, load);
        LOG.warn("Tenant {} cannot be loaded: {}", key, e.toString());
        load.result.completeExceptionally(e);
    }

    private void finish(UUID key, Load load, Optional<Entry> found, long now) {
        loads.compute(key, (_, running) -> {
            if (running != load) {
                // It was overtaken, and another load may be running: what this one found is for those who wait only.
                return running;
            }
            if (found.isPresent()) {
                if (tenants.get(key) != found.get()) {
                    tenants.put(key, found.get());
                }
                unknown.remove(key);
            } else {
                tenants.remove(key);
                unknown.put(key, now);
            }
            return null;
        });
    }

    @Override
    public void changed(UUID key, TenantVersion version) {
        loads.compute(key, (_, running) -> {
            var entry = tenants.get(key);
            if (entry != null && !entry.tenant.version().isSameAs(version)) {
                tenants.remove(key);
            }
            unknown.remove(key);
            return null;
        });
    }

    @Override
    public void doubt() {
        doubts.incrementAndGet();
    }

    @Override
    public void inTouch() {
        lastInTouch = nanoTime.getAsLong();
    }
}
