package dev.sekisho.operator.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private static final ResourceID ONE = new ResourceID("one", "demo");
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    private final Backoff backoff =
            new Backoff(Clock.fixed(NOW, ZoneOffset.UTC), Duration.ofSeconds(1), Duration.ofSeconds(30));

    @Test
    void waitsDoubleUpToALimit() {
        for (int seconds : new int[] {1, 2, 4, 8, 16, 30, 30}) {
            assertThat(backoff.failed(ONE))
                    .isBetween(Duration.ofMillis(seconds * 900L), Duration.ofMillis(seconds * 1100L));
        }
        for (int i = 0; i < 100; i++) {
            assertThat(backoff.failed(ONE)).isLessThanOrEqualTo(Duration.ofSeconds(33));
        }
        assertThat(backoff.count(ONE)).isEqualTo(107);
    }

    @Test
    void aSuccessStartsOver() {
        backoff.failed(ONE);
        backoff.failed(ONE);
        backoff.succeeded(ONE);

        assertThat(backoff.count(ONE)).isZero();
        assertThat(backoff.since(ONE)).isEqualTo(NOW);
        assertThat(backoff.failed(ONE)).isLessThanOrEqualTo(Duration.ofMillis(1100));
    }

    @Test
    void objectsDoNotWaitForEachOther() {
        backoff.failed(ONE);
        backoff.failed(ONE);

        assertThat(backoff.failed(new ResourceID("other", "demo"))).isLessThanOrEqualTo(Duration.ofMillis(1100));
    }
}
