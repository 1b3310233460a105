package dev.sekisho.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.sekisho.api.v1alpha1.IdpClusterSpec;
import dev.sekisho.api.v1alpha1.LoadTestSpec;
import dev.sekisho.api.v1alpha1.TenantSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What can be said of examples without a cluster: they hold no field that the kinds do not have. */
class ExamplesTest {
    private static final Path EXAMPLES = Path.of("../examples");
    private static final JsonMapper STRICT = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();
    private static final Map<String, Class<?>> SPECS =
            Map.of("IdpCluster", IdpClusterSpec.class, "Tenant", TenantSpec.class, "LoadTest", LoadTestSpec.class);

    static Stream<Path> examples() throws IOException {
        try (var files = Files.walk(EXAMPLES)) {
            return files.filter(f -> f.toString().endsWith(".yaml")).sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void anExampleHasOnlyFieldsThatExist(Path example) throws IOException {
        var yaml = YAMLMapper.builder(new YAMLFactory()).build();
        int objects = 0;
        try (var documents = yaml.readerFor(JsonNode.class).<JsonNode>readValues(example.toFile())) {
            while (documents.hasNext()) {
                var object = documents.next();
                var spec = SPECS.get(object.path("kind").asText());
                if (spec != null) {
                    assertThat(object.path("apiVersion").asText()).isEqualTo("sekisho.dev/v1alpha1");
                    assertThat(STRICT.treeToValue(object.path("spec"), spec)).isNotNull();
                }
                objects++;
            }
        }
        assertThat(objects).isPositive();
    }

    @Test
    void theTableOfExamplesNamesEach() throws IOException {
        var table = Files.readString(EXAMPLES.resolve("README.md"));
        for (var example : examples().toList()) {
            var relative = EXAMPLES.relativize(example);
            assertThat(table)
                    .contains("(" + (relative.getNameCount() > 1 ? relative.getName(0) + "/" : relative) + ")");
        }
    }
}
