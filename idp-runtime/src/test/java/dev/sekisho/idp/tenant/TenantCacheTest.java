package dev.sekisho.idp.tenant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.sekisho.api.v1alpha1.TenantIds;
import dev.sekisho.idp.testing.StoredTenants;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class TenantCacheTest {
    private static final TenantCache.Ages AGES = new TenantCache.Ages(
            Duration.ofSeconds(5),
            Duration.ofSeconds(60),
            Duration.ofSeconds(1),
            Duration.ofSeconds(20),
            Duration.ofMillis(50),
            Duration.ofSeconds(20),
            Duration.ofSeconds(2));
    private static final int CONNECTIONS = 8;

    private final AtomicLong now = new AtomicLong(1_000_000);
    private final MemoryStore store = new MemoryStore();
    private final TenantCache cache = cache(AGES);

    private TenantCache cache(TenantCache.Ages ages) {
        return new TenantCache(
                store,
                stored -> new Tenant(stored, "https://idp.example", StoredTenants.KEYS),
                100,
                CONNECTIONS,
                ages,
                now::get);
    }

    /** A store in memory that counts, and that can be slow or away. */
    private static final class MemoryStore implements TenantStore {
        private final Map<UUID, Versioned> rows = new ConcurrentHashMap<>();
        private final AtomicInteger loads = new AtomicInteger();
        private final AtomicInteger versions = new AtomicInteger();
        private final AtomicInteger loading = new AtomicInteger();
        private volatile boolean away;
        private volatile boolean busy;
        private volatile CountDownLatch gate = new CountDownLatch(0);
        private volatile CountDownLatch loadGate = new CountDownLatch(0);

        @Override
        public Optional<Versioned> load(UUID key) {
            loads.incrementAndGet();
            var found = Optional.ofNullable(rows.get(key));
            loading.incrementAndGet();
            try {
                pass(loadGate);
                pass(gate);
            } finally {
                loading.decrementAndGet();
            }
            return found;
        }

        @Override
        public Optional<TenantVersion> version(UUID key) {
            versions.incrementAndGet();
            pass(gate);
            return Optional.ofNullable(rows.get(key)).map(Versioned::version);
        }

        private void pass(CountDownLatch latch) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            if (away) {
                throw new StoreUnavailableException("away", new IllegalStateException("away"));
            }
            if (busy) {
                throw new StoreBusyException("busy");
            }
        }

        @Override
        public Change put(UUID key, Function<Optional<Versioned>, TenantRecord> desired) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean delete(UUID key, Consumer<Versioned> check) {
            throw new UnsupportedOperationException();
        }
    }

    private static final Map<String, TenantRecord> RECORDS = new HashMap<>();

    private TenantVersion store(String id, long number, TenantRecord.State state) {
        var key = TenantIds.key(id);
        var record = RECORDS.computeIfAbsent(id, _ -> StoredTenants.record(key, id));
        var settings = record.settings();
        var version = new TenantVersion(number, UUID.randomUUID());
        store.rows.put(
                key,
                new Versioned(
                        new TenantRecord(
                                new TenantRecord.Settings(
                                        key,
                                        id,
                                        settings.owner(),
                                        "",
                                        state,
                                        settings.accessTokenLifetime(),
                                        settings.signingAlgorithm()),
                                record.clients(),
                                record.keys()),
                        version));
        return version;
    }

    private TenantVersion store(String id, long number) {
        return store(id, number, TenantRecord.State.ACTIVE);
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    private long version(String id) {
        return cache.find(id).orElseThrow().version().number();
    }

    @Test
    void aTenantIsLoadedOnce() {
        store("a", 1);
        for (int i = 0; i < 10; i++) {
            assertThat(version("a")).isEqualTo(1);
        }
        assertThat(store.loads).hasValue(1);
        assertThat(store.versions).hasValue(0);
    }

    @Test
    void manyWhoAskAtOnceLoadOnce() throws Exception {
        store("a", 1);
        store.gate = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var asks = IntStream.range(0, 50)
                    .<Future<Boolean>>mapToObj(
                            _ -> threads.submit(() -> cache.find("a").isPresent()))
                    .toList();
            store.gate.countDown();
            for (var ask : asks) {
                assertThat(ask.get()).isTrue();
            }
        }
        assertThat(store.loads).hasValue(1);
    }

    @Test
    void aTenantThatIsNoneIsRememberedShortly() {
        assertThat(cache.find("none")).isEmpty();
        assertThat(cache.find("none")).isEmpty();
        assertThat(store.loads).hasValue(1);
        pass(Duration.ofMillis(1100));
        store("none", 1);
        assertThat(version("none")).isEqualTo(1);
    }

    @Test
    void textsThatAreNoTenantIdsAskNobody() {
        for (var text : new String[] {"", "A", "a.b", "a/b", "-a", "%61", "a".repeat(64)}) {
            assertThat(cache.find(text)).isEmpty();
        }
        assertThat(store.loads).hasValue(0);
    }

    @Test
    void aMessageMakesTheNextOneLoad() {
        store("a", 1);
        assertThat(version("a")).isEqualTo(1);
        var key = TenantIds.key("a");
        var second = store("a", 2);
        cache.changed(key, second);
        assertThat(version("a")).isEqualTo(2);
        cache.changed(key, second);
        assertThat(version("a")).isEqualTo(2);
        assertThat(store.loads).as("known already").hasValue(2);
    }

    @Test
    void aTenantWhoseLastChangeWasLostIsLoadedAgainWhateverItsNumber() {
        store("a", 1);
        var key = TenantIds.key("a");
        cache.changed(key, store("a", 2));
        assertThat(version("a")).isEqualTo(2);
        cache.changed(key, store("a", 1));
        assertThat(version("a")).as("a lower number").isEqualTo(1);
        cache.changed(key, store("a", 1));
        assertThat(version("a")).isEqualTo(1);
        assertThat(store.loads).as("the same number of another write").hasValue(3);
        store("a", 1);
        pass(Duration.ofSeconds(6));
        assertThat(version("a")).isEqualTo(1);
        assertThat(store.loads).as("the same number, found by a check").hasValue(4);
    }

    @Test
    void aMessageThatNamesNoRevisionDropsWhateverIsThere() {
        store("a", 1);
        for (int i = 1; i <= 3; i++) {
            assertThat(version("a")).isEqualTo(1);
            assertThat(store.loads).hasValue(i);
            cache.changed(TenantIds.key("a"), new TenantVersion(1, TenantVersion.NO_REVISION));
        }
    }

    @Test
    void aMessageMakesATenantThatWasNoneKnown() {
        assertThat(cache.find("a")).isEmpty();
        cache.changed(TenantIds.key("a"), store("a", 1));
        assertThat(version("a")).isEqualTo(1);
    }

    @Test
    void whatWasReadBeforeAMessageIsNotKeptAfterIt() throws Exception {
        store("a", 1);
        store.gate = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var early = threads.submit(() -> version("a"));
            while (store.loads.get() == 0) {
                Thread.onSpinWait();
            }
            // The row has been read, the answer is not there yet, and now it changes.
            cache.changed(TenantIds.key("a"), store("a", 2));
            store.gate.countDown();
            assertThat(early.get()).isEqualTo(1);
        }
        assertThat(version("a")).isEqualTo(2);
    }

    @Test
    void withoutMessagesASnapshotIsCheckedWhenItIsOld() {
        store("a", 1);
        assertThat(version("a")).isEqualTo(1);
        pass(Duration.ofSeconds(4));
        store("a", 2);
        assertThat(version("a")).as("believed for 5 seconds").isEqualTo(1);
        pass(Duration.ofSeconds(2));
        assertThat(version("a")).isEqualTo(2);
        pass(Duration.ofSeconds(6));
        assertThat(version("a")).isEqualTo(2);
        assertThat(store.loads)
                .as("unchanged, so its version was asked for only")
                .hasValue(2);
        assertThat(store.versions).hasValue(2);
    }

    @Test
    void withMessagesNothingIsChecked() {
        store("a", 1);
        assertThat(version("a")).isEqualTo(1);
        for (int i = 0; i < 50; i++) {
            pass(Duration.ofSeconds(1));
            cache.inTouch();
            assertThat(version("a")).isEqualTo(1);
        }
        assertThat(store.versions).hasValue(0);
        assertThat(cache.isInTouch()).isTrue();
        pass(Duration.ofSeconds(6));
        assertThat(cache.isInTouch()).isFalse();
    }

    @Test
    void afterADoubtASnapshotIsCheckedAtOnceAndOnce() {
        store("a", 1);
        cache.inTouch();
        assertThat(version("a")).isEqualTo(1);
        store("a", 2);
        cache.doubt();
        cache.inTouch();
        assertThat(version("a")).isEqualTo(2);
        assertThat(version("a")).isEqualTo(2);
        assertThat(store.versions).hasValue(1);
    }

    @Test
    void aSuspendedTenantIsNone() {
        store("a", 1);
        assertThat(version("a")).isEqualTo(1);
        cache.changed(TenantIds.key("a"), store("a", 2, TenantRecord.State.SUSPENDED));
        assertThat(cache.find("a")).isEmpty();
        store("b", 1, TenantRecord.State.RETAINED);
        assertThat(cache.find("b")).isEmpty();
    }

    @Test
    void aSuspensionIsNoticedWithoutMessagesToo() {
        store("a", 1);
        assertThat(version("a")).isEqualTo(1);
        store("a", 2, TenantRecord.State.SUSPENDED);
        pass(Duration.ofSeconds(6));
        assertThat(cache.find("a")).isEmpty();
        assertThat(cache.find("a")).isEmpty();
    }

    @Test
    void withoutTheDatabaseKnownTenantsAreServedAndOthersAreUnavailable() {
        store("a", 1);
        assertThat(version("a")).isEqualTo(1);
        store.away = true;
        pass(Duration.ofSeconds(6));
        for (int i = 0; i < 10; i++) {
            assertThat(version("a")).isEqualTo(1);
        }
        assertThat(store.versions)
                .as("asked once, then left in peace for a while")
                .hasValue(1);
        assertThatThrownBy(() -> cache.find("b")).isInstanceOf(StoreUnavailableException.class);
        cache.doubt();
        assertThat(version("a")).isEqualTo(1);
        store.away = false;
        store("a", 2);
        pass(Duration.ofSeconds(3));
        assertThat(version("a")).isEqualTo(2);
    }

    @Test
    void aDatabaseThatHadNoTimeForOneIsAskedForTheNextAtOnce() {
        store("a", 1);
        assertThat(version("a")).isEqualTo(1);
        pass(Duration.ofSeconds(6));
        store.busy = true;
        assertThatThrownBy(() -> cache.find("b")).isInstanceOf(StoreUnavailableException.class);
        store.busy = false;
        store("a", 2);
        store("c", 1);
        assertThat(version("c")).isEqualTo(1);
        assertThat(version("a")).as("checked").isEqualTo(2);
    }

    @Test
    void aDatabaseThatIsBackIsAskedAtOnce() {
        store("a", 1);
        assertThat(version("a")).isEqualTo(1);
        store.away = true;
        assertThatThrownBy(() -> cache.find("b")).isInstanceOf(StoreUnavailableException.class);
        store.away = false;
        pass(Duration.ofSeconds(1));
        assertThat(cache.find("b")).isEmpty();
        store("a", 2);
        cache.doubt();
        assertThat(version("a")).isEqualTo(2);
    }

    @Test
    void aFloodOfUnknownNamesTakesHalfOfTheConnectionsAndLeavesChecksAlone() throws Exception {
        store("a", 1);
        assertThat(version("a")).isEqualTo(1);
        store.loadGate = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var asks = IntStream.range(0, 500)
                    .<Future<Optional<Tenant>>>mapToObj(i -> threads.submit(() -> cache.find("none-" + i)))
                    .toList();
            Awaitility.await()
                    .until(() -> asks.stream().filter(Future::isDone).count() == asks.size() - CONNECTIONS / 2);
            assertThat(asks)
                    .filteredOn(Future::isDone)
                    .allSatisfy(ask -> assertThat(ask.exceptionNow()).isInstanceOf(StoreUnavailableException.class));
            assertThat(store.loading).hasValue(CONNECTIONS / 2);
            pass(Duration.ofSeconds(6));
            assertThat(version("a")).isEqualTo(1);
            assertThat(store.versions).as("checked meanwhile").hasValue(1);
            store.loadGate.countDown();
        }
        assertThat(cache.find("none-0")).as("turns come back").isEmpty();
    }

    @Test
    void aCheckThatDoesNotEndDelaysOnlyThoseWhoAskedFirst() {
        var patient = cache(new TenantCache.Ages(
                AGES.silent(),
                AGES.heard(),
                AGES.unknown(),
                Duration.ofHours(1),
                AGES.turn(),
                AGES.load(),
                AGES.respite()));
        store("a", 1);
        assertThat(patient.find("a")).isPresent();
        pass(Duration.ofSeconds(6));
        store.gate = new CountDownLatch(1);
        var first = Thread.ofVirtual().start(() -> patient.find("a"));
        Awaitility.await().until(() -> store.versions.get() == 1);
        pass(Duration.ofHours(1));
        assertTimeoutPreemptively(
                Duration.ofSeconds(20), () -> assertThat(patient.find("a")).isPresent());
        assertThat(first.isAlive()).isTrue();
        store.gate.countDown();
    }

    @Test
    void whatIsKnownToBeOldIsNotServedWithoutTheDatabase() {
        store("a", 1);
        assertThat(version("a")).isEqualTo(1);
        store.away = true;
        cache.changed(TenantIds.key("a"), store("a", 2));
        assertThatThrownBy(() -> cache.find("a")).isInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void tenantsThatNobodyAsksForAreForgotten() {
        for (int i = 0; i < 150; i++) {
            store("many-" + i, 1);
        }
        for (int i = 0; i < 150; i++) {
            assertThat(cache.find("many-" + i)).isPresent();
            assertThat(cache.find("many-0")).isPresent();
            assertThat(cache.size()).isLessThanOrEqualTo(100);
        }
        int loads = store.loads.get();
        assertThat(cache.find("many-0")).isPresent();
        assertThat(store.loads).as("the one in use stayed").hasValue(loads);
    }

    @Test
    void tenantsThatAreNoneDriveNoTenantOut() {
        store("a", 1);
        assertThat(cache.find("a")).isPresent();
        for (int i = 0; i < 1000; i++) {
            assertThat(cache.find("none-" + i)).isEmpty();
        }
        int loads = store.loads.get();
        assertThat(cache.find("a")).isPresent();
        assertThat(store.loads).hasValue(loads);
    }
}
