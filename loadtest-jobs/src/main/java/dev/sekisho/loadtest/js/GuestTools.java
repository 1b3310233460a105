package dev.sekisho.loadtest.js;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.SourceSection;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/** What the host needs of a context to handle its values: JSON, bytes, tags, stack traces. */
final class GuestTools {
    private @Nullable Value bootstrap;
    private @Nullable Value undefined;

    void bind(Value result) {
        bootstrap = result;
        undefined = result.getContext().eval("js", "undefined");
    }

    Value call(String function, Object... arguments) {
        if (bootstrap == null) {
            throw new IllegalStateException("the context is not set up");
        }
        return bootstrap.invokeMember(function, arguments);
    }

    Value undefined() {
        if (undefined == null) {
            throw new IllegalStateException("the context is not set up");
        }
        return undefined;
    }

    static boolean isNullish(@Nullable Value value) {
        return value == null || value.isNull();
    }

    Optional<String> toJson(Value value) {
        Value json = call("stringify", value);
        return json.isString() ? Optional.of(json.asString()) : Optional.empty();
    }

    String describe(Value error) {
        return call("describe", error).asString();
    }

    boolean isBytes(Value value) {
        return !value.isString() && value.hasMembers() && call("isBytes", value).asBoolean();
    }

    byte[] bytes(Value value) {
        Value array = call("byteArray", value);
        byte[] bytes = new byte[(int) array.getArraySize()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) array.getArrayElement(i).asInt();
        }
        return bytes;
    }

    /**
     * The bytes that a script means: of a text in UTF-8, or of an ArrayBuffer.
     *
     * @throws IllegalArgumentException if it is neither
     */
    byte[] textOrBytes(Value value) {
        if (value.isString()) {
            return value.asString().getBytes(StandardCharsets.UTF_8);
        }
        if (!isNullish(value) && isBytes(value)) {
            return bytes(value);
        }
        throw new IllegalArgumentException(
                "invalid type " + typeOf(value) + ", expected string, []byte or ArrayBuffer");
    }

    /**
     * Tags of a script: an object of texts, numbers and booleans; nothing for null and undefined.
     *
     * @throws IllegalArgumentException if a value is of another type
     */
    Map<String, String> tags(@Nullable Value value) {
        if (value == null || value.isNull()) {
            return Map.of();
        }
        Map<String, String> tags = new LinkedHashMap<>();
        for (String key : value.getMemberKeys()) {
            Value tag = value.getMember(key);
            if (!tag.isString() && !tag.isNumber() && !tag.isBoolean()) {
                throw new IllegalArgumentException("invalid value for metric tag '" + key
                        + "': only String, Boolean and Number types are accepted as a metric tag values");
            }
            tags.put(key, text(tag));
        }
        return tags;
    }

    /** A value as text, as JavaScript's String() has it. */
    static String text(Value value) {
        return value.isString() ? value.asString() : value.toString();
    }

    static String typeOf(Value value) {
        if (value.isNull()) {
            return "null";
        }
        if (value.isBoolean()) {
            return "boolean";
        }
        return value.isNumber() ? "number" : value.canExecute() ? "function" : "object";
    }

    /** Message and script frames of an exception. */
    static String stackOf(PolyglotException e) {
        String message = e.getMessage() == null ? "" : e.getMessage();
        List<String> lines = new ArrayList<>();
        lines.add(message);
        for (PolyglotException.StackFrame frame : e.getPolyglotStackTrace()) {
            if (!frame.isGuestFrame() || lines.size() > 10) {
                continue;
            }
            SourceSection at = frame.getSourceLocation();
            if (at != null && !at.getSource().isInternal()) {
                lines.add("\tat " + frame.getRootName() + " (" + at.getSource().getName() + ":" + at.getStartLine()
                        + ":" + at.getStartColumn() + ")");
            }
        }
        return String.join("\n", lines);
    }
}
