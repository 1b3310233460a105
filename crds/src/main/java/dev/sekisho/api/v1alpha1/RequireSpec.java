package dev.sekisho.api.v1alpha1;

import io.fabric8.crdv2.generator.v1.SchemaCustomizer;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;

/** Makes {@code spec} required: the generator leaves it optional, and an object without one would reach the operator. */
public final class RequireSpec implements SchemaCustomizer.Customizer {
    @Override
    public JSONSchemaProps apply(JSONSchemaProps schema, String input, KubernetesSerialization serialization) {
        schema.setRequired(List.of("spec"));
        return schema;
    }
}
