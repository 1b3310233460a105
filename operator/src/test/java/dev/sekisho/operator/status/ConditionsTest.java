package dev.sekisho.operator.status;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sekisho.api.v1alpha1.Condition;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConditionsTest {
    private static final String OLD = "2026-01-01T00:00:00Z";
    private static final String NOW = "2026-01-02T03:04:05Z";

    private final Conditions conditions =
            new Conditions(Clock.fixed(Instant.parse(NOW).plusMillis(678), ZoneOffset.UTC));

    private static Condition condition(String type, Condition.Status status, String reason) {
        return new Condition(type, status, reason, "before", OLD, 1L);
    }

    @Test
    void aConditionKeepsItsTimeWhileItsStatusStays() {
        var merged = conditions.merge(
                List.of(condition("Ready", Condition.Status.True, "A")),
                List.of(Observation.yes("Ready", "B", "after")),
                2);
        assertThat(merged).containsExactly(new Condition("Ready", Condition.Status.True, "B", "after", OLD, 2L));
    }

    @Test
    void aConditionThatTurnsGetsTheTimeOfTheTurn() {
        var merged = conditions.merge(
                List.of(condition("Ready", Condition.Status.True, "A")), List.of(Observation.no("Ready", "A", "")), 1);
        assertThat(merged.getFirst().lastTransitionTime()).isEqualTo(NOW);
    }

    @Test
    void theSameSeenTwiceIsTheSame() {
        var seen = List.of(Observation.yes("Ready", "A", "m"), Observation.unknown("Other", "B", "n"));
        var once = conditions.merge(List.of(), seen, 1);
        assertThat(conditions.merge(once, seen, 1)).isEqualTo(once);
    }

    @Test
    void whatIsNoLongerSeenVanishes() {
        assertThat(conditions.merge(List.of(condition("Gone", Condition.Status.True, "A")), List.of(), 1))
                .isEmpty();
    }

    @Test
    void longMessagesAreCutToWhatTheSchemaTakes() {
        var merged = conditions.merge(List.of(), List.of(Observation.no("Ready", "A", "x".repeat(5000))), 1);
        assertThat(merged.getFirst().message()).hasSize(4096).endsWith("…");
    }
}
