package dev.sekisho.operator.tenant;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecretNamesTest {
    @Test
    void aCleanClientIdGivesAPlainName() {
        assertThat(SecretNames.of("acme", "backend")).isEqualTo("acme-client-backend");
        assertThat(SecretNames.of("acme.eu", "web-2")).isEqualTo("acme.eu-client-web-2");
    }

    @ParameterizedTest
    @CsvSource({
        "acme, Backend",
        "acme, back_end",
        "acme, ~~~",
        "acme, -x-",
        "acme, client-x",
        "acme-client, x",
        "acme, a.b",
        "acme, 0123456789012345678901234567890123456789012345678901234567890123456789",
        "0123456789.0123456789.0123456789.0123456789.0123456789.0123456789, backend",
    })
    void anyOtherGivesAValidNameThatEndsInAHash(String tenant, String client) {
        assertThat(SecretNames.of(tenant, client))
                .hasSizeLessThanOrEqualTo(63)
                .matches("[a-z0-9]([a-z0-9.-]*[a-z0-9])?-[0-9a-f]{10}");
    }

    @Test
    void noTwoPairsMeet() {
        var names = new HashSet<String>();
        var tenants = List.of("a", "a-client", "a-client-b", "a-client-client", "b");
        var clients =
                List.of("b", "B", "c", "client-b", "client-client-b", "b-client-c", "client", "b.c", "b_c", "b-c");
        for (var tenant : tenants) {
            for (var client : clients) {
                names.add(SecretNames.of(tenant, client));
            }
        }
        assertThat(names).hasSize(tenants.size() * clients.size());
    }
}
