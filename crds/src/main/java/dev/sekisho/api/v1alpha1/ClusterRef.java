package dev.sekisho.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/**
 * Names an {@code IdpCluster}.
 *
 * @param name its name
 * @param namespace its namespace; absent means the namespace of the object that refers to it
 */
public record ClusterRef(
        @JsonPropertyDescription("Name of the IdpCluster.")
        @Required
        @Size(min = 1, max = 40) @Pattern("^[a-z0-9]([a-z0-9-]*[a-z0-9])?$") String name,

        @JsonPropertyDescription(
                "Namespace of the IdpCluster; by default the namespace of this object. Another namespace must be"
                        + " allowed by the IdpCluster's allowedNamespaces.")
        @Size(min = 1, max = 63) @Pattern("^[a-z0-9]([a-z0-9-]*[a-z0-9])?$") @Nullable String namespace) {}
