package dev.sekisho.operator.idpcluster.postgres;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.sekisho.operator.idpcluster.resources.Services;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A member of PostgreSQL, by what its pod says of it. Patroni keeps a pod's annotation {@code status} up to date.
 *
 * @param name of the pod, and Patroni's name of the member
 * @param primary whether it takes writes
 * @param state Patroni's word, such as {@code running} or {@code starting}; {@code unknown} before it says one
 * @param timeline of its data; null before it is known
 * @param position how far it is in the write-ahead log, in bytes; 0 before it is known
 * @param streaming whether a replica receives the log as it is written
 * @param pendingRestart whether a setting waits for the member's restart
 * @param ready whether Kubernetes counts it in
 * @param leaving whether its pod is on its way out
 * @param startedAt when its pod was made
 * @param revision of the StatefulSet's template that its pod was made from
 */
public record Member(
        String name,
        boolean primary,
        String state,
        @Nullable Integer timeline,
        long position,
        boolean streaming,
        boolean pendingRestart,
        boolean ready,
        boolean leaving,
        Instant startedAt,
        String revision) {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String STATUS = "status";
    private static final String REVISION = "controller-revision-hash";

    /** What a pod says of its member. */
    public static Member of(Pod pod) {
        var meta = pod.getMetadata();
        Map<String, String> labels = meta.getLabels() == null ? Map.of() : meta.getLabels();
        Map<String, String> annotations = meta.getAnnotations() == null ? Map.of() : meta.getAnnotations();
        var told = told(annotations.get(STATUS));
        return new Member(
                meta.getName(),
                Services.PRIMARY.equals(labels.get(Services.ROLE)),
                told.path("state").asText("unknown"),
                told.path("timeline").isInt() ? told.path("timeline").intValue() : null,
                told.path("xlog_location").asLong(0),
                told.path("replication_state").asText("").equals("streaming"),
                told.path("pending_restart").asBoolean(false),
                isReady(pod),
                pod.isMarkedForDeletion(),
                meta.getCreationTimestamp() == null ? Instant.EPOCH : Instant.parse(meta.getCreationTimestamp()),
                labels.getOrDefault(REVISION, ""));
    }

    /** Whether nothing but the position in the log differs, which changes all the time. */
    public boolean resembles(Member other) {
        return equals(new Member(
                other.name,
                other.primary,
                other.state,
                other.timeline,
                position,
                other.streaming,
                other.pendingRestart,
                other.ready,
                other.leaving,
                other.startedAt,
                other.revision));
    }

    private static JsonNode told(@Nullable String status) {
        if (status == null) {
            return MissingNode.getInstance();
        }
        try {
            return Objects.requireNonNullElse(JSON.readTree(status), MissingNode.getInstance());
        } catch (JsonProcessingException e) {
            // Somebody wrote something else there; Patroni puts it right at its next turn.
            return MissingNode.getInstance();
        }
    }

    private static boolean isReady(Pod pod) {
        return pod.getStatus() != null
                && pod.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Ready")
                                && condition.getStatus().equals("True"));
    }
}
