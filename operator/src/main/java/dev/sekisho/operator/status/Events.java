package dev.sekisho.operator.status;

import dev.sekisho.api.v1alpha1.Condition;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells people of transitions, by one Event of {@code events.k8s.io/v1} each. */
public final class Events {
    private static final Logger LOG = LoggerFactory.getLogger(Events.class);
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);
    private static final int MAX_NOTE = 1024;
    private static final int MAX_REMEMBERED = 10_000;

    /** Reasons that a condition gives on its way up; no cause for a warning. */
    private static final Set<String> PROGRESS = Set.of(
            "Pending",
            "Provisioning",
            "Starting",
            "Running",
            "Waiting",
            "Progressing",
            "RollingOut",
            "UpdatePending",
            "Paused",
            "Deleting");

    private final KubernetesClient client;
    private final Clock clock;
    private final String instance;
    private final Map<String, String> last = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > MAX_REMEMBERED;
        }
    });

    /**
     * @param client the API
     * @param clock when an Event happened
     * @param instance which copy of the operator reports it
     */
    public Events(KubernetesClient client, Clock clock, String instance) {
        this.client = client;
        this.clock = clock;
        this.instance = instance;
    }

    /**
     * Reports each condition whose status or reason changed: a warning when it is False for a reason that is no
     * progress.
     *
     * @param regarding what the conditions are about
     * @param before the conditions that stood
     * @param after the conditions that stand now
     */
    public void transitions(HasMetadata regarding, List<Condition> before, List<Condition> after) {
        for (var now : after) {
            var old = Conditions.find(before, now.type());
            boolean changed = old.isEmpty()
                    || old.get().status() != now.status()
                    || !old.get().reason().equals(now.reason());
            if (told(regarding, now) && changed) {
                boolean warning = now.status() == Condition.Status.False && !PROGRESS.contains(now.reason());
                record(regarding, warning, now.reason(), now.type(), now.type() + ": " + now.message());
            }
        }
    }

    /** Notes what a condition says; false when that was its last news already: what is compared with may be a little old. */
    private boolean told(HasMetadata regarding, Condition condition) {
        var news = condition.status() + " " + condition.reason();
        var key = regarding.getMetadata().getUid() + " " + condition.type();
        return !news.equals(last.put(key, news));
    }

    /**
     * Reports something. An Event that cannot be written is logged and forgotten: no work fails for it.
     *
     * @param regarding what it is about
     * @param warning whether somebody should look
     * @param reason one CamelCase word
     * @param action what was done or looked at, one CamelCase word
     * @param note for people, cut at 1,024 characters; never a secret
     */
    public void record(HasMetadata regarding, boolean warning, String reason, String action, String note) {
        var meta = regarding.getMetadata();
        var now = clock.instant();
        try {
            client.resource(new EventBuilder()
                            .withNewMetadata()
                            .withNamespace(meta.getNamespace())
                            .withName(meta.getName() + "."
                                    + Long.toHexString(now.getEpochSecond() * 1_000_000_000L
                                            + now.getNano()
                                            + Math.floorMod(System.nanoTime(), 1000)))
                            .endMetadata()
                            .withEventTime(new MicroTime(MICROS.format(now)))
                            .withReportingController("sekisho.dev/operator")
                            .withReportingInstance(instance.isEmpty() ? "operator" : instance)
                            .withType(warning ? "Warning" : "Normal")
                            .withReason(reason)
                            .withAction(action)
                            .withNote(note.length() <= MAX_NOTE ? note : note.substring(0, MAX_NOTE - 1) + "…")
                            .withRegarding(new ObjectReferenceBuilder()
                                    .withApiVersion(regarding.getApiVersion())
                                    .withKind(regarding.getKind())
                                    .withNamespace(meta.getNamespace())
                                    .withName(meta.getName())
                                    .withUid(meta.getUid())
                                    .build())
                            .build())
                    .create();
        } catch (KubernetesClientException e) {
            LOG.warn(
                    "Event {} of {}/{} could not be written: HTTP {}",
                    reason,
                    meta.getNamespace(),
                    meta.getName(),
                    e.getCode());
        }
    }
}
