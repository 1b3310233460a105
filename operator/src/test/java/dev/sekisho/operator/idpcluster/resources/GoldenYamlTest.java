package dev.sekisho.operator.idpcluster.resources;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sekisho.api.v1alpha1.IdpCluster;
import dev.sekisho.operator.OperatorConfig;
import dev.sekisho.operator.kube.Clients;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every child, as YAML, for a small and for a large IdpCluster; {@code -Dgolden.update} rewrites the files. */
class GoldenYamlTest {
    private static final Path FOLDER = Path.of("src", "test", "resources", "golden");
    private static final KubernetesSerialization YAML = Clients.serialization();

    /** Texts of many lines as such, so that a difference can be read. */
    private static final YAMLMapper WRITER = YAMLMapper.builder()
            .enable(YAMLGenerator.Feature.LITERAL_BLOCK_STYLE)
            .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
            .disable(YAMLGenerator.Feature.SPLIT_LINES)
            .build();

    static final OperatorConfig CONFIG = OperatorConfig.from(Map.of(
            "POD_NAMESPACE", "sekisho-system",
            "OPERATOR_VERSION", "1.2.3",
            "RELATED_IMAGE_RUNTIME", "example.test/idp-runtime:1",
            "RELATED_IMAGE_POSTGRES", "example.test/postgres:17",
            "RELATED_IMAGE_REDIS", "example.test/redis:7",
            "RELATED_IMAGE_GATEWAY", "example.test/nginx:1.28",
            "RELATED_IMAGE_K6", "example.test/k6:2"));

    @ParameterizedTest
    @ValueSource(strings = {"small", "large"})
    void childrenAreAsTheGoldenFileSays(String name) throws IOException {
        var cluster = YAML.unmarshal(Files.readString(FOLDER.resolve(name + ".cluster.yaml")), IdpCluster.class);
        var yaml = children(new Blueprint(cluster, CONFIG)).stream()
                .map(GoldenYamlTest::yaml)
                .collect(Collectors.joining());
        var golden = FOLDER.resolve(name + ".children.yaml");
        if (System.getProperty("golden.update") != null) {
            Files.writeString(golden, yaml);
        }
        assertThat(golden)
                .as(
                        "look at the difference; if it is meant: mvn -pl operator test -Dtest=GoldenYamlTest -Dgolden.update")
                .content()
                .isEqualTo(yaml);
    }

    private static String yaml(HasMetadata child) {
        try {
            return WRITER.writeValueAsString(YAML.convertValue(child, Map.class));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<HasMetadata> children(Blueprint plan) {
        var all = new ArrayList<HasMetadata>(PostgresAccess.desired(plan));
        all.addAll(Services.desired(plan));
        all.addAll(NetworkPolicies.desired(plan));
        all.addAll(DisruptionBudgets.desired(plan));
        all.add(CaBundle.desired(plan, "(certificate)"));
        all.add(PostgresConfigMap.desired(plan));
        all.add(PostgresStatefulSet.desired(plan, "0123", "1.0.0"));
        all.add(RedisResources.configMap(plan));
        all.add(RedisResources.statefulSet(plan, "4567", "1.0.0"));
        all.add(MigrateJob.desired(plan, "89ab"));
        all.add(RuntimeResources.configMap(plan, "89ab"));
        all.add(RuntimeResources.deployment(
                plan, plan.runtimeImage(), "cdef", plan.spec().replicas()));
        all.add(GatewayResources.configMap(plan));
        all.add(GatewayResources.deployment(plan, "0246"));
        all.sort(Comparator.comparing((HasMetadata child) -> child.getKind())
                .thenComparing(child -> child.getMetadata().getName()));
        return all;
    }
}
