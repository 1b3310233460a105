package dev.sekisho.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/**
 * One observation of an object's state, as Kubernetes' API conventions define conditions.
 *
 * @param type what is observed, in CamelCase
 * @param status {@code True}, {@code False} or {@code Unknown}
 * @param reason why, as one CamelCase word for programs
 * @param message why, for people; never holds a secret
 * @param lastTransitionTime when the status last changed (RFC 3339)
 * @param observedGeneration the generation of the spec that this speaks of
 */
public record Condition(
        @Required @Size(min = 1, max = 63) String type,
        @Required Status status,
        @Required @Size(min = 1, max = 128) String reason,

        @JsonPropertyDescription("For people.") @Size(max = 4096) String message,

        @Required String lastTransitionTime,
        @Nullable Long observedGeneration) {

    /** The three states that a condition can be in. */
    public enum Status {
        True,
        False,
        Unknown
    }
}
