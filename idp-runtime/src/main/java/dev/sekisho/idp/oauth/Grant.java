package dev.sekisho.idp.oauth;

import java.util.Arrays;
import java.util.Optional;

/** Grant types that work. */
public enum Grant {
    /** RFC 6749, section 4.4. */
    CLIENT_CREDENTIALS("client_credentials");

    private final String code;

    Grant(String code) {
        this.code = code;
    }

    /** The value of {@code grant_type}. */
    public String code() {
        return code;
    }

    /** The grant of a code, if it works here. */
    public static Optional<Grant> of(String code) {
        return Arrays.stream(values()).filter(g -> g.code.equals(code)).findFirst();
    }
}
