package dev.sekisho.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;

/** Writes the reference page of the three kinds from their CustomResourceDefinitions. */
final class CrdReference {
    private static final YAMLMapper YAML = new YAMLMapper();

    private final StringBuilder text = new StringBuilder();

    private CrdReference() {}

    /** The page for the definitions in a folder. */
    static String of(Path folder) throws IOException {
        var page = new CrdReference();
        page.text.append("""
            # Custom resources

            Generated from `crds/generated/`; to renew: `mvn -pl e2e test -Dtest=CrdReferenceTest -Ddocs.update`.
            Group and version: `sekisho.dev/v1alpha1`. All three kinds are namespaced and in the category `sekisho`
            (`kubectl get sekisho`). `[]` stands for each element of a list. What the conditions and phases mean:
            [Status](status.md).
            """);
        try (var files = Files.list(folder)) {
            for (var file :
                    files.filter(f -> f.toString().endsWith(".yaml")).sorted().toList()) {
                page.kind(YAML.readTree(file.toFile()).path("spec"));
            }
        }
        return page.text.toString();
    }

    private void kind(JsonNode definition) {
        var names = definition.path("names");
        var version = definition.path("versions").get(0);
        text.append("\n## ").append(names.path("kind").asText()).append("\n\n");
        text.append("`kubectl get ").append(names.path("plural").asText());
        names.path("shortNames").forEach(n -> text.append("`, `").append(n.asText()));
        text.append("`. Columns: ");
        var columns = new ArrayList<String>();
        version.path("additionalPrinterColumns")
                .forEach(c -> columns.add(
                        c.path("name").asText() + (c.path("priority").asInt() > 0 ? " (with `-o wide`)" : "")));
        text.append(String.join(", ", columns)).append(".\n");
        if (version.at("/subresources/scale").isObject()) {
            text.append("It has the scale subresource: `kubectl scale` and a HorizontalPodAutoscaler work.\n");
        }
        var schema = version.at("/schema/openAPIV3Schema");
        rules("", schema);
        for (var part : List.of("spec", "status")) {
            text.append("\n### ")
                    .append(names.path("kind").asText())
                    .append(' ')
                    .append(part)
                    .append("\n\n");
            text.append("| field | type | default | what it is |\n|---|---|---|---|\n");
            fields(part, schema.path("properties").path(part));
        }
    }

    private void fields(String path, JsonNode schema) {
        var required = texts(schema.path("required"));
        schema.path("properties").properties().forEach(entry -> {
            var name = path + "." + entry.getKey();
            var field = entry.getValue();
            row(name, field, required.contains(entry.getKey()));
            if (field.path("items").path("properties").isObject()) {
                fields(name + "[]", field.path("items"));
            } else {
                fields(name, field);
            }
        });
    }

    private void row(String name, JsonNode field, boolean required) {
        var notes = new ArrayList<String>();
        if (field.hasNonNull("description")) {
            notes.add(field.path("description").asText());
        }
        notes.addAll(limits(field));
        if (field.has("items")) {
            limits(field.path("items")).forEach(l -> notes.add("Each: " + l));
        }
        for (var holder : List.of(field, field.path("items"))) {
            holder.path("x-kubernetes-validations")
                    .forEach(r -> notes.add("Rule: " + r.path("message").asText() + "."));
        }
        if (field.has("x-kubernetes-list-map-keys")) {
            notes.add("Unique by " + String.join(", ", texts(field.path("x-kubernetes-list-map-keys"))) + ".");
        }
        text.append("| `").append(name.replaceFirst("^(spec|status)\\.", "")).append('`');
        text.append(required ? " **required**" : "");
        text.append(" | ").append(type(field));
        text.append(" | ").append(defaultOf(field));
        text.append(" | ").append(String.join(" ", notes).replace("|", "\\|").replace("\n", " "));
        text.append(" |\n");
    }

    private void rules(String indent, JsonNode schema) {
        schema.path("x-kubernetes-validations")
                .forEach(r -> text.append(indent)
                        .append("Rule: ")
                        .append(r.path("message").asText())
                        .append(".\n"));
        schema.at("/properties/spec/x-kubernetes-validations")
                .forEach(r -> text.append(indent)
                        .append("Rule: ")
                        .append(r.path("message").asText())
                        .append(".\n"));
    }

    private static String type(JsonNode field) {
        if (field.path("x-kubernetes-int-or-string").asBoolean()) {
            return "quantity";
        }
        if (field.path("type").asText().equals("array")) {
            return "list of " + type(field.path("items"));
        }
        if (field.path("additionalProperties").isObject()) {
            return "map to " + type(field.path("additionalProperties"));
        }
        return field.path("type").asText();
    }

    /** Defaults of parts stand with the parts. */
    private static String defaultOf(JsonNode field) {
        var value = field.path("default");
        if (value.isMissingNode() || value.isObject()) {
            return "";
        }
        return "`" + (value.isTextual() && !value.asText().isEmpty() ? value.asText() : value.toString()) + "`";
    }

    private static List<String> limits(JsonNode field) {
        var limits = new ArrayList<String>();
        if (field.has("enum")) {
            limits.add("One of `" + String.join("`, `", texts(field.path("enum"))) + "`.");
        }
        range(limits, field, "minimum", "maximum", "From %s to %s.");
        range(limits, field, "minItems", "maxItems", "%s to %s entries.");
        range(limits, field, "minLength", "maxLength", "%s to %s characters.");
        if (field.has("pattern")) {
            limits.add("Pattern `" + field.path("pattern").asText() + "`.");
        }
        return limits;
    }

    private static void range(List<String> limits, JsonNode field, String min, String max, String format) {
        if (field.has(min) || field.has(max)) {
            limits.add(format.formatted(
                    field.has(min) ? number(field.path(min)) : "0",
                    field.has(max) ? number(field.path(max)) : "any number"));
        }
    }

    private static String number(JsonNode bound) {
        return bound.decimalValue().stripTrailingZeros().toPlainString();
    }

    private static List<String> texts(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false)
                .map(JsonNode::asText)
                .toList();
    }
}
