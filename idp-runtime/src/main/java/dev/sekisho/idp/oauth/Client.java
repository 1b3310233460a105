package dev.sekisho.idp.oauth;

import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/**
 * A client as the token endpoint knows it.
 *
 * @param clientId its id
 * @param method how it authenticates
 * @param secretHash SHA-256 of its secret
 * @param grants what it may use
 * @param scopes what it may ask for
 */
public record Client(String clientId, Method method, SecretHash secretHash, Set<Grant> grants, Set<String> scopes) {
    public Client {
        grants = Set.copyOf(grants);
        scopes = Set.copyOf(scopes);
    }

    /** Client authentication methods (OpenID Connect Registration 1.0, section 2). */
    public enum Method {
        CLIENT_SECRET_BASIC("client_secret_basic"),
        CLIENT_SECRET_POST("client_secret_post");

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
