package dev.sekisho.operator.idpcluster;

import dev.sekisho.operator.idpcluster.resources.UnusableSpecException;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What went wrong with children; one's trouble is no trouble of its siblings. */
final class Faults {
    private static final Logger LOG = LoggerFactory.getLogger(Faults.class);
    private static final int MAX = 500;

    private final Map<Part, List<String>> faults = new EnumMap<>(Part.class);

    /** Work on one child. */
    @FunctionalInterface
    interface Work {
        void run();
    }

    /** Does the work; notes what goes wrong, whatever it is, and goes on. Only the operator's own end goes through. */
    void attempt(Part part, String what, Work work) {
        try {
            work.run();
        } catch (Children.Stopping e) {
            throw e;
        } catch (RuntimeException e) {
            if (!isForeseen(e)) {
                tell(part, what, e);
            }
            add(part, what + ": " + describe(e, part != Part.SECRETS));
        }
    }

    private static void tell(Part part, String what, RuntimeException e) {
        if (part == Part.SECRETS) {
            // Its message may quote what a Secret holds.
            LOG.warn("{}: unexpected {}", what, e.getClass().getName());
        } else {
            LOG.warn("{}", what, e);
        }
    }

    private static boolean isForeseen(RuntimeException e) {
        return e instanceof KubernetesClientException
                || e instanceof Children.NameTaken
                || e instanceof UnusableSpecException;
    }

    /** The same for one child. */
    void attempt(HasMetadata child, Work work) {
        attempt(Part.of(child), child.getKind() + " " + child.getMetadata().getName(), work);
    }

    void add(Part part, String message) {
        faults.computeIfAbsent(part, key -> new ArrayList<>()).add(message);
    }

    boolean any() {
        return !faults.isEmpty();
    }

    boolean has(Part part) {
        return faults.containsKey(part);
    }

    String text(Part part) {
        return String.join("; ", faults.getOrDefault(part, List.of()));
    }

    /**
     * What an exception says, fit for a status: short, without stack traces.
     *
     * @param detailed whether what the API server says may be quoted; it may repeat what it was sent
     */
    static String describe(Exception e, boolean detailed) {
        if (e instanceof KubernetesClientException refused) {
            var status = refused.getStatus();
            var message = status == null ? null : status.getMessage();
            return detailed && message != null
                    ? cut(message)
                    : "the API server answered " + (refused.getCode() == 0 ? "nothing" : "HTTP " + refused.getCode());
        }
        if (e instanceof Children.NameTaken taken) {
            return taken.reason();
        }
        if (e instanceof UnusableSpecException unusable) {
            return unusable.reason();
        }
        return "unexpected " + e.getClass().getSimpleName();
    }

    private static String cut(String text) {
        return text.length() <= MAX ? text : text.substring(0, MAX) + "…";
    }
}
