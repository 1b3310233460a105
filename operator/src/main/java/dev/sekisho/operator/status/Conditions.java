package dev.sekisho.operator.status;

import dev.sekisho.api.v1alpha1.Condition;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/** Turns observations into conditions. */
public final class Conditions {
    private static final int MAX_MESSAGE = 4096;
    private static final int MAX_REASON = 128;

    private final Clock clock;

    /** @param clock where transition times come from */
    public Conditions(Clock clock) {
        this.clock = clock;
    }

    /**
     * The conditions that say what was observed, in the order of the observations. A condition keeps its transition time
     * while its status stays; one that is no longer observed is dropped.
     *
     * @param current what the status says now
     * @param observed what is seen
     * @param generation the generation of the spec that was looked at
     */
    public List<Condition> merge(List<Condition> current, List<Observation> observed, long generation) {
        var now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
        return observed.stream()
                .map(seen -> {
                    var since = find(current, seen.type())
                            .filter(old -> old.status() == seen.status())
                            .map(Condition::lastTransitionTime)
                            .orElse(now);
                    return new Condition(
                            seen.type(),
                            seen.status(),
                            cut(seen.reason(), MAX_REASON),
                            cut(seen.message(), MAX_MESSAGE),
                            since,
                            generation);
                })
                .toList();
    }

    /** The condition of a type, if there is one. */
    public static Optional<Condition> find(List<Condition> conditions, String type) {
        return conditions.stream()
                .filter(condition -> condition.type().equals(type))
                .findFirst();
    }

    /** Whether the condition of a type is there and True. */
    public static boolean isTrue(List<Condition> conditions, String type) {
        return find(conditions, type)
                .filter(condition -> condition.status() == Condition.Status.True)
                .isPresent();
    }

    private static String cut(String text, int max) {
        return text.length() <= max ? text : text.substring(0, max - 1) + "…";
    }
}
