package dev.sekisho.operator.idpcluster;

import dev.sekisho.operator.kube.Labels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;

/** The parts of an IdpCluster, each with a condition of its own. */
enum Part {
    SECRETS("SecretsReady"),
    POSTGRES("PostgresReady"),
    REDIS("RedisReady"),
    SCHEMA("SchemaReady"),
    RUNTIME("RuntimeReady"),
    GATEWAY("GatewayReady");

    private final String condition;

    Part(String condition) {
        this.condition = condition;
    }

    /** The type of the part's condition. */
    String condition() {
        return condition;
    }

    /** The part that a child belongs to. */
    static Part of(HasMetadata child) {
        return switch (child.getKind()) {
            case "Secret" -> SECRETS;
            case "Job" -> SCHEMA;
            default -> {
                var labels = child.getMetadata().getLabels();
                yield switch ((labels == null ? Map.<String, String>of() : labels).getOrDefault(Labels.COMPONENT, "")) {
                    case "postgres" -> POSTGRES;
                    case "redis" -> REDIS;
                    case "gateway" -> GATEWAY;
                    default -> RUNTIME;
                };
            }
        };
    }
}
