package dev.sekisho.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An OAuth client of a tenant.
 *
 * @param clientId its id, unique in the tenant
 * @param name what people call it
 * @param grants the grant types it may use (RFC 6749, section 1.3)
 * @param redirectUris where authorization answers may go: https, http on loopback, or a private-use scheme (RFC 8252)
 * @param scopes the scopes it may ask for
 * @param tokenEndpointAuthMethod how it authenticates (OpenID Connect Registration 1.0, section 2)
 * @param secretRef where its secret stands; absent: the operator makes one in a Secret of its own
 * @param jwks its public keys; there exactly if it authenticates by {@code private_key_jwt}
 */
@ValidationRule(
        value = "has(self.jwks) == (self.tokenEndpointAuthMethod == 'private_key_jwt')",
        message = "jwks must be set exactly if tokenEndpointAuthMethod is private_key_jwt",
        fieldPath = ".jwks")
@ValidationRule(
        value = "!has(self.secretRef) || self.tokenEndpointAuthMethod != 'private_key_jwt'",
        message = "secretRef must be absent if tokenEndpointAuthMethod is private_key_jwt: there is no secret",
        fieldPath = ".secretRef")
public record ClientSpec(
        @JsonPropertyDescription("The client's id, unique in the tenant.")
        @Required
        @Size(min = 1, max = 128) @Pattern("^[A-Za-z0-9._~-]+$") String clientId,

        @JsonPropertyDescription("What people call the client.") @Size(max = 200) @Nullable String name,

        @JsonPropertyDescription("The grant types that the client may use.")
        @Default("[\"client_credentials\"]")
        @Size(min = 1, max = 10) List<Grant> grants,

        @JsonPropertyDescription(
                "Where authorization answers may go, matched exactly: https, http on a loopback host, or a"
                        + " private-use scheme that contains a dot (com.example.app:/callback). No fragment, no"
                        + " wildcard.")
        @Default("[]")
        @Size(max = 100) List<@Pattern(REDIRECT_URI) @Size(max = 2048) String> redirectUris,

        @JsonPropertyDescription("The scopes that the client may ask for.") @Default("[]") @Size(max = 200) List<@Pattern("^[\\x21\\x23-\\x5B\\x5D-\\x7E]{1,128}$") @Size(max = 128) String> scopes,

        @JsonPropertyDescription(
                "How the client authenticates. private_key_jwt: by an assertion signed with one of jwks; it has no secret.")
        @Default("client_secret_basic")
        AuthMethod tokenEndpointAuthMethod,

        @JsonPropertyDescription(
                "The Secret that holds the client's secret, in the Tenant's namespace. Absent: the operator makes one,"
                        + " and names it in status.clients. Not for private_key_jwt.")
        @Nullable SecretKeyRef secretRef,

        @JsonPropertyDescription("The client's public keys, of private_key_jwt.") @Nullable ClientJwks jwks) {

    private static final String HOST = "([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?"
            + "(\\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*|\\[[0-9A-Fa-f:.]+\\])";
    private static final String PORT = "(:[0-9]{1,5})?";

    // What RFC 3986, appendix A, has for path and query, but the asterisk, and brackets, which browsers send as they
    // are.
    private static final String REST = "[A-Za-z0-9._~:/?@!$&'()+,;=%\\[\\]-]*";

    /** Redirect URIs that are safe to register (RFC 8252, section 7; RFC 9700, section 4.1); ASCII without controls. */
    public static final String REDIRECT_URI = "^(https://" + HOST + PORT + "([/?]" + REST + ")?"
            + "|http://(localhost|127\\.0\\.0\\.1|\\[::1\\])" + PORT + "([/?]" + REST + ")?"
            + "|[a-z][a-z0-9+-]*(\\.[a-z0-9+-]+)+:/" + REST + ")$";

    public ClientSpec {
        grants = grants == null ? List.of(Grant.CLIENT_CREDENTIALS) : List.copyOf(grants);
        redirectUris = Defaults.list(redirectUris);
        scopes = Defaults.list(scopes);
        tokenEndpointAuthMethod = Defaults.or(tokenEndpointAuthMethod, AuthMethod.CLIENT_SECRET_BASIC);
    }

    /** Grant types. */
    public enum Grant {
        /** RFC 6749, section 4.4. */
        @JsonProperty("client_credentials")
        CLIENT_CREDENTIALS
    }

    /** Client authentication methods. */
    public enum AuthMethod {
        /** RFC 6749, section 2.3.1, by the Authorization header. */
        @JsonProperty("client_secret_basic")
        CLIENT_SECRET_BASIC,
        /** RFC 6749, section 2.3.1, in the body. */
        @JsonProperty("client_secret_post")
        CLIENT_SECRET_POST,
        /** RFC 7523, section 2.2. */
        @JsonProperty("private_key_jwt")
        PRIVATE_KEY_JWT
    }

    /**
     * A key of a Secret.
     *
     * @param name the Secret's name
     * @param key the key in it
     */
    public record SecretKeyRef(
            @JsonPropertyDescription("Name of the Secret.") @Required @Size(min = 1, max = 253) String name,

            @JsonPropertyDescription("Key in the Secret.") @Default("client-secret") @Size(min = 1, max = 253) String key) {
        public SecretKeyRef {
            key = Defaults.or(key, "client-secret");
        }
    }
}
