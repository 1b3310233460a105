package dev.sekisho.operator.idpcluster.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CapacityTest {
    @Test
    void theRollingCopyCountsToo() {
        assertThat(new Capacity(65, 10, 4).suffices()).isTrue();
        assertThat(new Capacity(64, 10, 4).suffices()).isFalse();
    }

    @Test
    void asManyRunAsFit() {
        assertThat(new Capacity(64, 10, 4).allowed(0)).isEqualTo(3);
        assertThat(new Capacity(65, 10, 4).allowed(0)).isEqualTo(4);
        assertThat(new Capacity(200, 10, 1000).allowed(2)).isEqualTo(17);
    }

    @Test
    void whatServesIsNeverTakenAway() {
        assertThat(new Capacity(64, 60, 5).allowed(4)).isEqualTo(4);
        assertThat(new Capacity(64, 60, 2).allowed(4)).isEqualTo(2);
        assertThat(new Capacity(30, 200, 5).allowed(0)).isEqualTo(1);
    }

    @Test
    void aClusterScaledToZeroNeedsNone() {
        assertThat(new Capacity(30, 200, 0).suffices()).isTrue();
        assertThat(new Capacity(30, 200, 0).allowed(3)).isZero();
    }

    @Test
    void theSumIsShown() {
        assertThat(new Capacity(64, 10, 4).sum())
                .isEqualTo("(4 replicas + 1) × 10 connections + 15 = 65, and max_connections is 64");
    }
}
