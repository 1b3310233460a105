package dev.sekisho.operator.management;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sekisho.api.management.TenantDeclaration;
import dev.sekisho.api.v1alpha1.DeletionPolicy;
import dev.sekisho.api.v1alpha1.IdpCluster;
import dev.sekisho.api.v1alpha1.TenantSpec;
import dev.sekisho.operator.KubeApi;
import dev.sekisho.operator.StandInRuntime;
import dev.sekisho.operator.StandInRuntime.Mood;
import dev.sekisho.operator.kube.Clients;
import dev.sekisho.operator.kube.Names;
import dev.sekisho.operator.management.ManagementClient.Answer;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Calls over real TLS, with token and authority from a real API server. */
class HttpsManagementClientIT {
    private static final KubeApi API = KubeApi.shared();

    private final AtomicReference<URI> address = new AtomicReference<>();
    private StandInRuntime runtime;
    private IdpCluster cluster;
    private ManagementClient client;
    private String namespace;

    @BeforeEach
    void start() throws Exception {
        runtime = new StandInRuntime();
        address.set(runtime.address());
        namespace = API.namespace("management");
        cluster = Clients.serialization()
                .unmarshal(
                        "metadata: {name: main, namespace: " + namespace + "}\n"
                                + "spec: {publicUrl: 'https://idp.example'}",
                        IdpCluster.class);
        client = new HttpsManagementClient(API.operator(), Clock.systemUTC(), any -> address.get());
    }

    @AfterEach
    void stop() {
        runtime.close();
    }

    private void publish(String token, String authority) {
        API.admin()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName(Names.management("main"))
                        .withNamespace(namespace)
                        .endMetadata()
                        .withData(Map.of(
                                "token", Base64.getEncoder().encodeToString(token.getBytes(StandardCharsets.UTF_8))))
                        .build())
                .forceConflicts()
                .serverSideApply();
        API.admin()
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName(Names.caBundle("main"))
                        .withNamespace(namespace)
                        .endMetadata()
                        .withData(Map.of(Names.CA_CRT, authority))
                        .build())
                .forceConflicts()
                .serverSideApply();
    }

    private static TenantDeclaration declaration(String owner) {
        var spec = Clients.serialization()
                .unmarshal("clusterRef: {name: main}\ntenantId: acme\nclients: [{clientId: app}]", TenantSpec.class);
        return new TenantDeclaration(owner, spec, Map.of("app", "very-secret"));
    }

    @Test
    void aTenantIsPutReadAndDeleted() {
        publish(StandInRuntime.TOKEN, runtime.authority());
        assertThat(client.get(cluster, "acme")).isInstanceOf(Answer.Absent.class);
        assertThat(client.put(cluster, declaration("tenant/n/acme")))
                .isInstanceOfSatisfying(
                        Answer.Applied.class,
                        applied -> assertThat(applied.state().tenantId()).isEqualTo("acme"));
        assertThat(client.get(cluster, "acme")).isInstanceOf(Answer.Applied.class);
        assertThat(client.put(cluster, declaration("tenant/n/other"))).isInstanceOf(Answer.Conflict.class);
        assertThat(client.delete(cluster, "acme", "tenant/n/other", DeletionPolicy.Delete))
                .isInstanceOf(Answer.Conflict.class);
        assertThat(client.delete(cluster, "acme", "tenant/n/acme", DeletionPolicy.Delete))
                .isInstanceOf(Answer.Absent.class);
    }

    @Test
    void missingSecretsAreAwaited() {
        assertThat(client.get(cluster, "acme"))
                .isInstanceOfSatisfying(
                        Answer.Unreachable.class,
                        answer -> assertThat(answer.message()).contains("not there yet"));
        publish(StandInRuntime.TOKEN, runtime.authority());
        assertThat(client.get(cluster, "acme")).isInstanceOf(Answer.Absent.class);
    }

    @Test
    void aNewTokenIsReadAtOnceAndAWrongOneIsToldWithoutIt() {
        publish("the-old-token-of-the-runtime", runtime.authority());
        assertThat(client.get(cluster, "acme"))
                .isInstanceOfSatisfying(
                        Answer.Unreachable.class,
                        answer -> assertThat(answer.message())
                                .contains("refuses the operator's token")
                                .doesNotContain("the-old-token"));
        publish(StandInRuntime.TOKEN, runtime.authority());
        assertThat(client.get(cluster, "acme")).isInstanceOf(Answer.Absent.class);
    }

    @Test
    void anotherAuthorityIsNotTrusted() throws Exception {
        try (var other = new StandInRuntime()) {
            publish(StandInRuntime.TOKEN, other.authority());
            assertThat(client.get(cluster, "acme"))
                    .isInstanceOfSatisfying(
                            Answer.Unreachable.class,
                            answer -> assertThat(answer.message()).contains("TLS"));
            publish(StandInRuntime.TOKEN, runtime.authority());
            assertThat(client.get(cluster, "acme")).isInstanceOf(Answer.Absent.class);
        }
    }

    @Test
    void aBrokenAuthorityIsToldAndRecoversFrom() {
        publish(StandInRuntime.TOKEN, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
        assertThat(client.get(cluster, "acme"))
                .isInstanceOfSatisfying(
                        Answer.Unreachable.class,
                        answer -> assertThat(answer.message()).contains("authority cannot be read"));
        publish(StandInRuntime.TOKEN, runtime.authority());
        assertThat(client.get(cluster, "acme")).isInstanceOf(Answer.Absent.class);
    }

    @Test
    void aRuntimeThatIsAwayIsUnreachable() {
        publish(StandInRuntime.TOKEN, runtime.authority());
        runtime.close();
        assertThat(client.put(cluster, declaration("tenant/n/acme")))
                .isInstanceOfSatisfying(
                        Answer.Unreachable.class,
                        answer -> assertThat(answer.message()).doesNotContain("very-secret"));
        address.set(URI.create("https://does-not-exist.invalid:8443"));
        assertThat(client.get(cluster, "acme")).isInstanceOf(Answer.Unreachable.class);
    }

    @Test
    void whatTheRuntimeRefusesIsInvalidAndWhatBreaksIsNot() {
        publish(StandInRuntime.TOKEN, runtime.authority());
        runtime.become(Mood.STRICT);
        assertThat(client.put(cluster, declaration("tenant/n/acme")))
                .isEqualTo(new Answer.Invalid("spec.displayName: refused for a test"));
        runtime.become(Mood.BROKEN);
        assertThat(client.put(cluster, declaration("tenant/n/acme")))
                .isEqualTo(new Answer.Unreachable("the runtime answered 503: down for a test"));
    }
}
