package dev.sekisho.operator.tenant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sekisho.api.v1alpha1.Tenant;
import dev.sekisho.api.v1alpha1.TenantStatus.ClientStatus;
import dev.sekisho.operator.kube.Clients;
import dev.sekisho.operator.tenant.ClientSecrets.Resolution;
import dev.sekisho.operator.tenant.ClientSecrets.Unresolved;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientSecretsTest {
    private static final String RANDOM = "random-random-random-random-random-random-r";

    private final Map<String, Secret> secrets = new HashMap<>();

    @Test
    void aMissingSecretIsMade() {
        var resolved = resolved("{clientId: backend}");

        assertThat(resolved.values()).containsExactly(Map.entry("backend", RANDOM));
        assertThat(resolved.make()).singleElement().satisfies(secret -> {
            assertThat(secret.getMetadata().getName()).isEqualTo("acme-client-backend");
            assertThat(secret.getData()).containsOnlyKeys("client-id", "client-secret", "issuer", "token-endpoint");
        });
        assertThat(resolved.mend()).isEmpty();
        assertThat(resolved.remove()).isEmpty();
    }

    @Test
    void aSecretThatIsAsItShouldBeStays() {
        var made = resolved("{clientId: backend}").make().getFirst();
        secrets.put("acme-client-backend", made);

        var resolved = resolved("{clientId: backend}", made);

        assertThat(resolved.make()).isEmpty();
        assertThat(resolved.mend()).isEmpty();
        assertThat(resolved.remove()).isEmpty();
    }

    @Test
    void anotherValueThatAUserPutIntoAGeneratedSecretIsUsed() {
        var made = resolved("{clientId: backend}").make().getFirst();
        secrets.put("acme-client-backend", with(made, "client-secret", "rotated by the hand of a user"));

        var resolved = resolved("{clientId: backend}");

        assertThat(resolved.values()).containsEntry("backend", "rotated by the hand of a user");
        assertThat(resolved.mend()).isEmpty();
    }

    @Test
    void anUnfitValueInAGeneratedSecretIsReplaced() {
        var made = resolved("{clientId: backend}").make().getFirst();
        secrets.put("acme-client-backend", with(made, "client-secret", "short"));

        var resolved = resolved("{clientId: backend}");

        assertThat(resolved.values()).containsEntry("backend", RANDOM);
        assertThat(resolved.mend()).hasSize(1);
    }

    @Test
    void aSecretWhoseClientIsGoneIsRemovedUnlessAReferenceNamesIt() {
        var made = resolved("{clientId: backend}").make().getFirst();
        secrets.put("acme-client-backend", made);

        assertThat(resolved("{clientId: other}", made).remove()).containsExactly(made);
        assertThat(resolved("{clientId: other, secretRef: {name: acme-client-backend}}", made)
                        .remove())
                .isEmpty();
    }

    @Test
    void aClientThatSignsHasNoSecretAndTheOneMadeBeforeGoes() {
        var made = resolved("{clientId: backend}").make().getFirst();
        secrets.put("acme-client-backend", made);

        var resolved = resolved(
                "{clientId: backend, tokenEndpointAuthMethod: private_key_jwt,"
                        + " jwks: {keys: [{kty: OKP, crv: Ed25519, x: AQAB}]}}",
                made);

        assertThat(resolved.values()).isEmpty();
        assertThat(resolved.make()).isEmpty();
        assertThat(resolved.mend()).isEmpty();
        assertThat(resolved.remove()).containsExactly(made);
        assertThat(resolved.clients()).containsExactly(new ClientStatus("backend", null, null, null));
    }

    @Test
    void whatAUserMadeIsNeverRemoved() {
        var users = new SecretBuilder(secret("notes", Map.of("text", "mine")))
                .editMetadata()
                .addNewOwnerReference()
                .withUid("tenant-uid")
                .endOwnerReference()
                .endMetadata()
                .build();

        assertThat(resolved("{clientId: backend}", users).remove()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"16", "512"})
    void theBoundsOfASecretAreFit(int length) {
        secrets.put("own", secret("own", Map.of("client-secret", "x".repeat(length))));

        assertThat(resolved("{clientId: backend, secretRef: {name: own}}").values())
                .containsEntry("backend", "x".repeat(length));
    }

    @ParameterizedTest
    @CsvSource({"15, SecretTooShort", "0, SecretTooShort", "513, SecretTooLong"})
    void beyondTheBoundsItIsNot(int length, String reason) {
        secrets.put("own", secret("own", Map.of("client-secret", "x".repeat(length))));

        assertThat(unresolved("{clientId: backend, secretRef: {name: own}}").reason())
                .isEqualTo(reason);
    }

    @ParameterizedTest
    @ValueSource(strings = {"hunter2-hunter2\n", "geheimnisvoll-ä", "a tab\tinside of it"})
    void aSecretIsPrintableAscii(String value) {
        secrets.put("own", secret("own", Map.of("client-secret", value)));

        var unresolved = unresolved("{clientId: backend, secretRef: {name: own}}");

        assertThat(unresolved.reason()).isEqualTo("SecretInvalid");
        assertThat(unresolved.message()).doesNotContain(value.strip());
    }

    @Test
    void aMissingReferenceIsNamed() {
        assertThat(unresolved("{clientId: backend, secretRef: {name: own}}"))
                .isEqualTo(new Unresolved("SecretNotFound", "client backend: there is no Secret own"));
        secrets.put("own", secret("own", Map.of("password", "x".repeat(20))));
        assertThat(unresolved("{clientId: backend, secretRef: {name: own, key: secret}}"))
                .isEqualTo(new Unresolved("SecretNotFound", "client backend: Secret own has no key secret"));
    }

    @Test
    void theOthersDoNotWaitForAClientWhoseSecretIsMissing() {
        var resolution = resolve("{clientId: late, secretRef: {name: own}}, {clientId: backend}");

        assertThat(resolution.values()).containsExactly(Map.entry("backend", RANDOM));
        assertThat(resolution.clients()).extracting("clientId").containsExactly("backend", "late");
        assertThat(resolution.unresolved()).hasSize(1);
    }

    @Test
    void aSecretOfAnotherOwnerIsLeftAlone() {
        secrets.put("acme-client-backend", secret("acme-client-backend", Map.of("client-secret", "x".repeat(20))));

        assertThat(unresolved("{clientId: backend}").reason()).isEqualTo("SecretNameTaken");
    }

    @Test
    void aResolutionPrintsNoSecret() {
        assertThat(resolved("{clientId: backend}").toString()).doesNotContain(RANDOM);
    }

    private Resolution resolved(String clients, Secret... owned) {
        var resolution = resolve(clients, owned);
        assertThat(resolution.unresolved()).isEmpty();
        return resolution;
    }

    private Unresolved unresolved(String clients) {
        var resolution = resolve(clients);
        assertThat(resolution.values()).isEmpty();
        assertThat(resolution.make()).isEmpty();
        return resolution.unresolved().getFirst();
    }

    private Resolution resolve(String clients, Secret... owned) {
        var tenant = Clients.serialization().unmarshal("""
                apiVersion: sekisho.dev/v1alpha1
                kind: Tenant
                metadata: {name: acme, namespace: demo, uid: tenant-uid}
                spec: {clusterRef: {name: main}, tenantId: acme, clients: [%s]}
                """.formatted(clients), Tenant.class);
        return new ClientSecrets(
                        tenant,
                        "https://idp.example/acme",
                        "1.2.3",
                        name -> Optional.ofNullable(secrets.get(name)),
                        () -> RANDOM)
                .resolve(List.of(owned));
    }

    private static Secret secret(String name, Map<String, String> data) {
        var encoded = new HashMap<String, String>();
        data.forEach((key, value) -> encoded.put(key, encode(value)));
        return new SecretBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("demo")
                .endMetadata()
                .withData(encoded)
                .build();
    }

    private static Secret with(Secret secret, String key, String value) {
        return new SecretBuilder(secret).addToData(key, encode(value)).build();
    }

    private static String encode(String text) {
        return Base64.getEncoder().encodeToString(Objects.requireNonNull(text).getBytes(StandardCharsets.UTF_8));
    }
}
