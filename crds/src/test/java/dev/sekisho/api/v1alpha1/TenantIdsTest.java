package dev.sekisho.api.v1alpha1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TenantIdsTest {
    @Test
    void aUuidIsItsOwnKey() {
        var id = "67e7eae6-62b0-4500-9eff-87459f63fc66";

        assertThat(TenantIds.key(id)).hasToString(id);
    }

    @Test
    void aLabelAlwaysGivesTheSameKey() {
        // Computed once with another program: sha256("sekisho.dev/tenant/acme"), version 8, variant 2.
        assertThat(TenantIds.key("acme")).hasToString("34a22630-2b64-8d33-839d-0d19ac6664dc");
        assertThat(TenantIds.key("acme").version()).isEqualTo(8);
        assertThat(TenantIds.key("acme").variant()).isEqualTo(2);
        assertThat(TenantIds.key("acme-2")).isNotEqualTo(TenantIds.key("acme"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "A", "a_b", "-a", "a-", "a.b", "../x", "67E7EAE6-62B0-4500-9EFF-87459F63FC66"})
    void whatIsNoDnsLabelIsNoTenantId(String text) {
        assertThat(TenantIds.isValid(text)).isFalse();
        assertThatThrownBy(() -> TenantIds.key(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aLabelHasAtMost63Characters() {
        assertThat(TenantIds.isValid("a".repeat(63))).isTrue();
        assertThat(TenantIds.isValid("a".repeat(64))).isFalse();
    }
}
