package dev.sekisho.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sekisho.idp.testing.Declaration;
import dev.sekisho.idp.testing.Environment;
import dev.sekisho.idp.testing.Relay;
import dev.sekisho.idp.testing.RuntimeClient;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What goes on without Redis and without PostgreSQL. On servers of its own, for it stops them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OutageIT {
    private static final String FORM = "grant_type=client_credentials&scope=read";

    /** What the configuration's reference promises. */
    private static final Duration NOTICED = Duration.ofSeconds(5);
    /** The pool tries every 5 seconds at the latest; the rest is for connecting. */
    private static final Duration RECONNECTED = Duration.ofSeconds(10);

    private final Environment environment = Environment.own();

    @AfterAll
    void stop() {
        environment.close();
    }

    private static int token(RuntimeClient client, String tenant) {
        return client.token(tenant, "app", Declaration.SECRET, FORM).status();
    }

    private static void declare(RuntimeClient client, String tenant) {
        var reply = client.put(Declaration.of(tenant).client("app", "client_secret_basic", "read"));
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    }

    @Test
    void withoutPostgresKnownTenantsAreServedAndTheRestGets503UntilItIsBack() {
        try (var runtime = environment.runtime();
                var client = environment.client(runtime)) {
            declare(client, "known");
            declare(client, "unseen");
            assertThat(token(client, "known")).isEqualTo(200);
            environment.postgres().stop();
            try {
                for (int i = 0; i < 20; i++) {
                    assertThat(token(client, "known")).isEqualTo(200);
                    assertThat(client.get("/known/v1/jwks").status()).isEqualTo(200);
                    assertThat(client.get("/known/.well-known/openid-configuration")
                                    .status())
                            .isEqualTo(200);
                }
                var unseen = client.get("/unseen/v1/jwks");
                assertThat(unseen.status()).isEqualTo(503);
                assertThat(unseen.error()).isEqualTo("temporarily_unavailable");
                assertThat(unseen.header("Retry-After")).isNotEmpty();
                var put = client.put(Declaration.of("new"));
                assertThat(put.status()).isEqualTo(503);
                assertThat(put.header("Retry-After")).isNotEmpty();
                assertThat(client.metrics("/health/live").status()).isEqualTo(200);
                assertThat(client.metrics("/health/ready").status()).isEqualTo(200);
            } finally {
                environment.postgres().restart();
            }
            Awaitility.await().atMost(RECONNECTED).until(() -> token(client, "unseen") == 200);
            declare(client, "new");
            assertThat(token(client, "new")).isEqualTo(200);
        }
    }

    @Test
    void aDatabaseThatDoesNotAnswerHoldsUpNoKnownTenant() {
        var settings = environment.settings();
        try (var cable = Relay.to(environment.postgres().port())) {
            settings.put(
                    Setting.DATABASE_URL, "jdbc:postgresql://127.0.0.1:" + cable.port() + "/" + Environment.DATABASE);
            try (var runtime = environment.runtime(settings);
                    var client = environment.client(runtime)) {
                declare(client, "well-known");
                declare(client, "not-seen");
                assertThat(token(client, "well-known")).isEqualTo(200);
                cable.silence();
                for (int i = 0; i < 5; i++) {
                    assertThat(token(client, "well-known")).isEqualTo(200);
                    assertThat(client.get("/well-known/v1/jwks").status()).isEqualTo(200);
                    assertThat(client.get("/well-known/.well-known/openid-configuration")
                                    .status())
                            .isEqualTo(200);
                    var unseen = client.get("/not-seen/v1/jwks");
                    assertThat(unseen.status()).isEqualTo(503);
                    assertThat(unseen.header("Retry-After")).isNotEmpty();
                }
                assertThat(client.put(Declaration.of("new-one")).status()).isEqualTo(503);
                cable.mend();
                Awaitility.await().atMost(RECONNECTED).until(() -> token(client, "not-seen") == 200);
            }
        }
    }

    @Test
    void withoutRedisEverythingGoesOnAndChangesStillReachOtherReplicas() {
        try (var one = environment.runtime();
                var other = environment.runtime();
                var atOne = environment.client(one);
                var atOther = environment.client(other)) {
            declare(atOne, "redisless");
            assertThat(token(atOther, "redisless")).isEqualTo(200);
            environment.redis().stop();
            try {
                assertThat(token(atOne, "redisless")).isEqualTo(200);
                assertThat(token(atOther, "redisless")).isEqualTo(200);
                var changed = Declaration.of("redisless").client("later", "client_secret_basic", "read");
                assertThat(atOne.put(changed).status()).isEqualTo(200);
                assertThat(token(atOne, "redisless")).isEqualTo(401);
                Awaitility.await().atMost(NOTICED).until(() -> token(atOther, "redisless") == 401);
                assertThat(atOther.metrics("/health/ready").status()).isEqualTo(200);
                assertThat(atOther.metrics("/health/live").status()).isEqualTo(200);
            } finally {
                environment.redis().restart();
            }
        }
    }

    @Test
    void aRuntimeStartsWithoutRedisAndHearsMessagesWhenItComes() {
        environment.redis().stop();
        try (var one = environment.runtime();
                var other = environment.runtime();
                var atOne = environment.client(one);
                var atOther = environment.client(other)) {
            declare(atOne, "early");
            assertThat(token(atOther, "early")).isEqualTo(200);
            environment.redis().restart();
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> inTouch(atOne) && inTouch(atOther));
            assertThat(atOne.put(Declaration.of("early")).status()).isEqualTo(200);
            Awaitility.await().atMost(Duration.ofSeconds(3)).until(() -> token(atOther, "early") == 401);
        }
    }

    private static boolean inTouch(RuntimeClient client) {
        return client.metrics("/metrics").body().contains("sekisho_invalidations_in_touch 1.0");
    }
}
