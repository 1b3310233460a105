package dev.sekisho.idp.oauth;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Parameters of a request, decoded.
 *
 * @param values each name's values in the order of the request; a parameter without a value counts as absent (RFC 6749,
 *     section 3.2)
 */
public record Parameters(Map<String, List<String>> values) {
    public Parameters {
        values = Map.copyOf(values);
    }

    /**
     * The value of a parameter that may stand once.
     *
     * @throws OAuthException {@code invalid_request} when it is repeated
     */
    public Optional<String> single(String name) {
        var all = values.getOrDefault(name, List.of());
        if (all.size() > 1) {
            throw repeated(name);
        }
        return all.isEmpty() ? Optional.empty() : Optional.of(all.getFirst());
    }

    /**
     * Refuses parameters that stand more than once.
     *
     * @throws OAuthException {@code invalid_request}
     */
    public void requireUnrepeated(Set<String> except) {
        for (var entry : values.entrySet()) {
            if (entry.getValue().size() > 1 && !except.contains(entry.getKey())) {
                throw repeated(entry.getKey());
            }
        }
    }

    private static OAuthException repeated(String name) {
        // Only names that are ours are repeated back: the rest is the caller's text.
        var subject = KNOWN.contains(name) ? "The parameter " + name : "A parameter";
        return new OAuthException(OAuthError.INVALID_REQUEST, subject + " is present more than once.");
    }

    private static final Collection<String> KNOWN = Set.of(
            "grant_type",
            "scope",
            "client_id",
            "client_secret",
            "client_assertion",
            "client_assertion_type",
            "audience",
            "resource");
}
