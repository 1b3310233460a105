package dev.sekisho.idp.keys;

/**
 * A signing key as it is stored.
 *
 * @param kid its id: the JWK thumbprint (RFC 7638) of its public half, so that the two cannot be mixed up
 * @param algorithm what it signs
 * @param state whether it signs, or is only published
 * @param publicJwk its public half as a JWK
 * @param sealed its private half, encrypted by {@link KeySealer}, in Base64
 */
public record StoredKey(String kid, Algorithm algorithm, State state, String publicJwk, String sealed) {
    /** Life of a key. */
    public enum State {
        /** Published, not yet used. */
        NEXT,
        /** Signs. */
        ACTIVE,
        /** Published for as long as its tokens live. */
        RETIRED
    }

    @Override
    public String toString() {
        return "StoredKey[kid=" + kid + ", algorithm=" + algorithm + ", state=" + state + "]";
    }
}
