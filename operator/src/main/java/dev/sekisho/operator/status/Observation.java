package dev.sekisho.operator.status;

import dev.sekisho.api.v1alpha1.Condition;

/**
 * What is seen now; {@link Conditions} makes a condition of it.
 *
 * @param type what is observed, in CamelCase
 * @param status True, False or Unknown
 * @param reason why, as one CamelCase word
 * @param message why, for people; never a secret, never a stack trace
 */
public record Observation(String type, Condition.Status status, String reason, String message) {
    /** It holds. */
    public static Observation yes(String type, String reason, String message) {
        return new Observation(type, Condition.Status.True, reason, message);
    }

    /** It does not hold. */
    public static Observation no(String type, String reason, String message) {
        return new Observation(type, Condition.Status.False, reason, message);
    }

    /** Nobody knows yet. */
    public static Observation unknown(String type, String reason, String message) {
        return new Observation(type, Condition.Status.Unknown, reason, message);
    }

    /** Whether it holds. */
    public boolean isTrue() {
        return status == Condition.Status.True;
    }
}
