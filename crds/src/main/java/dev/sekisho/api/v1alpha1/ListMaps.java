package dev.sekisho.api.v1alpha1;

import io.fabric8.crdv2.generator.v1.SchemaCustomizer;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;

/**
 * Marks lists as maps by key ({@code input}: {@code list=key;list=key}), so that the API server refuses duplicates and
 * merges by key. Also drops CEL rules that the generator writes twice for record components.
 */
public final class ListMaps implements SchemaCustomizer.Customizer {
    @Override
    public JSONSchemaProps apply(JSONSchemaProps schema, String input, KubernetesSerialization serialization) {
        for (var entry : input.split(";", -1)) {
            if (entry.isEmpty()) {
                continue;
            }
            int equals = entry.indexOf('=');
            var name = entry.substring(0, equals);
            var list = Objects.requireNonNull(schema.getProperties().get(name), name);
            var key = entry.substring(equals + 1);
            list.setXKubernetesListType("map");
            list.setXKubernetesListMapKeys(List.of(key));
            var items = list.getItems().getSchema();
            var required = new TreeSet<String>();
            if (items.getRequired() != null) {
                required.addAll(items.getRequired());
            }
            required.add(key);
            items.setRequired(new ArrayList<>(required));
        }
        dropDoubledRules(schema);
        return schema;
    }

    private static void dropDoubledRules(JSONSchemaProps schema) {
        if (schema.getXKubernetesValidations() != null) {
            schema.setXKubernetesValidations(new ArrayList<>(new LinkedHashSet<>(schema.getXKubernetesValidations())));
        }
        if (schema.getProperties() != null) {
            schema.getProperties().values().forEach(ListMaps::dropDoubledRules);
        }
        if (schema.getItems() != null && schema.getItems().getSchema() != null) {
            dropDoubledRules(schema.getItems().getSchema());
        }
    }
}
