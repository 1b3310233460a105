package dev.sekisho.idp.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.JWKSet;
import dev.sekisho.idp.IdpRuntime;
import dev.sekisho.idp.testing.Declaration;
import dev.sekisho.idp.testing.Environment;
import dev.sekisho.idp.testing.Golden;
import dev.sekisho.idp.testing.RuntimeClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DiscoveryIT {
    private static final String TENANT = "discovered";

    private final Environment environment = Environment.shared();
    private final IdpRuntime runtime = environment.runtime();
    private final RuntimeClient client = environment.client(runtime);

    @BeforeAll
    void declareTenant() {
        assertThat(client.put(Declaration.of(TENANT).client("app", "client_secret_basic", "read"))
                        .status())
                .isEqualTo(200);
    }

    @AfterAll
    void stop() {
        client.close();
        runtime.close();
    }

    @Test
    void metadataIsTheGoldenOneAtAllThreePlaces() {
        var openid = client.get("/" + TENANT + "/.well-known/openid-configuration");
        assertThat(openid.status()).isEqualTo(200);
        assertThat(openid.header("Content-Type")).isEqualTo("application/json");
        Golden.check("metadata.json", openid.json().toPrettyString() + "\n");
        assertThat(client.get("/" + TENANT + "/.well-known/oauth-authorization-server")
                        .body())
                .isEqualTo(openid.body());
        assertThat(client.get("/.well-known/oauth-authorization-server/" + TENANT)
                        .body())
                .isEqualTo(openid.body());
    }

    @Test
    void everyEndpointThatMetadataNamesAnswers() {
        var metadata =
                client.get("/" + TENANT + "/.well-known/openid-configuration").json();
        metadata.properties().stream()
                .filter(e -> e.getKey().endsWith("_endpoint") || e.getKey().endsWith("_uri"))
                .forEach(e -> {
                    var path = e.getValue().asText().substring(Environment.PUBLIC_URL.length());
                    assertThat(client.get(path).status()).as(e.getKey()).isIn(200, 405);
                });
    }

    @Test
    void jwksHoldsPublicHalvesOnly() throws Exception {
        var reply = client.get("/" + TENANT + "/v1/jwks");
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.header("Cache-Control")).isEqualTo("public, max-age=300");
        var keys = JWKSet.parse(reply.body()).getKeys();
        assertThat(keys).extracting(k -> k.getAlgorithm().getName()).containsExactlyInAnyOrder("ES256", "RS256");
        assertThat(keys).allSatisfy(key -> {
            assertThat(key.isPrivate()).isFalse();
            assertThat(key.getKeyUse().identifier()).isEqualTo("sig");
            assertThat(key.getKeyID()).isEqualTo(key.computeThumbprint().toString());
        });
        assertThat(reply.body()).doesNotContain("\"d\"", "\"p\"", "\"q\"");
    }

    @Test
    void documentsAreNotSentAgainToThoseWhoHaveThem() {
        for (var path : new String[] {"/v1/jwks", "/.well-known/openid-configuration"}) {
            var etag = client.get("/" + TENANT + path).header("ETag");
            assertThat(etag).startsWith("\"").endsWith("\"");
            for (var known : new String[] {etag, "W/" + etag, "\"x\", " + etag, "*"}) {
                var reply = client.send(HttpRequest.newBuilder(client.publicUri("/" + TENANT + path))
                        .header("If-None-Match", known));
                assertThat(reply.status()).as(known).isEqualTo(304);
                assertThat(reply.body()).isEmpty();
                assertThat(reply.header("ETag")).isEqualTo(etag);
                assertThat(reply.header("Cache-Control")).isNotEmpty();
            }
            assertThat(client.send(HttpRequest.newBuilder(client.publicUri("/" + TENANT + path))
                                    .header("If-None-Match", "\"other\""))
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void headHasTheHeadersOfGetAndNoBody() {
        var get = client.get("/" + TENANT + "/v1/jwks");
        var head = client.send(HttpRequest.newBuilder(client.publicUri("/" + TENANT + "/v1/jwks"))
                .method("HEAD", BodyPublishers.noBody()));
        assertThat(head.status()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
        assertThat(head.header("ETag")).isEqualTo(get.header("ETag"));
        assertThat(head.header("Content-Length")).isEqualTo(get.header("Content-Length"));
    }

    @Test
    void otherMethodsGet405() {
        var reply = client.send(HttpRequest.newBuilder(client.publicUri("/" + TENANT + "/v1/jwks"))
                .POST(BodyPublishers.ofString("x")));
        assertThat(reply.status()).isEqualTo(405);
        assertThat(reply.header("Allow")).isEqualTo("GET, HEAD");
    }

    @Test
    void unknownTenantsGetJson() {
        for (var path : new String[] {
            "/nobody/v1/jwks",
            "/nobody/.well-known/openid-configuration",
            "/.well-known/oauth-authorization-server/nobody"
        }) {
            var reply = client.get(path);
            assertThat(reply.status()).as(path).isEqualTo(404);
            assertThat(reply.error()).isEqualTo("unknown_tenant");
        }
    }

    @Test
    void aLabelsTenantAnswersAtItsKeyTooWithTheIssuerAsDeclared() {
        var key = client.manage("GET", TENANT, "").json().path("key").asText();
        var reply = client.get("/" + key + "/.well-known/openid-configuration");
        assertThat(reply.json().path("issuer").asText()).isEqualTo(Environment.PUBLIC_URL + "/" + TENANT);
    }

    @Test
    void aUuidNeverTakesTheNameOfTheLabelThatHashesToIt() {
        var label = Declaration.freshId("squatted");
        var key = dev.sekisho.api.v1alpha1.TenantIds.key(label).toString();
        assertThat(client.put(Declaration.of(key)).status()).isEqualTo(200);
        assertThat(client.get("/" + key + "/v1/jwks").status()).isEqualTo(200);
        assertThat(client.get("/" + label + "/v1/jwks").status()).isEqualTo(404);
    }

    @Test
    void aTenantMayBeNamedByAUuid() {
        var id = UUID.randomUUID().toString();
        var state = client.put(Declaration.of(id));
        assertThat(state.json().path("key").asText()).isEqualTo(id);
        assertThat(client.get("/" + id + "/.well-known/openid-configuration")
                        .json()
                        .path("issuer")
                        .asText())
                .isEqualTo(Environment.PUBLIC_URL + "/" + id);
    }

    @Test
    void answersCarryTheCallersRequestIdOrANewOneAndNoBanner() {
        var sane = client.send(HttpRequest.newBuilder(client.publicUri("/" + TENANT + "/v1/jwks"))
                .header("X-Request-Id", "abc-1.2_3"));
        assertThat(sane.header("X-Request-Id")).isEqualTo("abc-1.2_3");
        var odd = client.send(HttpRequest.newBuilder(client.publicUri("/" + TENANT + "/v1/jwks"))
                .header("X-Request-Id", "<script>"));
        assertThat(odd.header("X-Request-Id")).matches("[0-9a-f]{32}");
        assertThat(sane.headers().map().keySet()).doesNotContain("server", "x-powered-by");
        assertThat(sane.header("X-Content-Type-Options")).isEqualTo("nosniff");
    }

    @Test
    void metricsCountByEndpointWithoutNamingTenants() {
        client.get("/" + TENANT + "/v1/jwks");
        client.get("/made-up/" + UUID.randomUUID());
        var text = client.metrics("/metrics").body();
        assertThat(text)
                .contains(
                        "sekisho_http_requests_total{listener=\"public\",endpoint=\"jwks\",method=\"GET\",status=\"200\"")
                .contains("endpoint=\"other\",method=\"GET\",status=\"404\"")
                .contains("sekisho_http_request_duration_seconds_bucket{listener=\"public\",endpoint=\"jwks\"")
                .contains("hikaricp_active_connections")
                .contains("jvm_memory")
                .doesNotContain(TENANT)
                .doesNotContain("made-up");
    }
}
