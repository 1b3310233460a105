package dev.sekisho.idp.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sekisho.idp.oauth.SecretHash;
import dev.sekisho.idp.tenant.StoreUnavailableException;
import dev.sekisho.idp.tenant.TenantRecord;
import dev.sekisho.idp.tenant.Versioned;
import dev.sekisho.idp.testing.Environment;
import dev.sekisho.idp.testing.StoredTenants;
import java.lang.reflect.Modifier;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each method of the store as two tenants, on one connection that serves both in turn. */
class PostgresTenantStoreIT {
    private final Environment environment = Environment.shared();
    private final Pool pool = environment.pool(1);
    private final PostgresTenantStore store = new PostgresTenantStore(pool);
    private final UUID a = UUID.randomUUID();
    private final UUID b = UUID.randomUUID();
    private final TenantRecord recordA = StoredTenants.record(a, "store-" + a);
    private final TenantRecord recordB = StoredTenants.record(b, "store-" + b);

    @BeforeEach
    void twoTenants() {
        store.put(a, _ -> recordA);
        store.put(b, _ -> recordB);
    }

    @AfterEach
    void close() {
        pool.close();
    }

    private Versioned stored(UUID key) {
        return store.load(key).orElseThrow();
    }

    @Test
    void everyMethodIsTestedHere() {
        var methods = Arrays.stream(PostgresTenantStore.class.getDeclaredMethods())
                .filter(m -> Modifier.isPublic(m.getModifiers()) && !m.isSynthetic())
                .map(java.lang.reflect.Method::getName)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(methods)
                .as("a new method needs a test as two tenants, and then a place in this list")
                .isEqualTo(new TreeSet<>(Set.of("load", "version", "put", "delete", "ready")));
    }

    @Test
    void loadGivesATenantItsOwnRowsOnly() {
        for (int i = 0; i < 10; i++) {
            // More often than prepareThreshold, so that the server-side statements are used too.
            assertThat(stored(a).record()).isEqualTo(recordA);
            assertThat(stored(b).record()).isEqualTo(recordB);
            assertThat(store.load(new UUID(1, i))).isEmpty();
        }
    }

    @Test
    void versionIsTheTenantsOwn() {
        store.put(a, s -> with(s.orElseThrow().record(), List.of()));
        assertThat(store.version(a)).contains(stored(a).version());
        assertThat(store.version(b)).contains(stored(b).version());
        assertThat(stored(a).version().number()).isEqualTo(2);
        assertThat(stored(b).version().number()).isEqualTo(1);
        assertThat(store.version(UUID.randomUUID())).isEmpty();
    }

    @Test
    void putChangesTheTenantsOwnRowsOnly() {
        var changed = with(recordA, List.of(StoredTenants.client("app"), StoredTenants.client("more")));
        assertThat(store.put(a, _ -> changed).changed()).isTrue();
        assertThat(stored(a).record()).isEqualTo(changed);
        assertThat(stored(b).record()).isEqualTo(recordB);
    }

    @Test
    void putCannotWriteAsAnotherTenant() {
        assertThatThrownBy(() -> store.put(a, _ -> recordB)).isInstanceOf(IllegalArgumentException.class);
        assertThat(stored(b).record()).isEqualTo(recordB);
    }

    @Test
    void deleteRemovesTheTenantsOwnRowsOnly() throws SQLException {
        assertThat(store.delete(a, _ -> {})).isTrue();
        assertThat(store.load(a)).isEmpty();
        assertThat(stored(b).record()).isEqualTo(recordB);
        assertThat(store.delete(a, _ -> {})).isFalse();
        try (var admin = environment.postgres().admin(Environment.DATABASE);
                var statement = admin.createStatement();
                var rows = statement.executeQuery("select (select count(*) from sekisho.client where tenant_id = '" + a
                        + "') + (select count(*) from sekisho.signing_key where tenant_id = '" + a + "')")) {
            rows.next();
            assertThat(rows.getInt(1)).isZero();
        }
    }

    @Test
    void readyLooksAtNoTenant() {
        assertThat(store.ready()).isTrue();
    }

    @Test
    void theNextBorrowerOfAConnectionHasNoSetting() {
        for (int i = 0; i < 10; i++) {
            stored(a);
            assertThat(setting()).isEmpty();
            store.put(b, s -> s.orElseThrow().record());
            assertThat(setting()).isEmpty();
            assertThatThrownBy(() -> store.put(a, _ -> {
                        throw new IllegalStateException("refused");
                    }))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(setting()).isEmpty();
        }
    }

    private String setting() {
        return pool.use(connection -> {
            try (var statement = connection.createStatement();
                    var rows = statement.executeQuery("select current_setting('app.tenant_id', true)")) {
                rows.next();
                return rows.getString(1);
            }
        });
    }

    @Test
    void theSameAgainChangesNothing() {
        var before = stored(a);
        var change = store.put(a, _ -> recordA);
        assertThat(change.changed()).isFalse();
        assertThat(stored(a)).isEqualTo(before);
    }

    @Test
    void whatARefusalLeavesIsWhatWasThere() {
        var before = stored(a);
        assertThatThrownBy(() -> store.put(a, _ -> {
                    throw new IllegalStateException("refused");
                }))
                .hasMessage("refused");
        assertThatThrownBy(() -> store.delete(a, _ -> {
                    throw new IllegalStateException("refused");
                }))
                .hasMessage("refused");
        assertThat(stored(a)).isEqualTo(before);
    }

    @Test
    void aTenantCreatedAgainIsAnother() {
        var before = stored(a).version();
        store.delete(a, _ -> {});
        store.put(a, _ -> recordA);
        var after = stored(a).version();
        assertThat(after.number()).isEqualTo(before.number());
        assertThat(after.isSameAs(before)).isFalse();
    }

    @Test
    void everyWriteMakesARevisionOfItsOwn() throws SQLException {
        var first = stored(a).version();
        var change = store.put(a, _ -> with(recordA, List.of()));
        assertThat(stored(a).version()).isEqualTo(change.stored().version());
        assertThat(store.version(a)).contains(change.stored().version());
        assertThat(change.stored().version().isSameAs(first)).isFalse();
        // As after a failover that lost the change: the next one gets its number.
        try (var admin = environment.postgres().admin(Environment.DATABASE);
                var statement = admin.createStatement()) {
            assertThat(statement.executeUpdate("update sekisho.tenant set version = 1 where tenant_id = '" + a + "'"))
                    .isEqualTo(1);
        }
        assertThat(stored(a).version().number()).isEqualTo(first.number());
        assertThat(stored(a).version().isSameAs(first))
                .as("also a write that does not know of revisions makes one")
                .isFalse();
        var again = store.put(a, _ -> recordA).stored().version();
        assertThat(again.number()).isEqualTo(change.stored().version().number());
        assertThat(again.isSameAs(change.stored().version())).isFalse();
    }

    @Test
    void concurrentPutsOfANewTenantAreOneAfterTheOther() throws Exception {
        var key = UUID.randomUUID();
        try (var many = environment.pool(8);
                var threads = Executors.newFixedThreadPool(8)) {
            var shared = new PostgresTenantStore(many);
            var seen = new ArrayList<Callable<Boolean>>();
            var record = StoredTenants.record(key, "race-" + key);
            for (int i = 0; i < 8; i++) {
                seen.add(() -> shared.put(key, _ -> record).changed());
            }
            int changed = 0;
            for (var result : threads.invokeAll(seen)) {
                changed += result.get() ? 1 : 0;
            }
            assertThat(changed).isEqualTo(1);
            assertThat(shared.load(key).orElseThrow().version().number()).isEqualTo(1);
        }
    }

    @Test
    void textsOfAnyKindComeBackAsTheyWere() {
        var odd = new TenantRecord.ClientRecord(
                "odd",
                "naïve \"quoted\" {braces}, back\\slash, 名前 \uD83D\uDE00",
                List.of("client_credentials"),
                List.of("https://a.example/cb?x={1},2", "com.example.app:/\"cb\"", "null"),
                List.of("a,b", "null", "{}"),
                "client_secret_post",
                Optional.of(SecretHash.of("x").toHex()),
                Optional.of("{\"keys\":[{\"kid\":\"ä \\\"b\\\" {\\\\}\",\"kty\":\"OKP\"}]}"));
        var wanted = with(recordA, List.of(odd));
        store.put(a, _ -> wanted);
        assertThat(stored(a).record()).isEqualTo(wanted);
    }

    @Test
    void aDatabaseThatIsAwayIsSaidToBeUnavailable() {
        try (var nowhere = new Pool(
                "jdbc:postgresql://127.0.0.1:1/none",
                "x",
                () -> "y",
                1,
                java.time.Duration.ofMillis(300),
                new io.prometheus.client.CollectorRegistry())) {
            assertThatThrownBy(() -> new PostgresTenantStore(nowhere).load(a))
                    .isInstanceOf(StoreUnavailableException.class);
        }
    }

    private static TenantRecord with(TenantRecord record, List<TenantRecord.ClientRecord> clients) {
        return new TenantRecord(record.settings(), clients, record.keys());
    }
}
