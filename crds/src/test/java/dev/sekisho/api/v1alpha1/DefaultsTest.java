package dev.sekisho.api.v1alpha1;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.crdv2.generator.CRDGenerator;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the API server fills in, and what the records fill in, is the same. */
class DefaultsTest {
    private final ObjectMapper json = new ObjectMapper();

    @TempDir
    Path dir;

    @Test
    void aTenantsDefaultsAgree() throws IOException {
        agree(Tenant.class, TenantSpec.class, """
                {"clusterRef":{"name":"c"},"tenantId":"t","clients":[{"clientId":"a"},{"clientId":"b","secretRef":{"name":"s"}}]}
                """);
    }

    @Test
    void anIdpClustersDefaultsAgree() throws IOException {
        agree(IdpCluster.class, IdpClusterSpec.class, "{\"publicUrl\":\"https://idp.example.com\"}");
    }

    @Test
    void aLoadTestsDefaultsAgree() throws IOException {
        agree(LoadTest.class, LoadTestSpec.class, """
                {"clusterRef":{"name":"c"},"scenario":{"name":"x","configMapRef":{"name":"m"}},"steps":[{"vus":1,"duration":"1s"}]}
                """);
    }

    private void agree(Class<? extends CustomResource<?, ?>> kind, Class<?> spec, String least) throws IOException {
        new CRDGenerator().customResourceClasses(kind).inOutputDir(dir.toFile()).generate();
        var crd = Serialization.unmarshal(
                Files.readString(dir.resolve(CustomResource.getCRDName(kind) + "-v1.yml")),
                CustomResourceDefinition.class);
        var schema = crd.getSpec()
                .getVersions()
                .getFirst()
                .getSchema()
                .getOpenAPIV3Schema()
                .getProperties()
                .get("spec");

        var byServer = applyDefaults(java.util.Objects.requireNonNull(schema), json.readTree(least));
        var byRecord = json.readTree(json.writeValueAsString(json.readValue(least, spec)));

        assertThat(withoutNulls(byRecord)).isEqualTo(withoutNulls(byServer));
    }

    /** Defaulting as the API server does it: what is absent is set, then one level deeper. */
    private JsonNode applyDefaults(JSONSchemaProps schema, JsonNode value) throws IOException {
        if (value instanceof ObjectNode object && schema.getProperties() != null) {
            for (var property : schema.getProperties().entrySet()) {
                var name = property.getKey();
                var child = property.getValue();
                if (!object.has(name) && child.getDefault() != null) {
                    object.set(name, json.readTree(json.writeValueAsString(child.getDefault())));
                }
                if (object.has(name)) {
                    object.set(name, applyDefaults(child, object.get(name)));
                }
            }
        }
        if (value.isArray() && schema.getItems() != null) {
            for (var item : value) {
                applyDefaults(schema.getItems().getSchema(), item);
            }
        }
        return value;
    }

    private JsonNode withoutNulls(JsonNode value) {
        if (value instanceof ObjectNode object) {
            var copy = JsonNodeFactory.instance.objectNode();
            object.properties().forEach(e -> {
                if (!e.getValue().isNull()) {
                    copy.set(e.getKey(), withoutNulls(e.getValue()));
                }
            });
            return copy;
        }
        if (value.isArray()) {
            var copy = JsonNodeFactory.instance.arrayNode();
            value.forEach(e -> copy.add(withoutNulls(e)));
            return copy;
        }
        return value.isNumber() ? JsonNodeFactory.instance.numberNode(value.asDouble()) : value;
    }
}
