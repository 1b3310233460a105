package dev.sekisho.idp.oauth;

import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/**
 * A client as the endpoints know it.
 *
 * @param clientId its id
 * @param credential what it authenticates by
 * @param grants what it may use
 * @param scopes what it may ask for
 */
public record Client(String clientId, Credential credential, Set<Grant> grants, Set<String> scopes) {
    public Client {
        grants = Set.copyOf(grants);
        scopes = Set.copyOf(scopes);
    }

    /** A client with a secret. */
    public Client(String clientId, Method method, SecretHash secretHash, Set<Grant> grants, Set<String> scopes) {
        this(clientId, new Credential.Secret(method, secretHash), grants, scopes);
    }

    /** What a client authenticates by. */
    public sealed interface Credential {
        /**
         * A secret.
         *
         * @param method how it is sent
         * @param hash SHA-256 of it
         */
        record Secret(Method method, SecretHash hash) implements Credential {}

        /** Keys that sign assertions. */
        record Keys(ClientKeys keys) implements Credential {}
    }

    /** Client authentication methods (OpenID Connect Registration 1.0, section 2; Core 1.0, section 9). */
    public enum Method {
        CLIENT_SECRET_BASIC("client_secret_basic"),
        CLIENT_SECRET_POST("client_secret_post"),
        PRIVATE_KEY_JWT("private_key_jwt");

        private final String code;

        Method(String code) {
            this.code = code;
        }

        /** The method of a name, if it works here. */
        public static Optional<Method> of(String code) {
            return Arrays.stream(values()).filter(m -> m.code.equals(code)).findFirst();
        }

        /** The registered name. */
        public String code() {
            return code;
        }
    }
}
