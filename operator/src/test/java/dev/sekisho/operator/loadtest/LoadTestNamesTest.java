package dev.sekisho.operator.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sekisho.api.v1alpha1.TenantIds;
import org.junit.jupiter.api.Test;

class LoadTestNamesTest {
    private static final String UID = "6f1c3f0e-6a4b-4d3e-9f39-0d7c6a8f0001";

    private final LoadTestNames names = new LoadTestNames("demo", "smoke");

    @Test
    void namesAreFunctionsOfTheLoadTest() {
        assertThat(names.job("0a1b2c3d", 3)).isEqualTo("smoke-0a1b2c3d-3");
        assertThat(names.secret()).isEqualTo("smoke-loadtest");
        assertThat(names.report()).isEqualTo("smoke-report");
        assertThat(names.owner()).isEqualTo("loadtest/demo/smoke");
        // sha256("demo/smoke") begins thus.
        assertThat(names.tenantId(7)).isEqualTo("lt-50d0cb138a-7");
    }

    @Test
    void theLongestNameStillMakesValidJobsAndTenants() {
        var longest = new LoadTestNames("n".repeat(63), "l".repeat(40));
        assertThat(longest.job(LoadTestNames.run(UID, ""), 19)).hasSizeLessThanOrEqualTo(63);
        assertThat(TenantIds.isValid(longest.tenantId(999))).isTrue();
    }

    @Test
    void aRunIsIdentifiedByUidAndToken() {
        assertThat(LoadTestNames.run(UID, "")).matches("[0-9a-f]{8}").isEqualTo(LoadTestNames.run(UID, ""));
        assertThat(LoadTestNames.run(UID, "again")).isNotEqualTo(LoadTestNames.run(UID, ""));
        assertThat(LoadTestNames.run("another", "")).isNotEqualTo(LoadTestNames.run(UID, ""));
    }

    @Test
    void loadTestsOfOneNameInTwoNamespacesShareNoTenants() {
        assertThat(new LoadTestNames("other", "smoke").tenantPrefix()).isNotEqualTo(names.tenantPrefix());
    }
}
