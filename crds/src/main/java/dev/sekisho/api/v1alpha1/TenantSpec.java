package dev.sekisho.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crdv2.generator.v1.SchemaCustomizer;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a tenant shall be.
 *
 * @param clusterRef the cluster that serves it; immutable
 * @param tenantId its id in URLs and tokens, a DNS label or a lower-case UUID; immutable
 * @param displayName what people call it
 * @param state whether it is served
 * @param tokens how long its tokens live
 * @param signing how its tokens are signed
 * @param clients its clients, at most 1,000
 * @param deletionPolicy what happens to its data when the Tenant is deleted
 */
@SchemaCustomizer(value = ListMaps.class, input = "clients=clientId")
@ValidationRule(
        value = "self.clusterRef == oldSelf.clusterRef",
        message = "clusterRef is immutable",
        reason = "FieldValueForbidden",
        fieldPath = ".clusterRef")
@ValidationRule(
        value = "self.tenantId == oldSelf.tenantId",
        message = "tenantId is immutable",
        reason = "FieldValueForbidden",
        fieldPath = ".tenantId")
public record TenantSpec(
        @JsonPropertyDescription("The IdpCluster that serves this tenant. Immutable.") @Required
        ClusterRef clusterRef,

        @JsonPropertyDescription(
                "The tenant's id in URLs and tokens: a DNS label or a lower-case UUID, unique in the IdpCluster."
                        + " Those that begin with lt- are for LoadTests. Immutable.")
        @Required
        @ValidationRule(
                value = "!self.startsWith('" + TenantIds.LOAD_TEST_PREFIX + "')",
                message = "ids that begin with " + TenantIds.LOAD_TEST_PREFIX
                        + " are reserved for the tenants of LoadTests")
        @Size(min = 1, max = 63) @Pattern(TenantIds.PATTERN) String tenantId,

        @JsonPropertyDescription("What people call the tenant.") @Size(max = 200) @Nullable String displayName,

        @JsonPropertyDescription("Active: served. Suspended: answers as if it did not exist, data stays.")
        @Default("Active")
        State state,

        @JsonPropertyDescription("How long tokens live.") @Default("{}")
        Tokens tokens,

        @JsonPropertyDescription("How tokens are signed.") @Default("{}")
        Signing signing,

        @JsonPropertyDescription("The tenant's OAuth clients, by clientId.") @Default("[]") @Size(max = 1000) List<ClientSpec> clients,

        @JsonPropertyDescription(
                "What happens to the tenant's data when the Tenant is deleted. Retain: kept out of service, and"
                        + " adopted by a Tenant of the same name, namespace and tenantId. Delete: removed.")
        @Default("Retain")
        DeletionPolicy deletionPolicy) {

    public TenantSpec {
        state = Defaults.or(state, State.Active);
        tokens = Defaults.or(tokens, new Tokens("5m"));
        signing = Defaults.or(signing, new Signing(Signing.Algorithm.ES256));
        clients = Defaults.list(clients);
        deletionPolicy = Defaults.or(deletionPolicy, DeletionPolicy.Retain);
    }

    /** Whether a tenant is served. */
    public enum State {
        Active,
        Suspended
    }

    /**
     * Lifetimes of tokens.
     *
     * @param accessTokenLifetime how long an access token lives, 10 seconds to 24 hours
     */
    @ValidationRule(
            value = "duration(self.accessTokenLifetime) >= duration('10s')"
                    + " && duration(self.accessTokenLifetime) <= duration('24h')",
            message = "accessTokenLifetime must be between 10s and 24h",
            fieldPath = ".accessTokenLifetime")
    public record Tokens(
            @JsonPropertyDescription("How long an access token lives: 10s to 24h.")
            @Default("5m")
            @Size(max = 20) @Pattern(Durations.PATTERN) String accessTokenLifetime) {
        public Tokens {
            accessTokenLifetime = Defaults.or(accessTokenLifetime, "5m");
        }
    }

    /**
     * Signing of access tokens. An RS256 key is published beside it, as OpenID Connect Discovery requires.
     *
     * @param algorithm the JWS algorithm (RFC 7518) of access tokens
     */
    public record Signing(
            @JsonPropertyDescription("The JWS algorithm of access tokens.") @Default("ES256")
            Algorithm algorithm) {
        public Signing {
            algorithm = Defaults.or(algorithm, Algorithm.ES256);
        }

        /** JWS algorithms (RFC 7518, section 3.1) that sign access tokens. */
        public enum Algorithm {
            ES256,
            RS256
        }
    }
}
