package dev.sekisho.idp.testing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.UUID;

/**
 * The body of a management PUT, as JSON that tests can bend.
 *
 * @param tree the declaration
 */
public record Declaration(ObjectNode tree) {
    private static final JsonMapper JSON = new JsonMapper();

    public static final String SECRET = "a-client-secret-of-the-tests";

    /** A tenant with no client. */
    public static Declaration of(String tenantId) {
        var tree = JSON.createObjectNode();
        tree.put("owner", "tenant/test/" + tenantId);
        var spec = tree.putObject("spec");
        spec.putObject("clusterRef").put("name", "main");
        spec.put("tenantId", tenantId);
        spec.putArray("clients");
        tree.putObject("clientSecrets");
        return new Declaration(tree);
    }

    /** A tenant id that no other test uses. */
    public static String freshId(String prefix) {
        return prefix + "-" + UUID.randomUUID().toString().substring(0, 8);
    }

    public Declaration client(String clientId, String method, String... scopes) {
        var client = spec().withArray("clients").addObject();
        client.put("clientId", clientId).put("tokenEndpointAuthMethod", method);
        client.putArray("grants").add("client_credentials");
        var array = client.putArray("scopes");
        List.of(scopes).forEach(array::add);
        return secret(clientId, SECRET);
    }

    /** A client that authenticates by private_key_jwt with the keys of a JWK Set. */
    public Declaration signingClient(String clientId, String jwks, String... scopes) {
        client(clientId, "private_key_jwt", scopes);
        tree.withObject("/clientSecrets").remove(clientId);
        var clients = spec().withArray("clients");
        try {
            ((ObjectNode) clients.get(clients.size() - 1)).set("jwks", JSON.readTree(jwks));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
        return this;
    }

    public Declaration secret(String clientId, String secret) {
        tree.withObject("/clientSecrets").put(clientId, secret);
        return this;
    }

    public Declaration owner(String owner) {
        tree.put("owner", owner);
        return this;
    }

    public ObjectNode spec() {
        return tree.withObject("/spec");
    }

    public String tenantId() {
        return spec().path("tenantId").asText();
    }

    public String ownerName() {
        return tree.path("owner").asText();
    }

    public String json() {
        return tree.toString();
    }
}
