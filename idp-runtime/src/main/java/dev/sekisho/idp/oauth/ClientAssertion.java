package dev.sekisho.idp.oauth;

import com.nimbusds.jose.util.JSONObjectUtils;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A JWT by which a client authenticates: {@code private_key_jwt} (RFC 7523, sections 2.2 and 3; OpenID Connect Core 1.0,
 * section 9). Pure: whether it has been used before is for {@link UsedAssertions} to say.
 */
final class ClientAssertion {
    /** The value of {@code client_assertion_type}. */
    static final String TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

    /** In characters. */
    static final int LONGEST = 16 * 1024;

    /** In characters. */
    static final int LONGEST_JTI = 256;

    /** How far ahead {@code exp} may be. */
    static final Duration LONGEST_LIFE = Duration.ofHours(1);

    /** So much may clocks differ. */
    static final Duration LEEWAY = Duration.ofSeconds(10);

    private static final Pattern COMPACT = Pattern.compile("[A-Za-z0-9_-]++\\.[A-Za-z0-9_-]++\\.[A-Za-z0-9_-]++");

    private final SignatureAlgorithm algorithm;
    private final Optional<String> kid;
    private final byte[] signed;
    private final byte[] signature;
    private final Map<String, Object> claims;
    private final String clientId;

    private ClientAssertion(
            SignatureAlgorithm algorithm,
            Optional<String> kid,
            byte[] signed,
            byte[] signature,
            Map<String, Object> claims,
            String clientId) {
        this.algorithm = algorithm;
        this.kid = kid;
        this.signed = signed;
        this.signature = signature;
        this.claims = claims;
        this.clientId = clientId;
    }

    /**
     * What a verified assertion leaves to be remembered.
     *
     * @param jti its id, unique to the client
     * @param expiresAt when nobody takes it any more, apart from {@link #LEEWAY}
     */
    record Use(String jti, Instant expiresAt) {}

    /**
     * Reads an assertion; nothing in it is true yet.
     *
     * @throws OAuthException {@code invalid_client} when it is no JWS in compact form, has an algorithm that is not
     *     allowed or a critical header, or does not name one client as {@code iss} and {@code sub}
     */
    static ClientAssertion parse(String compact) {
        if (compact.length() > LONGEST || !COMPACT.matcher(compact).matches()) {
            throw refusal();
        }
        int first = compact.indexOf('.');
        int second = compact.indexOf('.', first + 1);
        var header = json(compact.substring(0, first));
        var claims = json(compact.substring(first + 1, second));
        if (header.containsKey("crit") || header.containsKey("b64")) {
            throw refusal();
        }
        var algorithm = text(header, "alg").flatMap(SignatureAlgorithm::of).orElseThrow(ClientAssertion::refusal);
        if (header.containsKey("kid") && text(header, "kid").isEmpty()) {
            throw refusal();
        }
        var issuer = text(claims, "iss").orElseThrow(ClientAssertion::refusal);
        if (!text(claims, "sub").equals(Optional.of(issuer))) {
            throw refusal();
        }
        return new ClientAssertion(
                algorithm,
                text(header, "kid"),
                compact.substring(0, second).getBytes(StandardCharsets.US_ASCII),
                bytes(compact.substring(second + 1)),
                claims,
                issuer);
    }

    /** Who it says that made it. */
    String clientId() {
        return clientId;
    }

    /**
     * Checks that the client made it, for this server, and that it is valid now.
     *
     * @param keys the client's; {@link ClientKeys#NONE} costs the same work
     * @param audiences one of which it must name
     * @throws OAuthException {@code invalid_client}; says why only to whoever has the key
     */
    Use verify(ClientKeys keys, Set<String> audiences, Instant now) {
        var key = kid.isPresent() ? keys.find(algorithm, kid.get()) : keys.find(algorithm);
        if (key.isEmpty()) {
            algorithm.pretend(signed, signature);
            throw refusal();
        }
        if (!algorithm.verifies(key.get(), signed, signature)) {
            throw refusal();
        }
        require(names(audiences), "aud names neither the issuer nor the token endpoint nor this one.");
        var expiry = time("exp").orElseThrow(() -> refusal("exp is missing."));
        require(now.isBefore(expiry.plus(LEEWAY)), "it has expired.");
        require(
                !expiry.isAfter(now.plus(LONGEST_LIFE).plus(LEEWAY)),
                "exp is more than " + LONGEST_LIFE.toMinutes() + " minutes ahead.");
        for (var claim : List.of("iat", "nbf")) {
            require(
                    time(claim).filter(t -> t.isAfter(now.plus(LEEWAY))).isEmpty(),
                    claim + " is in the future; compare the clocks.");
        }
        var jti = text(claims, "jti").orElse("");
        require(!jti.isEmpty() && jti.length() <= LONGEST_JTI, "jti must have 1 to " + LONGEST_JTI + " characters.");
        return new Use(jti, expiry);
    }

    private boolean names(Set<String> audiences) {
        return switch (claims.get("aud")) {
            case String one -> audiences.contains(one);
            case List<?> several -> several.stream().anyMatch(a -> a instanceof String s && audiences.contains(s));
            case null, default -> false;
        };
    }

    /** A NumericDate (RFC 7519, section 2), in whole seconds. */
    private Optional<Instant> time(String claim) {
        if (!claims.containsKey(claim)) {
            return Optional.empty();
        }
        // Beyond these bounds lies no time that a clock shows; NaN fails both comparisons.
        if (claims.get(claim) instanceof Number number && number.doubleValue() >= 0 && number.doubleValue() < 1e11) {
            return Optional.of(Instant.ofEpochSecond(number.longValue()));
        }
        throw refusal(claim + " is no time in seconds.");
    }

    private static Optional<String> text(Map<String, Object> object, String name) {
        return object.get(name) instanceof String text ? Optional.of(text) : Optional.empty();
    }

    private static Map<String, Object> json(String part) {
        try {
            var text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes(part)))
                    .toString();
            @Nullable Map<String, Object> object = JSONObjectUtils.parse(text);
            if (object == null) {
                // The text was "null".
                throw refusal();
            }
            return object;
        } catch (CharacterCodingException | ParseException e) {
            throw refusal();
        }
    }

    private static byte[] bytes(String part) {
        try {
            return Base64.getUrlDecoder().decode(part);
        } catch (IllegalArgumentException e) {
            throw refusal();
        }
    }

    private static void require(boolean holds, String problem) {
        if (!holds) {
            throw refusal(problem);
        }
    }

    private static OAuthException refusal() {
        return new OAuthException(OAuthError.INVALID_CLIENT);
    }

    private static OAuthException refusal(String problem) {
        return new OAuthException(OAuthError.INVALID_CLIENT, "The client assertion is signed rightly, but " + problem);
    }
}
