package dev.sekisho.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sekisho.api.v1alpha1.TenantIds;
import dev.sekisho.idp.testing.Declaration;
import dev.sekisho.idp.testing.Environment;
import dev.sekisho.idp.testing.RuntimeClient;
import java.sql.SQLException;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Two replicas on one database: what one is told, the other serves, without a restart. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReplicasIT {
    private static final String FORM = "grant_type=client_credentials&scope=read";
    /** Shorter than a snapshot is believed without messages, so that only a message can be the cause. */
    private static final Duration BY_MESSAGE = Duration.ofSeconds(4);

    private final Environment environment = Environment.shared();
    private final IdpRuntime one = environment.runtime();
    private final IdpRuntime other = environment.runtime();
    private final RuntimeClient atOne = environment.client(one);
    private final RuntimeClient atOther = environment.client(other);

    @BeforeAll
    void bothListen() {
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> atOther.metrics("/metrics").body().contains("sekisho_invalidations_in_touch 1.0"));
    }

    @AfterAll
    void stop() {
        atOne.close();
        atOther.close();
        one.close();
        other.close();
    }

    private int tokenAtOther(String tenant) {
        return atOther.token(tenant, "app", Declaration.SECRET, FORM).status();
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
