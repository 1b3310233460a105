package dev.sekisho.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.sekisho.api.v1alpha1.Tenant;
import dev.sekisho.api.v1alpha1.TenantStatus;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tenants, from the object to the token. */
@OnSite
class TenantE2E {
    private final Site site;

    TenantE2E(Site site) {
        this.site = site;
    }

    private static String tenant(String name, String more) {
        return tenant(name, name, more);
    }

    private static String tenant(String name, String tenantId, String more) {
        return """
            apiVersion: sekisho.dev/v1alpha1
            kind: Tenant
            metadata:
              name: %s
            spec:
              clusterRef: {name: demo}
              tenantId: %s
              deletionPolicy: Delete
              %s
            """.formatted(name, tenantId, more);
    }

    private static String client(String clientId) {
        return "clients: [{clientId: %s, scopes: [api.read]}]".formatted(clientId);
    }

    @Test
    void aSecondTenantAnswersThroughTheGatewayInUnderFiveSecondsAndNothingRestarts() throws Exception {
        site.apply(tenant("first", client("app")));
        site.awaitTenantReady("first");
        var before = site.restarts();
        var gateway = site.gateway();
        // A look before it exists: the answer "unknown" must not be remembered for long.
        assertThat(gateway.get("/second/.well-known/openid-configuration").status())
                .isEqualTo(404);

        var applied = Instant.now();
        site.apply(tenant("second", client("app")));
        await("the second tenant answers")
                .atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(50))
                .until(() ->
                        gateway.get("/second/.well-known/openid-configuration").status() == 200);
        var took = Duration.between(applied, Instant.now());

        assertThat(took).isLessThan(Duration.ofSeconds(5));
        assertThat(gateway.get("/second/.well-known/openid-configuration")
                        .json()
                        .path("issuer")
                        .asText())
                .isEqualTo(Site.PUBLIC_URL + "/second");
        assertThat(site.restarts()).isEqualTo(before);
    }

    @Test
    void aTokenIsSignedByAKeyOfItsTenantAndSaysWhoItIsFor() throws Exception {
        site.apply(tenant("signer", client("app")));
        var tenant = site.awaitTenantReady("signer");
        var gateway = site.gateway();

        var token = gateway.accessToken("signer", "app", site.clientSecret(tenant, "app"));

        assertThat(Gateway.verifies(token, gateway.jwks("signer"))).isTrue();
        assertThat(token.getHeader().getType().getType()).isEqualTo("at+jwt");
        assertThat(token.getHeader().getAlgorithm().getName()).isEqualTo("ES256");
        var claims = token.getJWTClaimsSet();
        assertThat(claims.getIssuer()).isEqualTo(Site.PUBLIC_URL + "/signer");
        assertThat(claims.getStringClaim("client_id")).isEqualTo("app");
        assertThat(claims.getStringClaim("scope")).isEqualTo("api.read");
        assertThat(claims.getAudience()).isNotEmpty();
        assertThat(claims.getExpirationTime().toInstant())
                .isAfter(Instant.now())
                .isBefore(Instant.now().plus(Duration.ofMinutes(6)));
        assertThat(tenant.getStatus().issuer()).isEqualTo(Site.PUBLIC_URL + "/signer");
        assertThat(tenant.getStatus().keys())
                .extracting(TenantStatus.Key::kid)
                .contains(token.getHeader().getKeyID());
    }

    @Test
    void aClientAndATokenOfOneTenantAreRefusedByTheOther() throws Exception {
        site.apply(tenant("left", client("app")));
        site.apply(tenant("right", client("app")));
        var left = site.awaitTenantReady("left");
        var right = site.awaitTenantReady("right");
        var gateway = site.gateway();
        var leftSecret = site.clientSecret(left, "app");
        assertThat(leftSecret).isNotEqualTo(site.clientSecret(right, "app"));

        var refusal = gateway.token("right", "app", leftSecret);
        assertThat(refusal.status()).isEqualTo(401);
        assertThat(refusal.error()).isEqualTo("invalid_client");

        var token = gateway.accessToken("left", "app", leftSecret);
        var rightKeys = gateway.jwks("right");
        assertThat(Gateway.verifies(token, gateway.jwks("left"))).isTrue();
        assertThat(rightKeys.getKeyByKeyId(token.getHeader().getKeyID())).isNull();
        assertThat(Gateway.verifies(token, rightKeys)).isFalse();
        assertThat(token.getJWTClaimsSet().getIssuer())
                .isNotEqualTo(right.getStatus().issuer());
    }

    @Test
    void anUnknownTenantIs404InJsonAndAnUnknownClient401() throws Exception {
        site.apply(tenant("known", client("app")));
        site.awaitTenantReady("known");
        var gateway = site.gateway();

        for (var path : new String[] {"/nobody/.well-known/openid-configuration", "/nobody/v1/jwks"}) {
            var reply = gateway.get(path);
            assertThat(reply.status()).as(path).isEqualTo(404);
            assertThat(reply.contentType()).as(path).startsWith("application/json");
            assertThat(reply.error()).as(path).isNotEmpty();
        }
        assertThat(gateway.token("nobody", "app", "secret").status()).isEqualTo(404);

        var unknown = gateway.token("known", "nobody", "secret");
        assertThat(unknown.status()).isEqualTo(401);
        assertThat(unknown.error()).isEqualTo("invalid_client");
        assertThat(unknown.headers().firstValue("www-authenticate")).isPresent();

        var wrong = gateway.token("known", "app", "wrong");
        assertThat(wrong.status()).isEqualTo(401);
        assertThat(wrong.body())
                .as("it must not tell which of the two was wrong")
                .isEqualTo(unknown.body());
    }

    @Test
    void aChangedTenantIsServedAsChangedAndADeletedOneNotAtAll() throws Exception {
        site.apply(tenant("changing", client("app")));
        var secret = site.clientSecret(site.awaitTenantReady("changing"), "app");
        var gateway = site.gateway();
        assertThat(gateway.token("changing", "app", secret).status()).isEqualTo(200);

        site.apply(tenant("changing", client("other")));
        var changed = site.awaitTenantReady("changing");
        await("the new client is served and the old one is not")
                .atMost(Site.SOON)
                .untilAsserted(() -> {
                    assertThat(gateway.token("changing", "other", site.clientSecret(changed, "other"))
                                    .status())
                            .isEqualTo(200);
                    assertThat(gateway.token("changing", "app", secret).status())
                            .isEqualTo(401);
                });

        site.apply(tenant("changing", "state: Suspended"));
        await("a suspended tenant answers as if it did not exist")
                .atMost(Site.SOON)
                .until(() -> gateway.get("/changing/v1/jwks").status() == 404);
        site.apply(tenant("changing", "state: Active"));
        await("it is served again")
                .atMost(Site.SOON)
                .until(() -> gateway.get("/changing/v1/jwks").status() == 200);

        site.delete(Tenant.class, "changing");
        await("a deleted tenant is served no more")
                .atMost(Site.SOON)
                .until(() -> gateway.get("/changing/v1/jwks").status() == 404);
    }

    @ParameterizedTest(name = "{0}: {2}")
    @CsvSource(delimiter = '|', textBlock = """
            a redirect URI in plain http     | clients: [{clientId: a, redirectUris: ['http://example.com/cb']}]     | spec.clients[0].redirectUris[0]
            a redirect URI with a fragment   | clients: [{clientId: a, redirectUris: ['https://example.com/cb#x']}]  | spec.clients[0].redirectUris[0]
            a redirect URI that runs script  | clients: [{clientId: a, redirectUris: ['javascript:alert(1)']}]       | spec.clients[0].redirectUris[0]
            an unknown grant                 | clients: [{clientId: a, grants: [implicit]}]                          | spec.clients[0].grants[0]
            no grant at all                  | clients: [{clientId: a, grants: []}]                                  | spec.clients[0].grants
            a duplicate client               | clients: [{clientId: a}, {clientId: a}]                               | spec.clients[1]
            a client without an id           | clients: [{name: nobody}]                                             | spec.clients[0].clientId
            a lifetime that never ends       | tokens: {accessTokenLifetime: 1000h}                                  | spec.tokens.accessTokenLifetime
            an unknown algorithm             | signing: {algorithm: none}                                            | spec.signing.algorithm
            """)
    void aBadTenantIsRefusedByTheApiServerWhichNamesTheField(String what, String spec, String field) {
        assertThatThrownBy(() -> site.create(tenant("bad", spec)))
                .as(what)
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining(field);
        assertThat(site.get(Tenant.class, "bad")).isNull();
    }

    @Test
    void aTenantIdIsNeverChangedAndNeverMalformed() {
        site.apply(tenant("fixed", client("app")));
        assertThatThrownBy(() -> site.apply(tenant("fixed", "other-id", client("app"))))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("tenantId is immutable");
        assertThatThrownBy(() -> site.create(tenant("bad-id", "Not_A_Label", client("app"))))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("spec.tenantId");
    }

    @Test
    void aTenantWhoseSecretIsMissingSaysSoAndRecoversWhenItArrives() throws IOException {
        site.apply(tenant("late", "clients: [{clientId: app, scopes: [api.read], secretRef: {name: late-secret}}]"));
        var waiting = site.awaitTenantTrouble("late", "ReferencesResolved", "SecretNotFound");
        assertThat(condition(waiting, "ReferencesResolved")).contains("late-secret");

        site.apply("""
            apiVersion: v1
            kind: Secret
            metadata: {name: late-secret}
            stringData: {client-secret: arrived-late-but-long-enough-0123456789}
            """);
        site.awaitTenantReady("late");
        assertThat(site.gateway()
                        .token("late", "app", "arrived-late-but-long-enough-0123456789")
                        .status())
                .isEqualTo(200);
    }

    @Test
    void aTenantOfAnUnknownClusterSaysSo() {
        site.apply(tenant("lost", client("app")).replace("{name: demo}", "{name: nowhere}"));
        var lost = site.awaitTenantTrouble("lost", "ReferencesResolved", "ClusterNotFound");
        assertThat(condition(lost, "ReferencesResolved")).contains("nowhere");
        // Its deletion does not hang on a cluster that never was.
        site.delete(Tenant.class, "lost");
    }

    @Test
    void theFirstOwnerKeepsATenantIdAndTheSecondGetsItWhenTheFirstIsGone() throws Exception {
        site.apply(tenant("owner", "contested", client("first-app")));
        var owner = site.awaitTenantReady("owner");
        site.apply(tenant("claimant", "contested", client("second-app")));
        site.awaitTenantTrouble("claimant", "Applied", "TenantIdConflict");
        var gateway = site.gateway();
        assertThat(gateway.token("contested", "first-app", site.clientSecret(owner, "first-app"))
                        .status())
                .isEqualTo(200);

        site.delete(Tenant.class, "owner");
        var heir = site.awaitTenantReady("claimant");
        var secret = site.clientSecret(heir, "second-app");
        await("the second owner is served")
                .atMost(Site.SOON)
                .until(() -> gateway.token("contested", "second-app", secret).status() == 200);
        assertThat(gateway.token("contested", "first-app", "x").status()).isEqualTo(401);
    }

    @Test
    void bothWaysToSendASecretWorkAndOnlyTheRegisteredOne() throws Exception {
        site.apply(tenant("ways", """
            clients:
                - {clientId: basic, scopes: [api.read]}
                - {clientId: post, scopes: [api.read], tokenEndpointAuthMethod: client_secret_post}
            """));
        var tenant = site.awaitTenantReady("ways");
        var gateway = site.gateway();
        var basic = site.clientSecret(tenant, "basic");
        var post = site.clientSecret(tenant, "post");

        assertThat(gateway.token("ways", "basic", basic).status()).isEqualTo(200);
        assertThat(gateway.token("ways", "post", post).status()).isEqualTo(401);
        assertThat(byPost(gateway, "post", post).status()).isEqualTo(200);
        assertThat(byPost(gateway, "basic", basic).status()).isEqualTo(401);
    }

    private static Gateway.Reply byPost(Gateway gateway, String clientId, String secret) throws IOException {
        return gateway.postForm(
                "/ways/v1/tokens",
                Map.of(
                        "grant_type",
                        "client_credentials",
                        "scope",
                        Gateway.SCOPE,
                        "client_id",
                        clientId,
                        "client_secret",
                        secret),
                Map.of());
    }

    private static String condition(Tenant tenant, String type) {
        return tenant.getStatus().conditions().stream()
                .filter(c -> c.type().equals(type))
                .map(c -> Objects.requireNonNullElse(c.message(), ""))
                .findFirst()
                .orElseThrow();
    }
}
