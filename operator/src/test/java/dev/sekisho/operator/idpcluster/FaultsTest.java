package dev.sekisho.operator.idpcluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class FaultsTest {
    private final Faults faults = new Faults();

    @Test
    void whateverGoesWrongWithOneChildIsNotedAndSaysNothingOfItsContents() {
        faults.attempt(Part.REDIS, "Redis", () -> {
            throw new ArithmeticException("with 4711");
        });
        assertThat(faults.text(Part.REDIS)).isEqualTo("Redis: unexpected ArithmeticException");
    }

    @Test
    void theOperatorsOwnEndIsNoFault() {
        assertThatThrownBy(() -> faults.attempt(Part.REDIS, "Redis", () -> {
                    throw new Children.Stopping();
                }))
                .isInstanceOf(Children.Stopping.class);
        assertThat(faults.any()).isFalse();
    }
}
