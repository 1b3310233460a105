package dev.sekisho.loadtest.js;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A path into JSON in gjson's syntax, as {@code response.json(path)} takes it: keys and indexes with dots between them
 * ({@code keys.0.kid}), {@code #} for the length of an array or, followed by more, for the same of each element
 * ({@code keys.#.kid}), {@code #(use=="sig")} for the first element that fits and {@code #(use=="sig")#} for all,
 * {@code *} and {@code ?} in keys, and a backslash before a character that is meant literally.
 */
final class GjsonPath {
    private final List<Step> steps;

    private GjsonPath(List<Step> steps) {
        this.steps = steps;
    }

    private sealed interface Step {}

    /** A key of an object, an index of an array. */
    private record Key(String name, boolean literal) implements Step {}

    /** The length, or what follows for each element. */
    private record Each() implements Step {}

    /** The first element that fits, or all. */
    private record Query(Condition condition, boolean all) implements Step {}

    private record Condition(GjsonPath path, String operator, String value, boolean quoted) {}

    /**
     * Parses a path.
     *
     * @throws IllegalArgumentException if it uses what this runner does not have: modifiers, multipaths
     */
    static GjsonPath parse(String text) {
        if (text.startsWith("@") || text.startsWith("{") || text.startsWith("[") || text.startsWith("!")) {
            throw new IllegalArgumentException(
                    "gjson path '" + text + "': modifiers and multipaths are not supported by this runner");
        }
        List<Step> steps = new ArrayList<>();
        int position = 0;
        while (position <= text.length()) {
            if (text.startsWith("#(", position)) {
                int end = closing(text, position + 1);
                boolean all = text.startsWith("#", end + 1);
                steps.add(new Query(condition(text.substring(position + 2, end)), all));
                position = end + (all ? 2 : 1) + 1;
                continue;
            }
            StringBuilder name = new StringBuilder();
            boolean literal = true;
            while (position < text.length() && text.charAt(position) != '.' && text.charAt(position) != '|') {
                char c = text.charAt(position);
                if (c == '\\' && position + 1 < text.length()) {
                    position++;
                    name.append(wildcard(text.charAt(position)) ? "\\" : "").append(text.charAt(position));
                } else {
                    literal &= !wildcard(c);
                    name.append(c);
                }
                position++;
            }
            steps.add(name.toString().equals("#") ? new Each() : new Key(name.toString(), literal));
            position++;
        }
        return new GjsonPath(List.copyOf(steps));
    }

    private static boolean wildcard(char c) {
        return c == '*' || c == '?';
    }

    private static int closing(String text, int open) {
        boolean quoted = false;
        int depth = 0;
        for (int i = open; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\') {
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (!quoted && c == '(') {
                depth++;
            } else if (!quoted && c == ')' && --depth == 0) {
                return i;
            }
        }
        throw new IllegalArgumentException("gjson path '" + text + "': a bracket is not closed");
    }

    private static Condition condition(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '(') {
                // Operators in there belong to a query of its own.
                i = closing(text, i);
                continue;
            }
            for (String operator : List.of("==", "!=", "<=", ">=", "!%", "=", "<", ">", "%")) {
                if (text.startsWith(operator, i)) {
                    String value = text.substring(i + operator.length()).strip();
                    boolean quoted = value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"");
                    String plain =
                            quoted ? value.substring(1, value.length() - 1).replaceAll("\\\\(.)", "$1") : value;
                    return new Condition(
                            conditionPath(text.substring(0, i)), operator.equals("=") ? "==" : operator, plain, quoted);
                }
            }
        }
        return new Condition(conditionPath(text), "exists", "", false);
    }

    private static GjsonPath conditionPath(String text) {
        return text.isBlank() ? new GjsonPath(List.of()) : parse(text.strip());
    }

    /** What it selects, if there is such a thing. */
    Optional<JsonNode> select(JsonNode root) {
        return select(root, 0);
    }

    private Optional<JsonNode> select(JsonNode node, int from) {
        if (from == steps.size()) {
            return Optional.of(node);
        }
        return switch (steps.get(from)) {
            case Key key -> child(node, key).flatMap(child -> select(child, from + 1));
            case Each _ -> each(node, from);
            case Query query -> query(node, query, from);
        };
    }

    private static Optional<JsonNode> child(JsonNode node, Key key) {
        if (node.isArray()) {
            return key.name().matches("[0-9]{1,9}")
                    ? Optional.ofNullable(node.get(Integer.parseInt(key.name())))
                    : Optional.empty();
        }
        if (key.literal()) {
            return Optional.ofNullable(node.get(key.name().replace("\\", "")));
        }
        Pattern pattern = glob(key.name());
        return node.properties().stream()
                .filter(entry -> pattern.matcher(entry.getKey()).matches())
                .findFirst()
                .map(Map.Entry::getValue);
    }

    private static Pattern glob(String text) {
        StringBuilder regex = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && i + 1 < text.length()) {
                regex.append(Pattern.quote(text.substring(++i, i + 1)));
            } else {
                regex.append(c == '*' ? ".*" : c == '?' ? "." : Pattern.quote(String.valueOf(c)));
            }
        }
        return Pattern.compile(regex.toString(), Pattern.DOTALL);
    }

    private Optional<JsonNode> each(JsonNode node, int from) {
        if (!node.isArray()) {
            return Optional.empty();
        }
        if (from + 1 == steps.size()) {
            return Optional.of(IntNode.valueOf(node.size()));
        }
        ArrayNode found = JsonNodeFactory.instance.arrayNode();
        node.forEach(element -> select(element, from + 1).ifPresent(found::add));
        return Optional.of(found);
    }

    private Optional<JsonNode> query(JsonNode node, Query query, int from) {
        if (!node.isArray()) {
            return Optional.empty();
        }
        ArrayNode found = JsonNodeFactory.instance.arrayNode();
        for (JsonNode element : node) {
            if (!holds(query.condition(), element)) {
                continue;
            }
            if (!query.all()) {
                return select(element, from + 1);
            }
            select(element, from + 1).ifPresent(found::add);
        }
        return query.all() ? Optional.of(found) : Optional.empty();
    }

    private static boolean holds(Condition condition, JsonNode element) {
        Optional<JsonNode> selected = condition.path().select(element);
        if (selected.isEmpty()) {
            return false;
        }
        JsonNode actual = selected.get();
        return switch (condition.operator()) {
            case "exists" -> true;
            case "%" ->
                actual.isTextual()
                        && glob(condition.value()).matcher(actual.asText()).matches();
            case "!%" ->
                actual.isTextual()
                        && !glob(condition.value()).matcher(actual.asText()).matches();
            default -> compares(condition, actual);
        };
    }

    private static boolean compares(Condition condition, JsonNode actual) {
        if (condition.quoted() != actual.isTextual()) {
            return false;
        }
        int order;
        if (actual.isNumber()) {
            try {
                order = Double.compare(actual.asDouble(), Double.parseDouble(condition.value()));
            } catch (NumberFormatException e) {
                return false;
            }
        } else {
            order = actual.asText().compareTo(condition.value());
        }
        return switch (condition.operator()) {
            case "==" -> order == 0;
            case "!=" -> order != 0;
            case "<" -> order < 0;
            case "<=" -> order <= 0;
            case ">" -> order > 0;
            default -> order >= 0;
        };
    }
}
