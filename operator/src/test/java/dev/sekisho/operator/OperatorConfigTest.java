package dev.sekisho.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OperatorConfigTest {
    private static final Map<String, String> IMAGES = Map.of(
            "RELATED_IMAGE_RUNTIME", "r",
            "RELATED_IMAGE_POSTGRES", "p",
            "RELATED_IMAGE_REDIS", "d",
            "RELATED_IMAGE_GATEWAY", "g",
            "RELATED_IMAGE_K6", "k");

    private static OperatorConfig with(String name, String value) {
        var environment = new HashMap<>(IMAGES);
        environment.put(name, value);
        return OperatorConfig.from(environment);
    }

    @Test
    void imagesAreAllThatMustBeGiven() {
        var config = OperatorConfig.from(IMAGES);
        assertThat(config.leaderElection()).isTrue();
        assertThat(config.leaseDuration()).isEqualTo(Duration.ofSeconds(10));
        assertThat(config.imagePullPolicy()).isEqualTo("IfNotPresent");
        assertThat(config.watches("any")).isTrue();
        assertThat(config.leaseNamespace()).isEqualTo(config.namespace());
    }

    @Test
    void namespacesAreAList() {
        var config = with("WATCH_NAMESPACES", " one, two,,one ");
        assertThat(config.watchNamespaces()).containsExactlyInAnyOrder("one", "two");
        assertThat(config.watches("three")).isFalse();
    }

    @Test
    void everyMistakeIsNamedAtOnce() {
        assertThatThrownBy(() -> OperatorConfig.from(Map.of(
                        "WATCH_NAMESPACES", "Not_One",
                        "IMAGE_PULL_POLICY", "Sometimes",
                        "LEADER_ELECTION", "perhaps",
                        "LEASE_DURATION_SECONDS", "1",
                        "HTTP_PORT", "http")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(
                        "RELATED_IMAGE_RUNTIME is missing",
                        "RELATED_IMAGE_K6 is missing",
                        "Not_One",
                        "IMAGE_PULL_POLICY",
                        "LEADER_ELECTION",
                        "LEASE_DURATION_SECONDS must be a whole number from 5 to 120",
                        "HTTP_PORT");
    }
}
