package dev.sekisho.operator;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The operator's settings, read once from environment variables.
 *
 * @param watchNamespaces {@code WATCH_NAMESPACES}: namespaces whose objects are looked after, comma-separated; empty
 *     for all
 * @param namespace {@code POD_NAMESPACE}: where the operator itself runs
 * @param identity {@code POD_NAME}: who holds the lease; unique among the operator's replicas
 * @param version {@code OPERATOR_VERSION}: the value of the version label
 * @param images {@code RELATED_IMAGE_*}: what an object runs that names no image of its own
 * @param imagePullPolicy {@code IMAGE_PULL_POLICY}: Always, IfNotPresent (default) or Never
 * @param leaderElection {@code LEADER_ELECTION}: whether to work only while holding the lease; default true
 * @param leaseName {@code LEASE_NAME}: default {@code sekisho-operator}
 * @param leaseNamespace {@code LEASE_NAMESPACE}: default the operator's own namespace
 * @param leaseDuration {@code LEASE_DURATION_SECONDS}: 5 to 120, default 10; renewed within 70 % of it
 * @param httpPort {@code HTTP_PORT}: health and metrics; 0 to 65535 (0: any free port), default 8080
 * @param resync {@code RESYNC_SECONDS}: how often an object is looked at although nothing happened; 10 to 86,400,
 *     default 600
 */
public record OperatorConfig(
        Set<String> watchNamespaces,
        String namespace,
        String identity,
        String version,
        Images images,
        String imagePullPolicy,
        boolean leaderElection,
        String leaseName,
        String leaseNamespace,
        Duration leaseDuration,
        int httpPort,
        Duration resync) {

    /**
     * Images of what the operator runs.
     *
     * @param runtime {@code RELATED_IMAGE_RUNTIME}
     * @param postgres {@code RELATED_IMAGE_POSTGRES}
     * @param redis {@code RELATED_IMAGE_REDIS}
     * @param gateway {@code RELATED_IMAGE_GATEWAY}
     * @param k6 {@code RELATED_IMAGE_K6}
     */
    public record Images(String runtime, String postgres, String redis, String gateway, String k6) {}

    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");
    private static final Set<String> PULL_POLICIES = Set.of("Always", "IfNotPresent", "Never");

    public OperatorConfig {
        watchNamespaces = Set.copyOf(watchNamespaces);
    }

    /** The same with other images. */
    public OperatorConfig with(Images others) {
        return new OperatorConfig(
                watchNamespaces,
                namespace,
                identity,
                version,
                others,
                imagePullPolicy,
                leaderElection,
                leaseName,
                leaseNamespace,
                leaseDuration,
                httpPort,
                resync);
    }

    /** Whether objects in the namespace are looked after. */
    public boolean watches(String namespace) {
        return watchNamespaces.isEmpty() || watchNamespaces.contains(namespace);
    }

    /**
     * Reads the settings.
     *
     * @throws IllegalArgumentException naming every variable that is missing or wrong
     */
    public static OperatorConfig from(Map<String, String> environment) {
        var reader = new Reader(environment);
        var namespace = reader.text("POD_NAMESPACE", "default");
        var config = new OperatorConfig(
                reader.namespaces("WATCH_NAMESPACES"),
                namespace,
                reader.text("POD_NAME", "sekisho-operator"),
                reader.text("OPERATOR_VERSION", "dev"),
                new Images(
                        reader.required("RELATED_IMAGE_RUNTIME"),
                        reader.required("RELATED_IMAGE_POSTGRES"),
                        reader.required("RELATED_IMAGE_REDIS"),
                        reader.required("RELATED_IMAGE_GATEWAY"),
                        reader.required("RELATED_IMAGE_K6")),
                reader.oneOf("IMAGE_PULL_POLICY", "IfNotPresent", PULL_POLICIES),
                Boolean.parseBoolean(reader.oneOf("LEADER_ELECTION", "true", Set.of("true", "false"))),
                reader.text("LEASE_NAME", "sekisho-operator"),
                reader.text("LEASE_NAMESPACE", namespace),
                Duration.ofSeconds(reader.number("LEASE_DURATION_SECONDS", 10, 5, 120)),
                reader.number("HTTP_PORT", 8080, 0, 65_535),
                Duration.ofSeconds(reader.number("RESYNC_SECONDS", 600, 10, 86_400)));
        reader.finish();
        return config;
    }

    /** Collects complaints, so that one start shows them all. */
    private static final class Reader {
        private final Map<String, String> environment;
        private final List<String> wrong = new ArrayList<>();

        Reader(Map<String, String> environment) {
            this.environment = environment;
        }

        String required(String name) {
            var value = text(name, "");
            if (value.isEmpty()) {
                wrong.add(name + " is missing");
            }
            return value;
        }

        String text(String name, String otherwise) {
            var value = environment.getOrDefault(name, "").strip();
            return value.isEmpty() ? otherwise : value;
        }

        String oneOf(String name, String otherwise, Set<String> allowed) {
            var value = text(name, otherwise);
            if (!allowed.contains(value)) {
                wrong.add(name + " must be one of " + new TreeSet<>(allowed));
            }
            return value;
        }

        int number(String name, int otherwise, int min, int max) {
            @Nullable Integer value = parsed(text(name, Integer.toString(otherwise)), Integer::valueOf);
            if (value == null || value < min || value > max) {
                wrong.add(name + " must be a whole number from " + min + " to " + max);
                return otherwise;
            }
            return value;
        }

        Set<String> namespaces(String name) {
            var all = new TreeSet<String>();
            Arrays.stream(text(name, "").split(",", -1))
                    .map(String::strip)
                    .filter(part -> !part.isEmpty())
                    .forEach(all::add);
            all.stream()
                    .filter(part -> !LABEL.matcher(part).matches())
                    .forEach(part -> wrong.add(name + " has an entry that is no namespace: " + part));
            return all;
        }

        void finish() {
            if (!wrong.isEmpty()) {
                throw new IllegalArgumentException("Bad configuration: " + String.join("; ", wrong));
            }
        }

        private static @Nullable Integer parsed(String text, Function<String, Integer> parser) {
            try {
                return parser.apply(text);
            } catch (NumberFormatException e) {
                return null;
            }
        }
    }
}
