package dev.sekisho.operator.idpcluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.NumericNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sekisho.operator.KubeApi;
import dev.sekisho.operator.kube.Labels;
import dev.sekisho.operator.kube.Names;
import dev.sekisho.operator.status.Events;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Every field that the operator owns, by the API server's own account of who owns what, is removed and edited, and every
 * child deleted; each comes back. On a real API server without controllers, so that an edit has no other effect.
 */
class DriftIT {
    private static final KubeApi API = KubeApi.shared();
    private static final Duration BACK = Duration.ofSeconds(10);
    private static final JsonMapper JSON = new JsonMapper();
    /** Whatever the operator may have made; a kind that is missing here is found by {@link #noKindIsForgotten}. */
    private static final List<Kind> KINDS = List.of(
            new Kind("v1", "Secret", "secrets"),
            new Kind("v1", "ConfigMap", "configmaps"),
            new Kind("v1", "Service", "services"),
            new Kind("v1", "ServiceAccount", "serviceaccounts"),
            new Kind("rbac.authorization.k8s.io/v1", "Role", "roles"),
            new Kind("rbac.authorization.k8s.io/v1", "RoleBinding", "rolebindings"),
            new Kind("apps/v1", "StatefulSet", "statefulsets"),
            new Kind("apps/v1", "Deployment", "deployments"),
            new Kind("networking.k8s.io/v1", "NetworkPolicy", "networkpolicies"),
            new Kind("policy/v1", "PodDisruptionBudget", "poddisruptionbudgets"));

    /** They are never reinvented; their own tests are in {@link IdpClusterTroubleIT}. */
    private static final Set<String> PRECIOUS =
            Set.of(Names.postgresCredentials(ClusterSite.NAME), Names.keyEncryption(ClusterSite.NAME));

    private static KubeApi.RunningOperator operator;
    private static ClusterSite site;

    private record Kind(String apiVersion, String kind, String plural) {}

    /** A child, and the paths of fields that the operator owns in it. */
    private record Child(Kind kind, String name, List<List<String>> fields) {}

    @BeforeAll
    static void aClusterStands() {
        operator = API.start(new IdpClusterReconciler(
                ClusterSite.CONFIG,
                ClusterSite.departures(API),
                new Events(API.operator(), Clock.systemUTC(), "test"),
                Clock.systemUTC()));
        site = new ClusterSite(API);
        site.applyCluster("replicas: 2\ngateway: {replicas: 2}\npostgres: {replicas: 2}");
        site.playAll();
    }

    @AfterAll
    static void stopOperator() {
        operator.close();
    }

    @Test
    void everyChildThatIsDeletedComesBack() {
        var children = children();
        assertThat(children).hasSizeGreaterThan(25);
        for (var child : children) {
            if (PRECIOUS.contains(child.name())) {
                continue;
            }
            var uid = resource(child).get().getMetadata().getUid();
            resource(child).delete();
            Awaitility.await(child.kind().kind() + " " + child.name() + " is back")
                    .atMost(BACK)
                    .pollInterval(Duration.ofMillis(50))
                    .until(() -> {
                        var found = resource(child).get();
                        return found != null && !found.getMetadata().getUid().equals(uid);
                    });
        }
    }

    @Test
    void everyOwnedFieldThatIsEditedComesBack() {
        var children = children();
        int rounds = children.stream().mapToInt(c -> c.fields().size()).max().orElse(0);
        var refused = new TreeSet<String>();
        int edited = 0;
        // One field of each child at a time.
        for (int round = 0; round < rounds; round++) {
            var edits = new ArrayList<Edit>();
            for (var child : children) {
                if (round < child.fields().size()) {
                    var edit = edit(child, child.fields().get(round));
                    edit.ifPresent(edits::add);
                    if (edit.isEmpty()) {
                        refused.add(child.kind().kind() + " "
                                + String.join("/", child.fields().get(round)));
                    }
                }
            }
            edited += edits.size();
            for (var edit : edits) {
                Awaitility.await(edit.toString())
                        .atMost(BACK)
                        .pollInterval(Duration.ofMillis(20))
                        .until(() -> edit.before().equals(at(tree(edit.child()), edit.path())));
            }
        }
        assertThat(edited).isGreaterThan(400);
        // What the API server itself refuses to change needs nobody to put it back.
        assertThat(refused).as("fields that nobody can edit").hasSizeLessThan(edited / 4);
    }

    @Test
    void noKindIsForgotten() {
        var written = site.writes().stream()
                .map(line -> line.split("[ /]", -1)[1])
                .collect(Collectors.toCollection(TreeSet::new));
        written.removeAll(KINDS.stream().map(Kind::plural).toList());
        // The status is the operator's own, Events and a Job's end are history, and pods belong to their controllers.
        assertThat(written).isSubsetOf("idpclusters", "events", "jobs", "pods");
    }

    /** What was done to a field. */
    private record Edit(Child child, List<String> path, JsonNode before) {
        @Override
        public String toString() {
            return child.kind().kind() + " " + child.name() + " " + String.join("/", path) + " is back";
        }
    }

    /** Changes a field, or removes it where no other value is accepted; empty when the API server refuses both. */
    private static Optional<Edit> edit(Child child, List<String> path) {
        var pointer = pointer(tree(child), path);
        if (pointer.isEmpty()) {
            return Optional.empty();
        }
        var before = at(tree(child), path);
        for (var patch : patches(pointer.get(), before)) {
            try {
                resource(child).patch(PatchContext.of(PatchType.JSON), patch);
                return Optional.of(new Edit(child, path, before));
            } catch (KubernetesClientException e) {
                // The next one, perhaps.
            }
        }
        return Optional.empty();
    }

    private static List<String> patches(String pointer, JsonNode before) {
        var remove = "[{\"op\":\"remove\",\"path\":\"" + pointer + "\"}]";
        return other(before)
                .map(value ->
                        List.of("[{\"op\":\"replace\",\"path\":\"" + pointer + "\",\"value\":" + value + "}]", remove))
                .orElse(List.of(remove));
    }

    private static Optional<JsonNode> other(JsonNode value) {
        return switch (value) {
            case TextNode text -> Optional.of(TextNode.valueOf(text.asText() + "x"));
            case BooleanNode bool -> Optional.of(BooleanNode.valueOf(!bool.asBoolean()));
            case NumericNode number -> Optional.of(JSON.getNodeFactory().numberNode(number.asLong() + 1));
            default -> Optional.empty();
        };
    }

    // --- Who owns what

    private static List<Child> children() {
        var children = new ArrayList<Child>();
        for (var kind : KINDS) {
            for (var found : site.admin()
                    .genericKubernetesResources(kind.apiVersion(), kind.kind())
                    .inNamespace(site.namespace())
                    .withLabel(Labels.MANAGED_BY, Labels.MANAGER)
                    .list()
                    .getItems()) {
                var name = found.getMetadata().getName();
                var fields = fields(found).stream()
                        // What somebody writes into a Secret is a rotation, and is used.
                        .filter(path -> !(kind.kind().equals("Secret")
                                && path.getFirst().equals("f:data")))
                        .toList();
                children.add(new Child(kind, name, fields));
            }
        }
        return children;
    }

    private static List<List<String>> fields(GenericKubernetesResource found) {
        var fields = new ArrayList<List<String>>();
        for (var entry : found.getMetadata().getManagedFields()) {
            if (Labels.MANAGER.equals(entry.getManager()) && "Apply".equals(entry.getOperation())) {
                leaves(JSON.valueToTree(entry.getFieldsV1()), List.of(), fields);
            }
        }
        return fields;
    }

    private static void leaves(JsonNode node, List<String> path, List<List<String>> leaves) {
        for (var field : node.properties()) {
            if (field.getKey().equals(".")) {
                continue;
            }
            var next = Stream.concat(path.stream(), Stream.of(field.getKey())).toList();
            if (field.getValue().isEmpty()) {
                leaves.add(next);
            } else {
                leaves(field.getValue(), next, leaves);
            }
        }
    }

    private static JsonNode tree(Child child) {
        return JSON.valueToTree(Objects.requireNonNull(resource(child).get(), child.toString()));
    }

    private static io.fabric8.kubernetes.client.dsl.Resource<GenericKubernetesResource> resource(Child child) {
        return site.admin()
                .genericKubernetesResources(
                        child.kind().apiVersion(), child.kind().kind())
                .inNamespace(site.namespace())
                .withName(child.name());
    }

    private static JsonNode at(JsonNode tree, List<String> path) {
        return pointer(tree, path).map(tree::at).orElse(com.fasterxml.jackson.databind.node.MissingNode.getInstance());
    }

    /** A JSON pointer to the field, by what the list's elements are now; empty when there is no such field. */
    private static Optional<String> pointer(JsonNode tree, List<String> path) {
        var pointer = new StringBuilder();
        var node = tree;
        for (var step : path) {
            var index = index(node, step);
            if (index.isEmpty()) {
                return Optional.empty();
            }
            pointer.append('/').append(index.get().replace("~", "~0").replace("/", "~1"));
            node = node.isArray() ? node.path(Integer.parseInt(index.get())) : node.path(index.get());
            if (node.isMissingNode()) {
                return Optional.empty();
            }
        }
        return Optional.of(pointer.toString());
    }

    private static Optional<String> index(JsonNode node, String step) {
        if (step.startsWith("f:")) {
            return Optional.of(step.substring(2));
        }
        var wanted = read(step.substring(2));
        var elements = StreamSupport.stream(node.spliterator(), false).toList();
        for (int i = 0; i < elements.size(); i++) {
            var element = elements.get(i);
            boolean fits = step.startsWith("v:")
                    ? element.equals(wanted)
                    : wanted.properties().stream()
                            .allMatch(key -> element.path(key.getKey()).equals(key.getValue()));
            if (fits) {
                return Optional.of(String.valueOf(i));
            }
        }
        return Optional.empty();
    }

    private static JsonNode read(String text) {
        try {
            return JSON.readTree(text);
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new AssertionError(text, e);
        }
    }
}
