package dev.sekisho.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the chart renders, with both ways to watch. Needs {@code helm}. */
class ChartIT {
    private static final Path CHART = Path.of("../helm/sekisho");
    private static final Path CRDS = Path.of("../crds/generated");
    private static final YAMLMapper YAML = YAMLMapper.builder(new YAMLFactory()).build();

    @Test
    void withoutNamespacesTheOperatorServesAllByOneClusterRole() throws Exception {
        var objects = render();

        var bindings = of(objects, "ClusterRoleBinding");
        assertThat(bindings).hasSize(1);
        assertThat(bindings.getFirst().at("/roleRef/name").asText()).isEqualTo("sekisho-system-sekisho");
        assertThat(names(of(objects, "RoleBinding"))).containsExactly("sekisho-system/sekisho-leader");
        assertThat(environment(objects, "WATCH_NAMESPACES")).isEmpty();
    }

    @Test
    void withNamespacesItHasRightsInTheseAndNowhereElse() throws Exception {
        var objects = render("--set", "watchNamespaces={team-a,team-b}");

        assertThat(of(objects, "ClusterRoleBinding")).isEmpty();
        assertThat(names(of(objects, "ClusterRole")))
                .as("only those that people get, by aggregation or by hand")
                .containsExactlyInAnyOrder("/sekisho-tenant-edit", "/sekisho-view", "/sekisho-cluster-admin");
        assertThat(names(of(objects, "RoleBinding")))
                .containsExactlyInAnyOrder(
                        "team-a/sekisho-system-sekisho",
                        "team-b/sekisho-system-sekisho",
                        "sekisho-system/sekisho-leader");
        assertThat(environment(objects, "WATCH_NAMESPACES")).isEqualTo("team-a,team-b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"replicas=1", "watchNamespaces={team-a}"})
    void noRoleOfTheOperatorHoldsAWildcard(String mode) throws Exception {
        for (var role : render("--set", mode)) {
            if (!role.path("kind").asText().endsWith("Role")) {
                continue;
            }
            assertThat(role.path("rules"))
                    .as(role.at("/metadata/name").asText())
                    .isNotEmpty();
            for (var rule : role.path("rules")) {
                for (var field : List.of("apiGroups", "resources", "verbs")) {
                    assertThat(texts(rule.path(field)))
                            .as("%s", rule)
                            .isNotEmpty()
                            .doesNotContain("*");
                }
            }
        }
    }

    @Test
    void rolesForTeamsReachTheBuiltInOnesAndNoSecret() throws Exception {
        var objects = render();
        var edit = named(objects, "ClusterRole", "sekisho-tenant-edit");
        var view = named(objects, "ClusterRole", "sekisho-view");

        var aggregate = "rbac.authorization.k8s.io/aggregate-to-";
        assertThat(label(edit, aggregate + "edit")).isEqualTo("true");
        assertThat(label(edit, aggregate + "admin")).isEqualTo("true");
        assertThat(label(view, aggregate + "view")).isEqualTo("true");
        for (var role : List.of(edit, view)) {
            for (var rule : role.path("rules")) {
                assertThat(texts(rule.path("apiGroups"))).containsExactly("sekisho.dev");
                if (texts(rule.path("resources")).contains("idpclusters")) {
                    assertThat(texts(rule.path("verbs"))).containsOnly("get", "list", "watch");
                }
            }
        }
    }

    @Test
    void theDefinitionsAreTheGeneratedOnesAndStayWhenTheReleaseGoes() throws Exception {
        var rendered = of(render(), "CustomResourceDefinition");
        var generated = new ArrayList<JsonNode>();
        try (var files = Files.list(CRDS)) {
            for (var file : files.sorted().toList()) {
                generated.add(YAML.readTree(file.toFile()));
            }
        }

        assertThat(rendered).hasSize(3).hasSameSizeAs(generated);
        for (var definition : rendered) {
            assertThat(definition
                            .at("/metadata/annotations/helm.sh~1resource-policy")
                            .asText())
                    .isEqualTo("keep");
        }
        for (var definition : generated) {
            var name = definition.at("/metadata/name").asText();
            // Not isEqualTo: its message would be the whole of both.
            assertThat(named(rendered, "CustomResourceDefinition", name)
                            .path("spec")
                            .equals(definition.path("spec")))
                    .as("the spec of %s is the generated one", name)
                    .isTrue();
        }
        assertThat(of(render("--set", "crds.install=false"), "CustomResourceDefinition"))
                .isEmpty();
    }

    @Test
    void theOperatorRunsWithoutRootOrPrivilegesOnAReadOnlyRoot() throws Exception {
        var pod = of(render(), "Deployment").getFirst().at("/spec/template/spec");
        var container = pod.at("/containers/0");

        assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
        assertThat(pod.at("/securityContext/runAsUser").asInt()).isEqualTo(10001);
        assertThat(pod.at("/securityContext/seccompProfile/type").asText()).isEqualTo("RuntimeDefault");
        assertThat(container.at("/securityContext/readOnlyRootFilesystem").asBoolean())
                .isTrue();
        assertThat(container.at("/securityContext/allowPrivilegeEscalation").asBoolean(true))
                .isFalse();
        assertThat(texts(container.at("/securityContext/capabilities/drop"))).containsExactly("ALL");
        assertThat(container.at("/resources/limits/memory").asText()).isNotEmpty();
        for (var probe : List.of("startupProbe", "livenessProbe", "readinessProbe")) {
            assertThat(container.path(probe).isObject()).as(probe).isTrue();
        }
    }

    @Test
    void everyObjectCarriesTheLabelsAndSelectorsHoldNoneThatChanges() throws Exception {
        var objects = render("--set", "replicas=2", "--set", "metrics.serviceMonitor.enabled=true");
        for (var object : objects) {
            for (var label : List.of("name", "instance", "component", "managed-by", "version")) {
                assertThat(label(object, "app.kubernetes.io/" + label))
                        .as("%s %s", object.path("kind"), object.at("/metadata/name"))
                        .isNotEmpty();
            }
        }
        assertThat(of(objects, "Deployment")
                        .getFirst()
                        .at("/spec/selector/matchLabels")
                        .properties())
                .extracting(java.util.Map.Entry::getKey)
                .containsExactlyInAnyOrder(
                        "app.kubernetes.io/name", "app.kubernetes.io/instance", "app.kubernetes.io/component");
        assertThat(names(of(objects, "ServiceMonitor"))).containsExactly("sekisho-system/sekisho");
    }

    @Test
    void aDisruptionBudgetExistsIfAndOnlyIfOneCopyCanBeSpared() throws Exception {
        assertThat(of(render(), "PodDisruptionBudget")).isEmpty();
        assertThat(of(render("--set", "replicas=2"), "PodDisruptionBudget")).hasSize(1);
    }

    @Test
    void imagesAreThisReleasesOwnOrTheUsers() throws Exception {
        var objects = render();
        assertThat(environment(objects, "RELATED_IMAGE_RUNTIME")).startsWith("ghcr.io/sekisho/idp-runtime:");
        assertThat(environment(objects, "RELATED_IMAGE_POSTGRES")).startsWith("ghcr.io/sekisho/postgres:");
        for (var image : List.of("REDIS", "GATEWAY", "K6")) {
            assertThat(environment(objects, "RELATED_IMAGE_" + image)).contains(":");
        }

        var digest = "sha256:" + "0".repeat(64);
        var pinned = render("--set", "image.digest=" + digest, "--set", "relatedImages.redis=my.registry/redis:7");
        assertThat(of(pinned, "Deployment")
                        .getFirst()
                        .at("/spec/template/spec/containers/0/image")
                        .asText())
                .isEqualTo("ghcr.io/sekisho/operator@" + digest);
        assertThat(environment(pinned, "RELATED_IMAGE_REDIS")).isEqualTo("my.registry/redis:7");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "imagee.tag=x",
                "image.tag=not a tag",
                "replicas=-1",
                "watchNamespaces={Not_A_Namespace}",
                "relatedImages.runtime=UPPER",
                "logLevel=LOUD",
                "networkPolicy.apiServerPorts={0}"
            })
    void aValueThatCannotBeMeantIsRefused(String value) throws Exception {
        var run = helm("template", "sekisho", CHART.toString(), "--kube-version", "1.34", "--set", value);
        assertThat(run.status()).as(value).isNotZero();
        assertThat(run.errors()).contains("values don't meet the specifications of the schema");
    }

    @Test
    void twoReleasesInTwoNamespacesDoNotMeet() throws Exception {
        var one = names(of(render("--namespace", "one"), "ClusterRoleBinding"));
        var two = names(of(render("--namespace", "two"), "ClusterRoleBinding"));
        assertThat(one).isNotEmpty().doesNotContainAnyElementsOf(two);
    }

    // --- Helm

    private record Run(int status, String output, String errors) {}

    private static List<JsonNode> render(String... more) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(
                "template", "sekisho", CHART.toString(), "--namespace", "sekisho-system", "--kube-version", "1.34"));
        command.addAll(List.of(more));
        var run = helm(command.toArray(String[]::new));
        assertThat(run.status()).as(run.errors()).isZero();
        var objects = new ArrayList<JsonNode>();
        try (var documents = YAML.readerFor(JsonNode.class).<JsonNode>readValues(run.output())) {
            documents.forEachRemaining(document -> {
                if (document instanceof ObjectNode object && !object.isEmpty()) {
                    objects.add(object);
                }
            });
        }
        assertThat(objects).isNotEmpty();
        return objects;
    }

    private static Run helm(String... arguments) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of("helm"));
        command.addAll(List.of(arguments));
        var output = Files.createTempFile("helm", ".out");
        var errors = Files.createTempFile("helm", ".err");
        try {
            var process = new ProcessBuilder(command)
                    .redirectOutput(output.toFile())
                    .redirectError(errors.toFile())
                    .start();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return new Run(
                    process.exitValue(),
                    Files.readString(output, StandardCharsets.UTF_8),
                    Files.readString(errors, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new AssertionError("no helm; remedy: PATH=$PATH:$(dev/cluster/cluster binaries), or ./check", e);
        } finally {
            Files.delete(output);
            Files.delete(errors);
        }
    }

    // --- What is in it

    private static List<JsonNode> of(List<JsonNode> objects, String kind) {
        return objects.stream()
                .filter(o -> o.path("kind").asText().equals(kind))
                .toList();
    }

    private static JsonNode named(List<JsonNode> objects, String kind, String name) {
        return of(objects, kind).stream()
                .filter(o -> o.at("/metadata/name").asText().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> names(List<JsonNode> objects) {
        return objects.stream()
                .map(o -> o.at("/metadata/namespace").asText() + "/"
                        + o.at("/metadata/name").asText())
                .toList();
    }

    private static String label(JsonNode object, String label) {
        return object.at("/metadata/labels").path(label).asText();
    }

    private static List<String> texts(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }

    private static String environment(List<JsonNode> objects, String name) {
        return StreamSupport.stream(
                        of(objects, "Deployment")
                                .getFirst()
                                .at("/spec/template/spec/containers/0/env")
                                .spliterator(),
                        false)
                .filter(e -> e.path("name").asText().equals(name))
                .map(e -> e.path("value").asText())
                .findFirst()
                .orElseThrow();
    }
}
