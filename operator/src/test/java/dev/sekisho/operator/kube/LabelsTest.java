package dev.sekisho.operator.kube;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LabelsTest {
    @ParameterizedTest
    @CsvSource({
        "redis:7.4-bookworm,7.4-bookworm",
        "localhost:5000/redis,latest",
        "localhost:5000/a/redis:1@sha256:abc,1",
        "redis,latest",
        "redis@sha256:0123456789abcdef,0123456789abcdef",
        "redis:a+b,a_b",
    })
    void theVersionOfAnImageIsItsTagOrDigest(String image, String version) {
        assertThat(Labels.imageVersion(image)).isEqualTo(version);
    }

    @Test
    void aVersionIsCutToALabelsValue() {
        assertThat(Labels.of("main", Labels.Component.REDIS, "-" + "x".repeat(80)))
                .containsEntry(Labels.VERSION, "x".repeat(62));
        assertThat(Labels.of("main", Labels.Component.REDIS, "+++")).containsEntry(Labels.VERSION, "unknown");
    }

    @Test
    void selectorsHoldOnlyWhatNeverChanges() {
        assertThat(Labels.text(Labels.selector("main", Labels.Component.RUNTIME)))
                .isEqualTo("app.kubernetes.io/name=sekisho,app.kubernetes.io/instance=main,"
                        + "app.kubernetes.io/component=runtime");
    }
}
