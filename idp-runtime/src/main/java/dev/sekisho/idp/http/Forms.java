package dev.sekisho.idp.http;

import dev.sekisho.idp.oauth.Parameters;
import dev.sekisho.idp.oauth.RequestBody;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reads {@code application/x-www-form-urlencoded} bodies (WHATWG URL, section 5.1), strictly. */
final class Forms {
    /** No form of ours comes near it; what is longer is read but not kept. */
    static final int MAX_FORM = 256 * 1024;

    private static final int MAX_PARAMETERS = 200;
    private static final String TYPE = "application/x-www-form-urlencoded";

    private Forms() {}

    /** The form that a call sends, or why there is none. Reads the body in any case. */
    static RequestBody read(Call call) {
        var body = call.body(MAX_FORM);
        var type = call.header("Content-Type").orElse("");
        int end = type.indexOf(';');
        var media = (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(Locale.ROOT);
        if (!media.equals(TYPE)) {
            return new RequestBody.Unreadable("The body must be " + TYPE + ".");
        }
        if (!body.whole()) {
            return new RequestBody.Unreadable("The form is longer than " + MAX_FORM + " bytes.");
        }
        try {
            return new RequestBody.Form(parse(body.bytes()));
        } catch (MalformedFormException e) {
            return new RequestBody.Unreadable(e.reason);
        }
    }

    /** Why a form cannot be read. */
    static final class MalformedFormException extends Exception {
        private static final long serialVersionUID = 1L;
        private final String reason;

        MalformedFormException(String reason) {
            super(reason, null, false, false);
            this.reason = reason;
        }
    }

    /** The parameters of a form; those without a value are left out (RFC 6749, section 3.2). */
    static Parameters parse(byte[] form) throws MalformedFormException {
        Map<String, List<String>> values = new LinkedHashMap<>();
        int count = 0;
        int start = 0;
        while (start <= form.length) {
            int end = start;
            int equals = -1;
            while (end < form.length && form[end] != '&') {
                if (form[end] == '=' && equals < 0) {
                    equals = end;
                }
                end++;
            }
            if (end > start) {
                if (++count > MAX_PARAMETERS) {
                    throw new MalformedFormException("The form has more than " + MAX_PARAMETERS + " parameters.");
                }
                var name = decode(form, start, equals < 0 ? end : equals);
                var value = equals < 0 ? "" : decode(form, equals + 1, end);
                if (!value.isEmpty()) {
                    values.computeIfAbsent(name, _ -> new ArrayList<>(1)).add(value);
                }
            }
            start = end + 1;
        }
        return new Parameters(values);
    }

    /** Decodes a part: percent-encoded UTF-8, with {@code +} for a space. */
    static String decode(byte[] bytes, int start, int end) throws MalformedFormException {
        var out = new ByteArrayOutputStream(end - start);
        for (int i = start; i < end; i++) {
            switch (bytes[i]) {
                case '+' -> out.write(' ');
                case '%' -> {
                    if (i + 2 >= end) {
                        throw new MalformedFormException("The form is not percent-encoded as it should be.");
                    }
                    out.write(hex(bytes[i + 1]) << 4 | hex(bytes[i + 2]));
                    i += 2;
                }
                case 0 -> throw nul();
                default -> out.write(bytes[i]);
            }
        }
        var decoded = out.toByteArray();
        for (byte b : decoded) {
            if (b == 0) {
                throw nul();
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(decoded))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new MalformedFormException("The form is not UTF-8.");
        }
    }

    private static MalformedFormException nul() {
        return new MalformedFormException("The form holds a NUL character.");
    }

    private static int hex(byte b) throws MalformedFormException {
        int digit = Character.digit(b, 16);
        if (digit < 0) {
            throw new MalformedFormException("The form is not percent-encoded as it should be.");
        }
        return digit;
    }
}
