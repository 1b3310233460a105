package dev.sekisho.api.v1alpha1;

import io.fabric8.crdv2.generator.v1.SchemaCustomizer;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;

/** Bounds maps of quantities: the generator accepts any number and any text, and what is none would reach the operator. */
public final class Quantities implements SchemaCustomizer.Customizer {
    /** What Kubernetes takes, but a sign, and exponents of more than two digits. */
    static final String PATTERN = "^([0-9]+(\\.[0-9]*)?|\\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]{1,2})?$";

    private static final long MAXIMUM_ENTRIES = 20;
    private static final long MAXIMUM_LENGTH = 32;

    @Override
    public JSONSchemaProps apply(JSONSchemaProps schema, String input, KubernetesSerialization serialization) {
        for (var map : schema.getProperties().values()) {
            map.setMaxProperties(MAXIMUM_ENTRIES);
            var quantity = map.getAdditionalProperties().getSchema();
            // These bind texts, and the minimum numbers.
            quantity.setPattern(PATTERN);
            quantity.setMaxLength(MAXIMUM_LENGTH);
            quantity.setMinimum(0.0);
        }
        return schema;
    }
}
