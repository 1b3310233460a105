package dev.sekisho.idp.management;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.sekisho.idp.oauth.OAuthError;
import dev.sekisho.idp.oauth.OAuthException;
import dev.sekisho.idp.testing.Assertions;
import dev.sekisho.idp.testing.Declaration;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class DeclarationRulesTest {
    private static Declaration valid() {
        return Declaration.of("acme").client("app", "client_secret_basic", "read");
    }

    private static void check(Declaration declaration) {
        DeclarationRules.check("acme", DeclarationReader.read(declaration.json().getBytes(StandardCharsets.UTF_8)));
    }

    private static void client(
            Declaration declaration, Consumer<com.fasterxml.jackson.databind.node.ObjectNode> change) {
        change.accept((com.fasterxml.jackson.databind.node.ObjectNode)
                declaration.spec().withArray("clients").get(0));
    }

    /** What is wrong with a declaration, by the field that the refusal must name. */
    private static Map<String, List<Consumer<Declaration>>> mistakes() {
        Map<String, List<Consumer<Declaration>>> all = new LinkedHashMap<>();
        all.put(
                "owner ",
                List.of(
                        d -> d.tree().remove("owner"),
                        d -> d.owner(""),
                        d -> d.owner("acme"),
                        d -> d.owner("tenant/a"),
                        d -> d.owner("tenant/A/b"),
                        d -> d.owner("tenant/a/b/c"),
                        d -> d.owner("user/a/b"),
                        d -> d.owner("tenant/a/b\n")));
        all.put("spec ", List.of(d -> d.tree().remove("spec"), d -> d.tree().putNull("spec")));
        all.put(
                "spec.tenantId ",
                List.of(
                        d -> d.spec().remove("tenantId"),
                        d -> d.spec().put("tenantId", "other"),
                        d -> d.spec().put("tenantId", "No_Label")));
        all.put(
                "spec.displayName ",
                List.of(
                        d -> d.spec().put("displayName", "x".repeat(201)),
                        d -> d.spec().put("displayName", "a\0b"),
                        d -> d.spec().put("displayName", "a\nb")));
        all.put(
                "spec.tokens.accessTokenLifetime ",
                List.of(
                        d -> lifetime(d, "9s"),
                        d -> lifetime(d, "25h"),
                        d -> lifetime(d, "soon"),
                        d -> lifetime(d, "-5m"),
                        d -> lifetime(d, "999999999h")));
        all.put("spec.state ", List.of(d -> d.spec().put("state", "Paused")));
        all.put(
                "spec.signing.algorithm ",
                List.of(d -> d.spec().putObject("signing").put("algorithm", "none")));
        all.put("spec.clients ", List.of(d -> {
            for (int i = 0; i < 1000; i++) {
                d.client("c" + i, "client_secret_basic", "read");
            }
        }));
        all.put(
                "spec.clients[0].clientId ",
                List.of(
                        d -> client(d, c -> c.remove("clientId")),
                        d -> client(d, c -> c.put("clientId", "")),
                        d -> client(d, c -> c.put("clientId", "a b")),
                        d -> client(d, c -> c.put("clientId", "a".repeat(129)))));
        all.put("spec.clients[1].clientId ", List.of(d -> d.client("app", "client_secret_basic", "read")));
        all.put("spec.clients[0].name ", List.of(d -> client(d, c -> c.put("name", "\u0007"))));
        all.put("spec.clients[0].grants ", List.of(d -> client(d, c -> c.putArray("grants"))));
        all.put(
                "spec.clients[0].grants[0] ",
                List.of(d -> client(d, c -> c.putArray("grants").add("password"))));
        all.put(
                "spec.clients[0].tokenEndpointAuthMethod ",
                List.of(d -> client(d, c -> c.put("tokenEndpointAuthMethod", "none"))));
        all.put(
                "spec.clients[0].redirectUris[0] ",
                List.of(
                        d -> redirect(d, "http://example.com/"),
                        d -> redirect(d, "https://example.com/#x"),
                        d -> redirect(d, "https://*.example.com/"),
                        d -> redirect(d, "https://user@example.com/"),
                        d -> redirect(d, "javascript:alert(1)"),
                        d -> redirect(d, "https://example.com/\0"),
                        d -> redirect(d, "https://example.com/" + "x".repeat(2048))));
        all.put(
                "spec.clients[0].scopes[0] ",
                List.of(
                        d -> client(d, c -> c.putArray("scopes").add("a b")),
                        d -> client(d, c -> c.putArray("scopes").add("")),
                        d -> client(d, c -> c.putArray("scopes").add("a\"b")),
                        d -> client(d, c -> c.putArray("scopes").add("x".repeat(129)))));
        all.put(
                "spec.clients[0].scopes ",
                List.of(d -> client(d, c -> {
                    var scopes = c.putArray("scopes");
                    for (int i = 0; i < 201; i++) {
                        scopes.add("s" + i);
                    }
                })));
        all.put(
                "clientSecrets.app ",
                List.of(
                        d -> d.tree().putObject("clientSecrets"),
                        d -> d.secret("app", ""),
                        d -> d.secret("app", "fifteen-letters"),
                        d -> d.secret("app", "x".repeat(513)),
                        d -> d.secret("app", "with-a-newline-at-the-end\n"),
                        d -> d.secret("app", "with-a-letter-like-ä-in-it")));
        all.put("clientSecrets.signer ", List.of(d -> signing(d, c -> {}).secret("signer", Declaration.SECRET)));
        all.put(
                "spec.clients[0].jwks ",
                List.of(d -> client(
                        d, c -> c.putObject("jwks").putArray("keys").addObject().put("kty", "EC"))));
        all.put(
                "spec.clients[1].jwks ",
                List.of(d -> signing(d, c -> c.remove("jwks")), d -> signing(d, c -> c.putNull("jwks"))));
        all.put(
                "spec.clients[1].secretRef ",
                List.of(d -> signing(d, c -> c.putObject("secretRef").put("name", "s"))));
        all.put(
                "spec.clients[1].jwks.keys ",
                List.of(
                        d -> signing(d, c -> c.putObject("jwks")),
                        d -> signing(d, c -> c.putObject("jwks").putArray("keys")),
                        d -> signing(d, c -> {
                            var keys = c.putObject("jwks").putArray("keys");
                            for (int i = 0; i < 21; i++) {
                                keys.addObject().put("kty", "EC");
                            }
                        })));
        all.put(
                "spec.clients[1].jwks.keys[0] ",
                List.of(
                        d -> key(d, k -> k.remove("x")),
                        d -> key(d, k -> k.put("x", k.path("y").asText())),
                        d -> key(d, k -> k.put("x", "not base64url!")),
                        d -> key(d, k -> k.put("crv", "Ed25519")),
                        d -> key(d, k -> k.put("alg", "ES384")),
                        d -> key(d, k -> k.put("kty", "RSA").put("n", "AQAB").put("e", "AQAB"))));
        all.put("spec.clients[1].jwks.keys[0].kty ", List.of(d -> key(d, k -> k.put("kty", "oct"))));
        all.put("spec.clients[1].jwks.keys[0].alg ", List.of(d -> key(d, k -> k.put("alg", "HS256"))));
        all.put("spec.clients[1].jwks.keys[0].use ", List.of(d -> key(d, k -> k.put("use", "enc"))));
        all.put(
                "spec.clients[1].jwks.keys[0].kid ",
                List.of(
                        d -> key(d, k -> k.put("kid", "")),
                        d -> key(d, k -> k.put("kid", "a\0b")),
                        d -> key(d, k -> k.put("kid", "x".repeat(129)))));
        all.put("clientSecrets ", List.of(d -> d.secret("nobody", Declaration.SECRET)));
        return all;
    }

    private static final String JWKS = Assertions.signer("ES256").jwks();

    private static Declaration signing(
            Declaration declaration, Consumer<com.fasterxml.jackson.databind.node.ObjectNode> change) {
        declaration.signingClient("signer", JWKS, "read");
        change.accept((com.fasterxml.jackson.databind.node.ObjectNode)
                declaration.spec().withArray("clients").get(1));
        return declaration;
    }

    private static void key(Declaration declaration, Consumer<com.fasterxml.jackson.databind.node.ObjectNode> change) {
        signing(
                declaration,
                c -> change.accept((com.fasterxml.jackson.databind.node.ObjectNode)
                        c.path("jwks").path("keys").get(0)));
    }

    private static void lifetime(Declaration declaration, String text) {
        declaration.spec().putObject("tokens").put("accessTokenLifetime", text);
    }

    private static void redirect(Declaration declaration, String uri) {
        client(declaration, c -> c.putArray("redirectUris").add(uri));
    }

    @Test
    void everyMistakeIsRefusedNamingItsField() {
        mistakes().forEach((field, changes) -> {
            for (int i = 0; i < changes.size(); i++) {
                var declaration = valid();
                changes.get(i).accept(declaration);
                assertThat(catchThrowable(() -> check(declaration)))
                        .as("%s, mistake %d", field, i)
                        .isInstanceOfSatisfying(OAuthException.class, e -> {
                            assertThat(e.error()).isEqualTo(OAuthError.INVALID_REQUEST);
                            assertThat(e.description()).startsWith(field);
                        });
            }
        });
    }

    @Test
    void refusalsNeverQuoteASecret() {
        var declaration = valid().secret("app", "short-secret-é");
        assertThatThrownBy(() -> check(declaration)).hasMessageNotContaining("short-secret");
    }

    @Test
    void whatTheSchemaAllowsIsTaken() {
        var declaration = valid();
        declaration.spec().put("displayName", "Ácme & Söhne 名前 \uD83D\uDE00");
        lifetime(declaration, "1m30s500ms");
        redirect(declaration, "https://example.com:8443/cb?x=1");
        redirect(declaration, "http://127.0.0.1:1234/cb");
        redirect(declaration, "com.example.app:/callback");
        client(declaration, c -> c.putArray("scopes").add("https://example.com/scope:read!"));
        declaration.secret("app", "sixteen letters!");
        for (var algorithm : List.of("ES256", "ES384", "RS256", "PS256", "EdDSA")) {
            declaration.signingClient(algorithm, Assertions.signer(algorithm).jwks(), "read");
        }
        assertThatCode(() -> check(declaration)).doesNotThrowAnyException();
        assertThatCode(() -> check(Declaration.of("acme").owner("loadtest/ns/lt.1")))
                .doesNotThrowAnyException();
    }

    @Test
    void absentFieldsHaveTheirDefaults() {
        var declaration = Declaration.of("acme");
        declaration.spec().remove("clients");
        declaration.tree().remove("clientSecrets");
        assertThatCode(() -> check(declaration)).doesNotThrowAnyException();
    }
}
