package dev.sekisho.operator.kube;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;

/** Clients of the Kubernetes API. */
public final class Clients {
    private Clients() {}

    /** Of calls that the API server answered with a 5xx; reconcilers try again by themselves. */
    private static final int RETRIES = 2;

    /**
     * A client that ignores fields and enum values that it does not know: CRD and operator may differ in version. It
     * gives up soon: some refusals come as a 500, and one child's must not keep its siblings waiting.
     */
    public static KubernetesClient lenient(Config config) {
        return client(
                new ConfigBuilder(config).withRequestRetryBackoffLimit(RETRIES).build());
    }

    private static KubernetesClient client(Config config) {
        return new KubernetesClientBuilder()
                .withConfig(config)
                .withKubernetesSerialization(serialization())
                .build();
    }

    /** A client whose calls give up soon and are not tried again: a lease must not outlive a stuck call. */
    public static KubernetesClient impatient(Config config, Duration timeout) {
        return client(new ConfigBuilder(config)
                .withConnectionTimeout((int) timeout.toMillis())
                .withRequestTimeout((int) timeout.toMillis())
                .withRequestRetryBackoffLimit(0)
                .build());
    }

    /** Serialization that ignores what it does not know. */
    public static KubernetesSerialization serialization() {
        var mapper = JsonMapper.builder()
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.READ_UNKNOWN_ENUM_VALUES_AS_NULL)
                .build();
        return new KubernetesSerialization(mapper, true);
    }
}
