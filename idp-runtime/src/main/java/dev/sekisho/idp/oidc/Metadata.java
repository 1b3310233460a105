package dev.sekisho.idp.oidc;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.sekisho.idp.oauth.Client;
import dev.sekisho.idp.oauth.Grant;
import dev.sekisho.idp.oauth.SignatureAlgorithm;
import dev.sekisho.idp.oauth.TokenEndpoint;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Authorization server metadata (RFC 8414, section 2; OpenID Connect Discovery 1.0, section 3). Lists only what works,
 * so it grows with the server: no authorization endpoint yet, hence no response types.
 */
public final class Metadata {
    private static final JsonMapper JSON = new JsonMapper();

    private Metadata() {}

    /** Where a tenant's public keys are. */
    public static String jwksUri(String issuer) {
        return issuer + "/v1/jwks";
    }

    /** The metadata of an issuer as JSON. */
    public static byte[] render(String issuer) {
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("issuer", issuer);
        metadata.put("token_endpoint", issuer + TokenEndpoint.PATH);
        metadata.put("jwks_uri", jwksUri(issuer));
        metadata.put("response_types_supported", List.of());
        metadata.put(
                "grant_types_supported",
                Arrays.stream(Grant.values()).map(Grant::code).toList());
        metadata.put(
                "token_endpoint_auth_methods_supported",
                Arrays.stream(Client.Method.values()).map(Client.Method::code).toList());
        metadata.put(
                "token_endpoint_auth_signing_alg_values_supported",
                Arrays.stream(SignatureAlgorithm.values())
                        .map(SignatureAlgorithm::code)
                        .toList());
        metadata.put("subject_types_supported", List.of("public"));
        metadata.put("id_token_signing_alg_values_supported", List.of("RS256"));
        try {
            return JSON.writeValueAsBytes(metadata);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot render metadata", e);
        }
    }
}
