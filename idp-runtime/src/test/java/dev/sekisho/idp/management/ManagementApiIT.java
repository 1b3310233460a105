package dev.sekisho.idp.management;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sekisho.idp.ConfigurationException;
import dev.sekisho.idp.IdpRuntime;
import dev.sekisho.idp.Setting;
import dev.sekisho.idp.testing.Declaration;
import dev.sekisho.idp.testing.Environment;
import dev.sekisho.idp.testing.RuntimeClient;
import dev.sekisho.idp.testing.TestCertificates;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ManagementApiIT {
    private final Environment environment = Environment.shared();
    private final IdpRuntime runtime = environment.runtime();
    private final RuntimeClient client = environment.client(runtime);
    private Declaration declaration = Declaration.of("unused");
    private String id = "unused";

    @BeforeEach
    void newTenant() {
        id = Declaration.freshId("managed");
        declaration = Declaration.of(id).client("app", "client_secret_basic", "read", "write");
    }

    @AfterAll
    void stop() {
        client.close();
        runtime.close();
    }

    private RuntimeClient.Reply put() {
        var reply = client.put(declaration);
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        return reply;
    }

    private int tokenStatus(String clientId, String secret) {
        return client.token(id, clientId, secret, "grant_type=client_credentials&scope=read")
                .status();
    }

    @Test
    void theStateSaysWhatWasMade() {
        var state = put().json();
        var issuer = Environment.PUBLIC_URL + "/" + id;
        assertThat(state.path("tenantId").asText()).isEqualTo(id);
        assertThat(state.path("issuer").asText()).isEqualTo(issuer);
        assertThat(state.path("jwksUri").asText()).isEqualTo(issuer + "/v1/jwks");
        assertThat(state.path("version").asLong()).isEqualTo(1);
        assertThat(state.path("changed").asBoolean()).isTrue();
        assertThat(state.path("keys")).hasSize(2).allSatisfy(key -> {
            assertThat(key.path("state").asText()).isEqualTo("active");
            assertThat(client.get("/" + id + "/v1/jwks").body())
                    .contains(key.path("kid").asText());
        });
        assertThat(state.toString()).doesNotContain(Declaration.SECRET);
    }

    @Test
    void theSameDeclarationAgainChangesNothing() {
        put();
        declaration.spec().put("fieldOfALaterVersion", "ignored");
        var again = put().json();
        assertThat(again.path("changed").asBoolean()).isFalse();
        assertThat(again.path("version").asLong()).isEqualTo(1);
        var state = client.manage("GET", id, "").json();
        assertThat(state.path("version").asLong()).isEqualTo(1);
        assertThat(state.path("keys")).isEqualTo(again.path("keys"));
    }

    @Test
    void everyChangeIsAVersionAndIsServedAtOnce() {
        put();
        assertThat(tokenStatus("app", Declaration.SECRET)).isEqualTo(200);
        List<Consumer<Declaration>> changes = List.of(
                d -> d.spec().put("displayName", "Näme"),
                d -> d.spec().putObject("tokens").put("accessTokenLifetime", "10m"),
                d -> d.spec().putObject("signing").put("algorithm", "RS256"),
                d -> d.client("second", "client_secret_post", "read"),
                d -> d.secret("app", "another-secret-of-the-tests"));
        long version = 1;
        for (var change : changes) {
            change.accept(declaration);
            var state = put().json();
            assertThat(state.path("changed").asBoolean()).isTrue();
            assertThat(state.path("version").asLong()).isEqualTo(++version);
        }
        assertThat(tokenStatus("app", Declaration.SECRET)).isEqualTo(401);
        assertThat(tokenStatus("app", "another-secret-of-the-tests")).isEqualTo(200);
    }

    @Test
    void clientsThatAreNotDeclaredAnyMoreAreRemoved() {
        declaration.client("gone", "client_secret_basic", "read");
        put();
        assertThat(tokenStatus("gone", Declaration.SECRET)).isEqualTo(200);
        declaration = Declaration.of(id).client("app", "client_secret_basic", "read", "write");
        assertThat(put().json().path("changed").asBoolean()).isTrue();
        assertThat(tokenStatus("gone", Declaration.SECRET)).isEqualTo(401);
        assertThat(tokenStatus("app", Declaration.SECRET)).isEqualTo(200);
    }

    @Test
    void whateverSomebodyChangedInTheDatabaseIsPutRight() throws SQLException {
        var before = put().json();
        var key = before.path("key").asText();
        for (var drift : List.of(
                "update sekisho.tenant set access_token_lifetime_seconds = 7",
                "update sekisho.tenant set display_name = 'x'",
                "update sekisho.tenant set signing_algorithm = 'RS256'",
                "update sekisho.tenant set state = 'SUSPENDED'",
                "update sekisho.client set scopes = array['admin']",
                "update sekisho.client set scopes = array['read', 'read', null]",
                "update sekisho.client set grants = array['client_credentials', 'password']",
                "update sekisho.client set auth_method = 'none'",
                "update sekisho.client set secret_sha256 = null",
                "update sekisho.client set secret_sha256 = repeat('0', 64)",
                "update sekisho.client set redirect_uris = array['https://evil.example/']",
                "delete from sekisho.client",
                "insert into sekisho.client select tenant_id, 'intruder', name, grants, redirect_uris, scopes,"
                        + " auth_method, secret_sha256 from sekisho.client",
                "update sekisho.signing_key set public_jwk = '{\"kty\":\"oct\",\"k\":\"AAAA\"}'",
                "update sekisho.signing_key set public_jwk = 'no json'")) {
            try (var admin = environment.postgres().admin(Environment.DATABASE);
                    var statement = admin.createStatement()) {
                assertThat(statement.executeUpdate(drift + " where tenant_id = '" + key + "'"))
                        .as(drift)
                        .isPositive();
            }
            assertThat(put().json().path("changed").asBoolean()).as(drift).isTrue();
            assertThat(put().json().path("changed").asBoolean()).as(drift).isFalse();
            assertThat(tokenStatus("app", Declaration.SECRET)).as(drift).isEqualTo(200);
        }
        assertThat(put().json().path("keys")).isEqualTo(before.path("keys"));
    }

    @Test
    void aMissingKeyIsMadeAgain() throws SQLException {
        var before = put().json();
        try (var admin = environment.postgres().admin(Environment.DATABASE);
                var statement = admin.createStatement()) {
            statement.executeUpdate("delete from sekisho.signing_key where algorithm = 'ES256' and tenant_id = '"
                    + before.path("key").asText() + "'");
        }
        var after = put().json();
        assertThat(after.path("changed").asBoolean()).isTrue();
        assertThat(after.path("keys")).hasSize(2).isNotEqualTo(before.path("keys"));
        assertThat(tokenStatus("app", Declaration.SECRET)).isEqualTo(200);
    }

    @Test
    void keysThatDoNotOpenAreNeverReinvented() throws SQLException {
        var key = put().json().path("key").asText();
        try (var admin = environment.postgres().admin(Environment.DATABASE);
                var statement = admin.createStatement()) {
            statement.executeUpdate(
                    "update sekisho.signing_key set sealed_private_key = (select sealed_private_key from"
                            + " sekisho.signing_key where tenant_id <> '" + key + "' limit 1) where tenant_id = '" + key
                            + "'");
        }
        var reply = client.put(declaration);
        assertThat(reply.status()).isEqualTo(503);
        assertThat(reply.json().path("error_description").asText()).contains("key-encryption key");
    }

    @Test
    void aTenantOfAnotherKeyEncryptionKeyStillPublishesItsKeys() {
        put();
        var settings = environment.settings();
        settings.put(
                Setting.KEY_ENCRYPTION_KEY_FILE,
                environment.file("other-kek", Environment.keyEncryptionKey(2)).toString());
        try (var other = environment.runtime(settings);
                var atOther = environment.client(other)) {
            assertThat(atOther.get("/" + id + "/v1/jwks").status()).isEqualTo(200);
            var token = atOther.token(id, "app", Declaration.SECRET, "grant_type=client_credentials&scope=read");
            assertThat(token.status()).isEqualTo(503);
            assertThat(token.header("Retry-After")).isNotEmpty();
            assertThat(atOther.put(declaration).status()).isEqualTo(503);
        }
    }

    @Test
    void theFirstOwnerKeepsTheTenantId() {
        put();
        var first = declaration.ownerName();
        var taken = client.put(declaration.owner("tenant/other/" + id));
        assertThat(taken.status()).isEqualTo(409);
        assertThat(taken.error()).isEqualTo("tenant_id_conflict");
        for (var policy : List.of("Retain", "Delete")) {
            assertThat(client.manage("DELETE", id + "?owner=tenant/other/x&policy=" + policy, "")
                            .status())
                    .isEqualTo(409);
        }
        declaration.owner(first);
        assertThat(put().json().path("changed").asBoolean()).isFalse();
    }

    @Test
    void aRetainedTenantIsOutOfServiceUntilItsOwnerDeclaresItAgain() {
        var before = put().json();
        var delete = id + "?owner=" + declaration.ownerName() + "&policy=Retain";
        for (int i = 0; i < 2; i++) {
            assertThat(client.manage("DELETE", delete, "").status()).isEqualTo(204);
            assertThat(client.get("/" + id + "/v1/jwks").status()).isEqualTo(404);
            assertThat(client.manage("GET", id, "").status()).isEqualTo(404);
        }
        assertThat(client.put(declaration.owner("tenant/other/x")).status()).isEqualTo(409);
        declaration.owner("tenant/test/" + id);
        var after = put().json();
        assertThat(after.path("keys")).isEqualTo(before.path("keys"));
        assertThat(client.get("/" + id + "/v1/jwks").status()).isEqualTo(200);
    }

    @Test
    void aDeletedTenantIsGoneAndAnybodyMayHaveItsId() {
        var before = put().json();
        var delete = id + "?owner=" + declaration.ownerName() + "&policy=Delete";
        assertThat(client.manage("DELETE", delete, "").status()).isEqualTo(204);
        assertThat(client.manage("DELETE", delete, "").status()).isEqualTo(204);
        assertThat(client.get("/" + id + "/v1/jwks").status()).isEqualTo(404);
        var after = client.put(declaration.owner("tenant/other/x"));
        assertThat(after.status()).isEqualTo(200);
        assertThat(after.json().path("keys")).isNotEqualTo(before.path("keys"));
        assertThat(client.get("/" + id + "/v1/jwks").status()).isEqualTo(200);
    }

    @Test
    void aSuspendedTenantAnswersAsIfItDidNotExist() {
        put();
        declaration.spec().put("state", "Suspended");
        put();
        assertThat(client.get("/" + id + "/v1/jwks").status()).isEqualTo(404);
        assertThat(tokenStatus("app", Declaration.SECRET)).isEqualTo(404);
        assertThat(client.manage("GET", id, "").status()).isEqualTo(200);
        declaration.spec().put("state", "Active");
        put();
        assertThat(tokenStatus("app", Declaration.SECRET)).isEqualTo(200);
    }

    @Test
    void concurrentPutsEndWithOneOfThem() throws Exception {
        try (var threads = Executors.newFixedThreadPool(8)) {
            var puts = new ArrayList<Callable<RuntimeClient.Reply>>();
            for (int i = 0; i < 8; i++) {
                var mine = Declaration.of(id).client("app", "client_secret_basic", "read");
                mine.spec().put("displayName", "name " + i);
                puts.add(() -> client.put(mine));
            }
            for (var reply : threads.invokeAll(puts)) {
                assertThat(reply.get().status()).isEqualTo(200);
                assertThat(reply.get().json().path("keys"))
                        .isEqualTo(client.manage("GET", id, "").json().path("keys"));
            }
        }
        assertThat(client.manage("GET", id, "").json().path("version").asLong()).isEqualTo(8);
    }

    @Test
    void withoutTheTokenThereIsNothing() {
        put();
        for (var authorization :
                List.of("", "Bearer", "Bearer ", "Bearer wrong", "Basic " + Environment.MANAGEMENT_TOKEN)) {
            for (var path : List.of("/management/v1/tenants/" + id, "/management/v1/tenants/", "/x", "/")) {
                var reply = client.send(
                        HttpRequest.newBuilder(client.managementUri(path)).header("Authorization", authorization));
                assertThat(reply.status()).as("%s %s", authorization, path).isEqualTo(401);
                assertThat(reply.error()).isEqualTo("invalid_token");
                assertThat(reply.header("WWW-Authenticate")).startsWith("Bearer");
            }
        }
        assertThat(client.send(HttpRequest.newBuilder(client.managementUri("/management/v1/tenants/" + id)))
                        .status())
                .isEqualTo(401);
    }

    @Test
    void otherPathsAndMethodsAreRefused() {
        assertThat(client.manage("GET", "", "").status()).isEqualTo(404);
        assertThat(client.manage("GET", id + "/keys", "").status()).isEqualTo(404);
        assertThat(client.manage("GET", "never-declared", "").status()).isEqualTo(404);
        assertThat(client.manage("GET", "Not_A_Tenant", "").status()).isEqualTo(400);
        var post = client.manage("POST", id, "{}");
        assertThat(post.status()).isEqualTo(405);
        assertThat(post.header("Allow")).isEqualTo("DELETE, GET, PUT");
        assertThat(client.manage("DELETE", id, "").status()).isEqualTo(400);
        assertThat(client.manage("DELETE", id + "?owner=x", "").status()).isEqualTo(400);
        assertThat(client.manage("DELETE", id + "?owner=tenant/a/b&policy=Maybe", "")
                        .status())
                .isEqualTo(400);
    }

    @Test
    void bodiesThatAreNoDeclarationAreRefusedWithoutQuotingThem() {
        for (var body : List.of(
                "no json with " + Declaration.SECRET,
                "[]",
                "null",
                "{}",
                "{\"owner\":\"tenant/a/b\"}",
                declaration.json().replace("\"read\"", "null"),
                declaration.json().replace("\"" + Declaration.SECRET + "\"", "[\"" + Declaration.SECRET + "\"]"),
                declaration.json().replace("\"" + Declaration.SECRET + "\"", "null"),
                declaration.json() + "x",
                "[".repeat(5000),
                "\"" + "x".repeat(100_000) + "\"")) {
            var reply = client.manage("PUT", id, body);
            assertThat(reply.status())
                    .as(body.substring(0, Math.min(80, body.length())))
                    .isEqualTo(400);
            assertThat(reply.error()).isEqualTo("invalid_request");
            assertThat(reply.body()).doesNotContain(Declaration.SECRET);
        }
        var send = client.send(HttpRequest.newBuilder(client.managementUri("/management/v1/tenants/" + id))
                .header("Authorization", "Bearer " + Environment.MANAGEMENT_TOKEN)
                .PUT(BodyPublishers.ofByteArray(new byte[] {0, (byte) 0xff, 1})));
        assertThat(send.status()).isEqualTo(400);
    }

    @Test
    void aRotatedTokenIsTakenWithoutRestart() {
        var settings = environment.settings();
        var token = environment.file(
                "rotated-token", "first-token-of-this-test\n".getBytes(java.nio.charset.StandardCharsets.UTF_8));
        settings.put(Setting.MANAGEMENT_TOKEN_FILE, token.toString());
        try (var other = environment.runtime(settings);
                var atOther = environment.client(other)) {
            var request = HttpRequest.newBuilder(atOther.managementUri("/management/v1/tenants/" + id));
            assertThat(atOther.send(request.copy().header("Authorization", "Bearer first-token-of-this-test"))
                            .status())
                    .isEqualTo(404);
            environment.file(
                    "rotated-token", "second-token-of-this-test".getBytes(java.nio.charset.StandardCharsets.UTF_8));
            assertThat(atOther.send(request.copy().header("Authorization", "Bearer first-token-of-this-test"))
                            .status())
                    .isEqualTo(401);
            assertThat(atOther.send(request.copy().header("Authorization", "Bearer second-token-of-this-test"))
                            .status())
                    .isEqualTo(404);
        }
    }

    @Test
    void aRenewedCertificateIsServedWithoutRestart(@TempDir Path directory) throws Exception {
        var certificates = TestCertificates.in(directory);
        var settings = environment.settings();
        settings.put(
                Setting.MANAGEMENT_TLS_CERT_FILE, certificates.certificate().toString());
        settings.put(Setting.MANAGEMENT_TLS_KEY_FILE, certificates.key().toString());
        try (var other = environment.runtime(settings)) {
            var first = served(certificates, other);
            assertThat(served(certificates, other)).isEqualTo(first);
            certificates.renew();
            assertThat(served(certificates, other)).isNotEqualTo(first);
        }
    }

    private static java.math.BigInteger served(TestCertificates certificates, IdpRuntime runtime) throws Exception {
        try (var socket = (javax.net.ssl.SSLSocket)
                certificates.trusting().getSocketFactory().createSocket("127.0.0.1", runtime.managementPort())) {
            socket.startHandshake();
            var leaf = (java.security.cert.X509Certificate) socket.getSession().getPeerCertificates()[0];
            return leaf.getSerialNumber();
        }
    }

    @Test
    void aTokenThatIsTooShortLetsNobodyIn() {
        var settings = environment.settings();
        settings.put(
                Setting.MANAGEMENT_TOKEN_FILE,
                environment
                        .file("emptied-token", "long-enough-at-first".getBytes(java.nio.charset.StandardCharsets.UTF_8))
                        .toString());
        try (var other = environment.runtime(settings);
                var atOther = environment.client(other)) {
            environment.file("emptied-token", new byte[0]);
            for (var authorization : List.of("Bearer ", "Bearer long-enough-at-first")) {
                assertThat(atOther.send(HttpRequest.newBuilder(atOther.managementUri("/management/v1/tenants/" + id))
                                        .header("Authorization", authorization))
                                .status())
                        .isEqualTo(401);
            }
            assertThatThrownBy(() -> environment.runtime(settings).close())
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("SEKISHO_MANAGEMENT_TOKEN_FILE");
        }
    }
}
