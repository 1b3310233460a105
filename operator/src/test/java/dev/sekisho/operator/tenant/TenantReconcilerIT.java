package dev.sekisho.operator.tenant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sekisho.api.v1alpha1.Condition;
import dev.sekisho.api.v1alpha1.IdpCluster;
import dev.sekisho.api.v1alpha1.Tenant;
import dev.sekisho.api.v1alpha1.TenantSpec.State;
import dev.sekisho.api.v1alpha1.TenantStatus.ClientStatus;
import dev.sekisho.api.v1alpha1.TenantStatus.Phase;
import dev.sekisho.operator.KubeApi;
import dev.sekisho.operator.Site;
import dev.sekisho.operator.StandInRuntime;
import dev.sekisho.operator.StandInRuntime.Held;
import dev.sekisho.operator.StandInRuntime.Mood;
import dev.sekisho.operator.management.HttpsManagementClient;
import dev.sekisho.operator.status.Conditions;
import dev.sekisho.operator.status.Events;
import dev.sekisho.operator.tenant.TenantReconciler.Timing;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TenantReconcilerIT {
    private static final Map<String, StandInRuntime> RUNTIMES = new ConcurrentHashMap<>();
    private static final KubeApi API = KubeApi.shared();
    private static KubeApi.RunningOperator operator;

    private StandInRuntime runtime;
    private Site site;

    @BeforeAll
    static void startOperator() {
        var clock = Clock.systemUTC();
        operator = API.start(new TenantReconciler(
                API.operator(),
                new HttpsManagementClient(
                        API.operator(),
                        clock,
                        cluster -> Objects.requireNonNull(
                                        RUNTIMES.get(cluster.getMetadata().getNamespace()))
                                .address()),
                namespace -> true,
                new Events(API.operator(), clock, "test"),
                clock,
                "1.2.3",
                new Timing(Duration.ofMillis(400), Duration.ofMillis(400), Duration.ofSeconds(3))));
    }

    @AfterAll
    static void stopOperator() {
        operator.close();
    }

    @BeforeEach
    void createSite() throws Exception {
        runtime = new StandInRuntime();
        site = new Site(API, "tenant", runtime);
        RUNTIMES.put(site.namespace(), runtime);
    }

    @AfterEach
    void removeSite() {
        runtime.become(Mood.WELL);
        site.list(Tenant.class)
                .forEach(
                        tenant -> site.delete(Tenant.class, tenant.getMetadata().getName()));
        site.list(Tenant.class)
                .forEach(tenant ->
                        site.awaitGone(Tenant.class, tenant.getMetadata().getName()));
        site.delete(IdpCluster.class, Site.CLUSTER);
        runtime.close();
    }

    @Test
    void aTenantIsAppliedAndItsClientGetsASecretOfItsOwn() {
        site.createCluster("");
        site.apply(tenant("acme", "{clientId: backend, scopes: [orders.read]}"));

        var tenant = awaitReady("acme");
        var status = tenant.getStatus();
        assertThat(status.phase()).isEqualTo(Phase.Ready);
        assertThat(status.issuer()).isEqualTo("https://idp.example/acme");
        assertThat(status.jwksUri()).isEqualTo("https://idp.example/acme/v1/jwks");
        assertThat(status.tenantKey()).isNotEmpty();
        assertThat(status.keys()).extracting("kid").containsExactly("es-acme", "rs-acme");
        assertThat(status.observedGeneration()).isEqualTo(tenant.getMetadata().getGeneration());
        assertThat(status.clients())
                .containsExactly(new ClientStatus("backend", "acme-client-backend", "client-secret", true));
        var secret = site.get(Secret.class, "acme-client-backend");
        assertThat(value(secret, "client-id")).isEqualTo("backend");
        assertThat(value(secret, "issuer")).isEqualTo("https://idp.example/acme");
        assertThat(value(secret, "token-endpoint")).isEqualTo("https://idp.example/acme/v1/tokens");
        assertThat(value(secret, "client-secret")).hasSize(43);
        assertThat(secret.getMetadata().getOwnerReferences().getFirst().getUid())
                .isEqualTo(tenant.getMetadata().getUid());
        assertThat(secret.getMetadata().getLabels())
                .containsEntry("app.kubernetes.io/name", "sekisho")
                .containsEntry("app.kubernetes.io/managed-by", "sekisho-operator")
                .containsEntry("app.kubernetes.io/version", "1.2.3");
        var held = held("acme");
        assertThat(held.owner()).isEqualTo("tenant/" + site.namespace() + "/acme");
        assertThat(held.declaration().clientSecrets())
                .containsExactly(Map.entry("backend", value(secret, "client-secret")));
        site.awaitTrue("an Event tells", () -> site.eventReasons("acme").contains("Ready"));
    }

    @Test
    void aClientThatSignsIsDeclaredWithItsKeysAndHasNoSecret() {
        site.createCluster("");
        site.apply(tenant("acme", "{clientId: backend}"));
        awaitReady("acme");
        assertThat(site.list(Secret.class)).anyMatch(TenantReconcilerIT::isOfAClient);

        site.apply(tenant(
                "acme",
                "{clientId: backend, tokenEndpointAuthMethod: private_key_jwt,"
                        + " jwks: {keys: [{kty: OKP, kid: one, crv: Ed25519, x: AQAB}]}}"));

        site.awaitTrue(
                "the runtime is told",
                () -> held("acme").declaration().clientSecrets().isEmpty());
        assertThat(held("acme").declaration().spec().clients())
                .singleElement()
                .satisfies(client -> assertThat(
                                Objects.requireNonNull(client.jwks()).keys())
                        .singleElement()
                        .satisfies(key -> assertThat(key.kid()).isEqualTo("one")));
        site.awaitTrue(
                "the Secret goes", () -> site.list(Secret.class).stream().noneMatch(TenantReconcilerIT::isOfAClient));
        site.awaitTrue(
                "status names none",
                () -> site.get(Tenant.class, "acme")
                        .getStatus()
                        .clients()
                        .equals(List.of(new ClientStatus("backend", null, null, null))));
        awaitReady("acme");
    }

    private static boolean isOfAClient(Secret secret) {
        return secret.getMetadata().getName().startsWith("acme-client");
    }

    @Test
    void aSecretThatComesLateIsPickedUp() {
        site.createCluster("");
        site.apply(tenant("acme", "{clientId: backend, secretRef: {name: later}}"));

        var waiting = awaitReason("acme", "ReferencesResolved", "SecretNotFound");
        assertThat(Conditions.find(waiting.getStatus().conditions(), "ReferencesResolved")
                        .orElseThrow()
                        .message())
                .contains("later");
        assertThat(waiting.getStatus().phase()).isEqualTo(Phase.Pending);

        createSecret("later", "other-key", "a secret of the user's");
        awaitMessage("acme", "has no key client-secret");
        site.delete(Secret.class, "later");
        createSecret("later", "client-secret", "short");
        awaitReason("acme", "ReferencesResolved", "SecretTooShort");
        site.delete(Secret.class, "later");
        createSecret("later", "client-secret", "a secret of the user's");

        var tenant = awaitReady("acme");
        assertThat(tenant.getStatus().clients())
                .containsExactly(new ClientStatus("backend", "later", "client-secret", false));
        assertThat(held("acme").declaration().clientSecrets()).containsEntry("backend", "a secret of the user's");
        assertThat(site.list(Secret.class))
                .noneMatch(secret -> secret.getMetadata().getName().startsWith("acme-client"));
    }

    @Test
    void aMissingSecretKeepsNothingElseFromBeingApplied() {
        site.createCluster("");
        createSecret("own", "client-secret", "a secret of the user's");
        site.apply(tenant("acme", "{clientId: kept, secretRef: {name: own}}, {clientId: dropped}"));
        awaitReady("acme");

        site.delete(Secret.class, "own");
        awaitReason("acme", "ReferencesResolved", "SecretNotFound");
        site.apply(
                tenant("acme", "{clientId: kept, secretRef: {name: own}}, {clientId: added}") + "  state: Suspended\n");

        site.awaitTrue("the runtime has the rest", () -> {
            var declaration = held("acme").declaration();
            return declaration.spec().state() == State.Suspended
                    && declaration.clientSecrets().keySet().equals(Set.of("added"));
        });
        var tenant = awaitReason("acme", "Ready", "Suspended");
        assertThat(hasReason(tenant, "ReferencesResolved", "SecretNotFound")).isTrue();
        createSecret("own", "client-secret", "a secret of the user's");
        site.awaitTrue(
                "the client is back",
                () -> held("acme").declaration().clientSecrets().containsKey("kept"));
    }

    @Test
    void aTenantWhoseNamespaceIsNoLongerAllowedIsNotServedUntilItIs() throws Exception {
        var elsewhere = new Site(API, "elsewhere", runtime);
        site.createCluster("allowedNamespaces: [" + elsewhere.namespace() + "]");
        elsewhere.apply(tenant("guest", "{clientId: backend}")
                .replace("{name: main}", "{name: main, namespace: " + site.namespace() + "}"));
        try {
            elsewhere.await(Tenant.class, "guest", "is ready", TenantReconcilerIT::isReady);

            runtime.become(Mood.BROKEN);
            site.createCluster("allowedNamespaces: []");
            elsewhere.await(
                    Tenant.class,
                    "guest",
                    "may still be served",
                    t -> hasReason(t, "Ready", "NamespaceNotAllowed")
                            && Conditions.find(t.getStatus().conditions(), "Applied")
                                            .orElseThrow()
                                            .status()
                                    == Condition.Status.Unknown);
            runtime.become(Mood.WELL);
            elsewhere.await(Tenant.class, "guest", "is shown out", t -> hasReason(t, "Applied", "NamespaceNotAllowed"));
            assertThat(held("guest").served()).isFalse();

            site.createCluster("allowedNamespaces: [" + elsewhere.namespace() + "]");
            elsewhere.await(Tenant.class, "guest", "is back", TenantReconcilerIT::isReady);
            assertThat(held("guest").served()).isTrue();
        } finally {
            elsewhere.delete(Tenant.class, "guest");
            elsewhere.awaitGone(Tenant.class, "guest");
        }
    }

    @Test
    void aClusterThatComesLateIsPickedUp() {
        site.apply(tenant("acme", "{clientId: backend}"));
        awaitReason("acme", "ReferencesResolved", "ClusterNotFound");

        site.createCluster("");
        site.clusterReady(false);
        awaitReason("acme", "Ready", "ClusterNotReady");
        site.clusterReady(true);
        awaitReady("acme");
    }

    @Test
    void anotherNamespaceMustBeAllowed() throws Exception {
        site.createCluster("");
        var elsewhere = new Site(API, "elsewhere", runtime);
        elsewhere.apply(tenant("guest", "{clientId: backend}")
                .replace("{name: main}", "{name: main, namespace: " + site.namespace() + "}"));
        try {
            elsewhere.await(
                    Tenant.class,
                    "guest",
                    "is not let in",
                    t -> hasReason(t, "ReferencesResolved", "NamespaceNotAllowed"));

            site.createCluster("allowedNamespaces: [" + elsewhere.namespace() + "]");
            elsewhere.await(Tenant.class, "guest", "is ready", TenantReconcilerIT::isReady);
        } finally {
            elsewhere.delete(Tenant.class, "guest");
            elsewhere.awaitGone(Tenant.class, "guest");
        }
        assertThat(held("guest").served()).isFalse();
    }

    @Test
    void aTenantIdThatAnotherHoldsIsTakenOverWhenItIsFree() {
        site.createCluster("");
        site.apply(tenant("first", "{clientId: backend}").replace("tenantId: first", "tenantId: contested")
                + "  deletionPolicy: Delete\n");
        awaitReady("first");
        site.apply(tenant("second", "{clientId: backend}").replace("tenantId: second", "tenantId: contested"));

        var refused = awaitReason("second", "Ready", "TenantIdConflict");
        assertThat(refused.getStatus().phase()).isEqualTo(Phase.Failed);
        assertThat(isReady(site.get(Tenant.class, "first"))).isTrue();
        assertThat(held("contested").owner()).endsWith("/first");

        site.delete(Tenant.class, "first");
        awaitReady("second");
        assertThat(held("contested").owner()).endsWith("/second");
        site.awaitGone(Tenant.class, "first");
    }

    @Test
    void whatTheRuntimeRefusesIsTold() {
        site.createCluster("");
        runtime.become(Mood.STRICT);
        site.apply(tenant("acme", "{clientId: backend}"));
        awaitReason("acme", "Applied", "InvalidSpec");
        awaitMessage("acme", "spec.displayName: refused for a test");

        runtime.become(Mood.WELL);
        awaitReady("acme");
    }

    @Test
    void aRuntimeThatDoesNotAnswerIsToldAndRecoveredFrom() {
        site.createCluster("");
        runtime.become(Mood.BROKEN);
        site.apply(tenant("acme", "{clientId: backend}"));
        var waiting = awaitReason("acme", "Ready", "RuntimeUnreachable");
        assertThat(Conditions.isTrue(waiting.getStatus().conditions(), "ReferencesResolved"))
                .isTrue();

        runtime.become(Mood.WELL);
        awaitReady("acme");
    }

    @Test
    void nothingIsWrittenAtSteadyState() {
        site.createCluster("");
        createSecret("own", "client-secret", "a secret of the user's");
        site.apply(tenant("acme", "{clientId: zeta}, {clientId: Alpha}, {clientId: mid, secretRef: {name: own}}"));
        awaitReady("acme");
        // A change of order and of number, for lists are compared.
        site.apply(tenant("acme", "{clientId: mid, secretRef: {name: own}}, {clientId: beta}, {clientId: zeta}"));
        site.await(
                Tenant.class,
                "acme",
                "follows",
                t -> isReady(t)
                        && Objects.equals(
                                t.getStatus().observedGeneration(),
                                t.getMetadata().getGeneration()));
        settle();

        var before = site.writes();
        int puts = runtime.puts();
        site.awaitTrue("five more rounds", () -> runtime.puts() >= puts + 5);

        assertThat(site.writes()).isEqualTo(before);
    }

    @Test
    void driftInTheRuntimeIsPutRight() {
        site.createCluster("");
        site.apply(tenant("acme", "{clientId: backend}"));
        awaitReady("acme");
        settle();
        var good = held("acme");

        var changed = new dev.sekisho.api.management.TenantDeclaration(
                good.owner(), good.declaration().spec(), Map.of("backend", "somebody-elses-secret"));
        runtime.hold("acme", new Held(good.owner(), changed, good.version() + 1, true));

        site.awaitTrue(
                "the runtime has what the spec says",
                () -> held("acme").declaration().equals(good.declaration()));
        site.awaitTrue("an Event tells", () -> site.eventReasons("acme").contains("DriftCorrected"));
        assertThat(isReady(site.get(Tenant.class, "acme"))).isTrue();
    }

    @Test
    void aGeneratedSecretComesBackAnewAndGoesWithItsClient() {
        site.createCluster("");
        site.apply(tenant("acme", "{clientId: backend}, {clientId: front}"));
        awaitReady("acme");
        var first = value(site.get(Secret.class, "acme-client-backend"), "client-secret");

        site.delete(Secret.class, "acme-client-backend");
        site.await(
                Secret.class,
                "acme-client-backend",
                "is made again",
                secret -> !value(secret, "client-secret").equals(first));
        site.awaitTrue("the runtime has the new one", () -> {
            var now = value(site.get(Secret.class, "acme-client-backend"), "client-secret");
            return now.equals(held("acme").declaration().clientSecrets().get("backend"));
        });

        var edited = new SecretBuilder(site.get(Secret.class, "acme-client-front"))
                .addToData(
                        "issuer", Base64.getEncoder().encodeToString("https://wrong".getBytes(StandardCharsets.UTF_8)))
                .addToData("mine", "bWluZQ==")
                .build();
        var kept = value(edited, "client-secret");
        site.admin().resource(edited).update();
        var mended = site.await(
                Secret.class,
                "acme-client-front",
                "is mended",
                secret -> value(secret, "issuer").equals("https://idp.example/acme"));
        assertThat(value(mended, "client-secret")).isEqualTo(kept);
        assertThat(value(mended, "mine")).isEqualTo("mine");

        site.apply(tenant("acme", "{clientId: backend}"));
        site.awaitGone(Secret.class, "acme-client-front");
        site.await(
                Tenant.class, "acme", "forgets it", t -> t.getStatus().clients().size() == 1);
        assertThat(held("acme").declaration().clientSecrets()).containsOnlyKeys("backend");
    }

    @Test
    void aSecretOfSomebodyElseIsNeverOverwritten() {
        site.createCluster("");
        createSecret("acme-client-backend", "client-secret", "not the operator's");
        site.apply(tenant("acme", "{clientId: backend}"));

        awaitReason("acme", "ReferencesResolved", "SecretNameTaken");
        assertThat(value(site.get(Secret.class, "acme-client-backend"), "client-secret"))
                .isEqualTo("not the operator's");
        assertThat(held("acme").declaration().clientSecrets()).isEmpty();

        site.delete(Secret.class, "acme-client-backend");
        awaitReady("acme");
    }

    @Test
    void aDeletedTenantIsTakenOutOfServiceByItsPolicy() {
        site.createCluster("");
        site.apply(tenant("kept", "{clientId: backend}"));
        site.apply(tenant("dropped", "{clientId: backend}") + "  deletionPolicy: Delete\n");
        awaitReady("kept");
        awaitReady("dropped");

        site.delete(Tenant.class, "kept");
        site.delete(Tenant.class, "dropped");
        site.awaitGone(Tenant.class, "kept");
        site.awaitGone(Tenant.class, "dropped");

        assertThat(held("kept").served()).isFalse();
        assertThat(runtime.tenants()).doesNotContainKey("dropped");
    }

    @Test
    void aTenantWhoseClusterIsGoneCanBeDeleted() {
        site.createCluster("");
        site.apply(tenant("acme", "{clientId: backend}"));
        awaitReady("acme");
        site.delete(IdpCluster.class, Site.CLUSTER);
        site.awaitGone(IdpCluster.class, Site.CLUSTER);
        awaitReason("acme", "Ready", "ClusterNotFound");

        site.delete(Tenant.class, "acme");
        site.awaitGone(Tenant.class, "acme");
        assertThat(site.find(ConfigMap.class, "main-departures"))
                .as("with the data everything is gone")
                .isNull();
    }

    @Test
    void aTenantThatWasNeverAppliedCanBeDeletedAtOnce() {
        site.apply(tenant("acme", "{clientId: backend}"));
        awaitReason("acme", "Ready", "ClusterNotFound");
        site.delete(Tenant.class, "acme");
        site.awaitGone(Tenant.class, "acme");
    }

    @Test
    void aRuntimeThatDoesNotAnswerIsWaitedForWithinABoundWhenATenantIsDeleted() {
        site.createCluster("");
        site.apply(tenant("patient", "{clientId: backend}"));
        site.apply(tenant("deferred", "{clientId: backend}"));
        awaitReady("patient");
        awaitReady("deferred");

        runtime.become(Mood.BROKEN);
        site.delete(Tenant.class, "patient");
        site.await(
                Tenant.class,
                "patient",
                "waits",
                t -> t.getStatus().phase() == Phase.Deleting && hasReason(t, "Ready", "RuntimeUnreachable"));
        runtime.become(Mood.WELL);
        site.awaitGone(Tenant.class, "patient");
        assertThat(held("patient").served()).isFalse();

        runtime.become(Mood.BROKEN);
        site.delete(Tenant.class, "deferred");
        site.awaitGone(Tenant.class, "deferred");
        site.awaitTrue(
                "Events tell, on both objects",
                () -> site.eventReasons("deferred").contains("DeletionDeferred")
                        && site.eventReasons(Site.CLUSTER).contains("TenantDeletionDeferred"));
        assertThat(site.get(ConfigMap.class, "main-departures").getData().values())
                .containsExactly("Retain deferred tenant/" + site.namespace() + "/deferred");
    }

    @Test
    void whoComesBackIsServedAndHasNothingOfWhatWasToBeDeleted() {
        site.createCluster("");
        for (var policy : List.of("Retain", "Delete")) {
            var yaml = tenant("acme", "{clientId: backend}") + "  deletionPolicy: " + policy + "\n";
            site.apply(yaml);
            awaitReady("acme");
            long version = held("acme").version();
            runtime.become(Mood.BROKEN);
            site.delete(Tenant.class, "acme");
            site.awaitGone(Tenant.class, "acme");
            site.get(ConfigMap.class, "main-departures");
            // What the garbage collector does.
            site.delete(Secret.class, "acme-client-backend");

            runtime.become(Mood.WELL);
            site.apply(yaml);
            awaitReady("acme");
            assertThat(held("acme").served()).isTrue();
            assertThat(held("acme").version()).as(policy).isEqualTo(policy.equals("Retain") ? version + 1 : 1);
            assertThat(site.find(ConfigMap.class, "main-departures")).isNull();
        }
    }

    @Test
    void aTenantThatIsDeletedWhileItsClusterIsGoneIsRememberedIfTheDataStays() {
        site.createCluster("");
        site.apply(tenant("acme", "{clientId: backend}"));
        awaitReady("acme");
        createSecret("main-key-encryption", "kek", "stays with the data");
        site.delete(IdpCluster.class, Site.CLUSTER);
        site.awaitGone(IdpCluster.class, Site.CLUSTER);

        site.delete(Tenant.class, "acme");
        site.awaitGone(Tenant.class, "acme");
        assertThat(site.get(ConfigMap.class, "main-departures").getData()).hasSize(1);
    }

    @Test
    void aPausedTenantIsLeftAloneUntilItIsNot() {
        site.createCluster("");
        site.apply(tenant("acme", "{clientId: backend}"));
        awaitReady("acme");
        annotate("acme", "true");
        int puts = runtime.puts();
        site.apply(tenant("acme", "{clientId: backend}, {clientId: second}")
                .replace("{name: acme}", "{name: acme, annotations: {sekisho.dev/paused: 'true'}}"));
        // Another Tenant's rounds show that time has passed.
        site.apply(tenant("clock", "{clientId: backend}"));
        awaitReady("clock");
        site.awaitTrue(
                "rounds of the other", () -> runtime.tenants().containsKey("clock") && runtime.puts() > puts + 3);
        assertThat(held("acme").declaration().clientSecrets()).containsOnlyKeys("backend");

        annotate("acme", "false");
        site.awaitTrue(
                "the change arrives",
                () -> held("acme").declaration().clientSecrets().containsKey("second"));
    }

    @Test
    void aSuspendedTenantSaysSo() {
        site.createCluster("");
        site.apply(tenant("acme", "{clientId: backend}") + "  state: Suspended\n");
        var tenant = awaitReason("acme", "Ready", "Suspended");
        assertThat(tenant.getStatus().phase()).isEqualTo(Phase.Suspended);
        assertThat(Conditions.isTrue(tenant.getStatus().conditions(), "Applied"))
                .isTrue();
    }

    private static String tenant(String name, String clients) {
        return """
                apiVersion: sekisho.dev/v1alpha1
                kind: Tenant
                metadata: {name: %s}
                spec:
                  clusterRef: {name: main}
                  tenantId: %s
                  clients: [%s]
                """.formatted(name, name, clients);
    }

    private void annotate(String name, String paused) {
        site.admin()
                .resources(Tenant.class)
                .inNamespace(site.namespace())
                .withName(name)
                .edit(tenant -> {
                    tenant.getMetadata().setAnnotations(Map.of("sekisho.dev/paused", paused));
                    return tenant;
                });
    }

    private void createSecret(String name, String key, String value) {
        site.admin()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace(site.namespace())
                        .endMetadata()
                        .addToStringData(key, value)
                        .build())
                .create();
    }

    private Held held(String tenantId) {
        return Objects.requireNonNull(runtime.tenants().get(tenantId));
    }

    /** Waits for two more rounds, so that whatever a change has set off is over. */
    private void settle() {
        int puts = runtime.puts();
        site.awaitTrue("two more rounds", () -> runtime.puts() >= puts + 2);
    }

    private Tenant awaitReady(String name) {
        return site.await(Tenant.class, name, "is ready", TenantReconcilerIT::isReady);
    }

    private Tenant awaitReason(String name, String type, String reason) {
        return site.await(
                Tenant.class,
                name,
                "has condition " + type + " with reason " + reason,
                tenant -> hasReason(tenant, type, reason));
    }

    private void awaitMessage(String name, String part) {
        site.await(
                Tenant.class,
                name,
                "says: " + part,
                tenant -> tenant.getStatus() != null
                        && tenant.getStatus().conditions().stream()
                                .anyMatch(condition -> condition.message().contains(part)));
    }

    private static boolean isReady(Tenant tenant) {
        return tenant.getStatus() != null
                && Conditions.isTrue(tenant.getStatus().conditions(), "Ready");
    }

    private static boolean hasReason(Tenant tenant, String type, String reason) {
        return tenant.getStatus() != null
                && Conditions.find(tenant.getStatus().conditions(), type)
                        .filter(c -> c.status() == Condition.Status.False
                                && c.reason().equals(reason))
                        .isPresent();
    }

    private static String value(Secret secret, String key) {
        return new String(
                Base64.getDecoder()
                        .decode(Objects.requireNonNull(secret.getData().get(key), key)),
                StandardCharsets.UTF_8);
    }
}
