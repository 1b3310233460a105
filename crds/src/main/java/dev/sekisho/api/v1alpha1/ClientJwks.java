package dev.sekisho.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The public keys of a client (RFC 7517, section 5). There is no room for the private half.
 *
 * @param keys 1 to 20 keys, so that a new one can stand beside the old one while it is rolled out
 */
public record ClientJwks(
        @JsonPropertyDescription("The keys. A new one may stand beside the old one while it is rolled out.")
        @Required
        @Size(min = 1, max = 20) List<Key> keys) {

    /** Base64url without padding (RFC 7515, section 2). */
    public static final String BASE64URL = "^[A-Za-z0-9_-]+$";

    public ClientJwks {
        keys = Defaults.list(keys);
    }

    /**
     * A public JWK (RFC 7517, section 4; RFC 7518, section 6; RFC 8037, section 2).
     *
     * @param kty the family of algorithms
     * @param kid its id, which assertions name in their header
     * @param use what it is for
     * @param alg the only algorithm that it is for; absent: each that fits
     * @param crv the curve, of EC and OKP keys
     * @param x the x coordinate, or the whole key of an OKP key
     * @param y the y coordinate, of EC keys
     * @param n the modulus, of RSA keys, 2,048 to 8,192 bits
     * @param e the exponent, of RSA keys
     */
    @ValidationRule(
            value = "self.kty == 'RSA' ? has(self.n) && has(self.e) && !has(self.crv) && !has(self.x) && !has(self.y)"
                    + " : has(self.crv) && has(self.x) && !has(self.n) && !has(self.e)"
                    + " && has(self.y) == (self.kty == 'EC')",
            message = "an RSA key has n and e, an EC key crv, x and y, an OKP key crv and x; and no others")
    public record Key(
            @JsonPropertyDescription("RSA, EC or OKP.") @Required
            Type kty,

            @JsonPropertyDescription("The key's id, which assertions name in their header.")
            @Size(min = 1, max = 128) @Nullable String kid,

            @JsonPropertyDescription("What the key is for.") @Nullable Use use,

            @JsonPropertyDescription("The only algorithm that the key is for. Absent: each that fits it.") @Nullable Algorithm alg,

            @JsonPropertyDescription("The curve of an EC or OKP key.") @Nullable Curve crv,

            @JsonPropertyDescription("Coordinate of an EC or OKP key.")
            @Size(min = 1, max = 88) @Pattern(BASE64URL) @Nullable String x,

            @JsonPropertyDescription("Coordinate of an EC key.") @Size(min = 1, max = 88) @Pattern(BASE64URL) @Nullable String y,

            @JsonPropertyDescription("Modulus of an RSA key, 2048 to 8192 bits.")
            @Size(min = 1, max = 1368) @Pattern(BASE64URL) @Nullable String n,

            @JsonPropertyDescription("Exponent of an RSA key.") @Size(min = 1, max = 11) @Pattern(BASE64URL) @Nullable String e) {}

    /** Families of algorithms. */
    public enum Type {
        RSA,
        EC,
        OKP
    }

    /** What a key is for. */
    public enum Use {
        /** Signatures. */
        @JsonProperty("sig")
        SIGNATURE
    }

    /** JWS algorithms (RFC 7518, section 3.1; RFC 8037, section 3.1) that an assertion may be signed with. */
    public enum Algorithm {
        ES256,
        ES384,
        PS256,
        RS256,
        @JsonProperty("EdDSA")
        EDDSA
    }

    /** Curves (RFC 7518, section 6.2.1.1; RFC 8037, section 2). */
    public enum Curve {
        @JsonProperty("P-256")
        P256,
        @JsonProperty("P-384")
        P384,
        @JsonProperty("Ed25519")
        ED25519
    }
}
