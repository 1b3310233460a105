package dev.sekisho.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sekisho.api.v1alpha1.TenantIds;
import dev.sekisho.idp.tenant.TenantCache;
import dev.sekisho.idp.testing.Declaration;
import dev.sekisho.idp.testing.Environment;
import dev.sekisho.idp.testing.Relay;
import dev.sekisho.idp.testing.RuntimeClient;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Two replicas on one database: what one is told, the other serves, without a restart. They believe what they know for
 * hours, so that only a message can make them look.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReplicasIT {
    private static final String FORM = "grant_type=client_credentials&scope=read";
    private static final Duration HOURS = Duration.ofHours(9);
    private static final TenantCache.Ages AGES = new TenantCache.Ages(
            HOURS,
            HOURS,
            HOURS,
            TenantCache.Ages.DEFAULT.patience(),
            TenantCache.Ages.DEFAULT.turn(),
            TenantCache.Ages.DEFAULT.load(),
            TenantCache.Ages.DEFAULT.respite());
    /** What is sent at once arrives at once; the rest is for machines that are busy. */
    private static final Duration BY_MESSAGE = Duration.ofSeconds(4);

    private final Environment environment = Environment.shared();
    private final IdpRuntime one = replica(environment.settings());
    private final IdpRuntime other = replica(environment.settings());
    private final RuntimeClient atOne = environment.client(one);
    private final RuntimeClient atOther = environment.client(other);

    private static IdpRuntime replica(Map<Setting, String> settings) {
        try {
            return IdpRuntime.start(Environment.config(settings), AGES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static void listens(RuntimeClient client) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> client.metrics("/metrics").body().contains("sekisho_invalidations_in_touch 1.0"));
    }

    @BeforeAll
    void bothListen() {
        listens(atOne);
        listens(atOther);
    }

    @AfterAll
    void stop() {
        atOne.close();
        atOther.close();
        one.close();
        other.close();
    }

    private static int token(RuntimeClient client, String tenant) {
        return client.token(tenant, "app", Declaration.SECRET, FORM).status();
    }

    private int tokenAtOther(String tenant) {
        return token(atOther, tenant);
    }

    @Test
    void aNewTenantIsServedByAllAlsoWhenTheyHaveJustSaidThatThereIsNone() {
        var id = Declaration.freshId("replicated");
        assertThat(atOther.get("/" + id + "/v1/jwks").status()).isEqualTo(404);
        assertThat(atOne.put(Declaration.of(id).client("app", "client_secret_basic", "read"))
                        .status())
                .isEqualTo(200);
        Awaitility.await().atMost(BY_MESSAGE).until(() -> tokenAtOther(id) == 200);
    }

    @Test
    void aChangeReachesAll() {
        var id = Declaration.freshId("replicated");
        atOne.put(Declaration.of(id).client("app", "client_secret_basic", "read"));
        Awaitility.await().atMost(BY_MESSAGE).until(() -> tokenAtOther(id) == 200);
        atOne.put(Declaration.of(id)
                .client("app", "client_secret_basic", "read")
                .secret("app", "a-rotated-secret-of-tests"));
        Awaitility.await().atMost(BY_MESSAGE).until(() -> tokenAtOther(id) == 401);
        assertThat(atOther.token(id, "app", "a-rotated-secret-of-tests", FORM).status())
                .isEqualTo(200);
    }

    @Test
    void aChangeThatGetsTheNumberOfALostOneReachesAll() throws SQLException {
        var id = Declaration.freshId("replicated");
        var lost = Declaration.of(id).client("app", "client_secret_basic", "read");
        atOne.put(Declaration.of(id));
        assertThat(atOne.put(lost).json().path("version").asInt()).isEqualTo(2);
        Awaitility.await().atMost(BY_MESSAGE).until(() -> tokenAtOther(id) == 200);
        // What a standby that had not received the second change has.
        try (var admin = environment.postgres().admin(Environment.DATABASE);
                var statement = admin.createStatement()) {
            statement.execute("update sekisho.tenant set version = 1 where tenant_id = '" + TenantIds.key(id) + "'");
        }
        var next = Declaration.of(id)
                .client("app", "client_secret_basic", "read")
                .secret("app", "another-secret-of-tests");
        assertThat(atOne.put(next).json().path("version").asInt()).isEqualTo(2);
        Awaitility.await().atMost(BY_MESSAGE).until(() -> tokenAtOther(id) == 401);
    }

    @Test
    void aChangeThatAReplicaMissedIsServedAsSoonAsItHearsAgain() {
        var id = Declaration.freshId("replicated");
        var settings = environment.settings();
        try (var cable = Relay.to(environment.redis().port())) {
            settings.put(Setting.REDIS_URL, "rediss://127.0.0.1:" + cable.port());
            try (var remote = replica(settings);
                    var atRemote = environment.client(remote)) {
                listens(atRemote);
                atOne.put(Declaration.of(id).client("app", "client_secret_basic", "read"));
                Awaitility.await().atMost(BY_MESSAGE).until(() -> token(atRemote, id) == 200);
                cable.cut();
                assertThat(atOne.put(Declaration.of(id)).status()).isEqualTo(200);
                Awaitility.await().atMost(BY_MESSAGE).until(() -> tokenAtOther(id) == 401);
                assertThat(token(atRemote, id)).as("has not heard of it").isEqualTo(200);
                cable.mend();
                Awaitility.await().atMost(BY_MESSAGE).until(() -> token(atRemote, id) == 401);
            }
        }
    }

    @Test
    void aDeletedTenantIsGoneEverywhereAndComesBackAsANewOne() {
        var id = Declaration.freshId("replicated");
        var declaration = Declaration.of(id).client("app", "client_secret_basic", "read");
        atOne.put(declaration);
        Awaitility.await().atMost(BY_MESSAGE).until(() -> tokenAtOther(id) == 200);
        var keys = atOther.get("/" + id + "/v1/jwks").body();
        assertThat(atOne.manage("DELETE", id + "?owner=" + declaration.ownerName() + "&policy=Delete", "")
                        .status())
                .isEqualTo(204);
        Awaitility.await().atMost(BY_MESSAGE).until(() -> tokenAtOther(id) == 404);
        atOne.put(declaration);
        Awaitility.await().atMost(BY_MESSAGE).until(() -> tokenAtOther(id) == 200);
        assertThat(atOther.get("/" + id + "/v1/jwks").body()).isNotEqualTo(keys);
    }
}
