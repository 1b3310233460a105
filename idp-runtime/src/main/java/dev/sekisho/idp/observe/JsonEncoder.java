package dev.sekisho.idp.observe;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;

/**
 * One JSON object a line, with field names that stay: {@code time} (RFC 3339, UTC), {@code level}, {@code logger},
 * {@code thread}, {@code message}, then what the event carries ({@code requestId}, …), then {@code error} with the stack.
 */
public final class JsonEncoder extends EncoderBase<ILoggingEvent> {
    private static final JsonFactory JSON = new JsonFactory();
    private static final byte[] NONE = new byte[0];

    @Override
    public byte[] headerBytes() {
        return NONE;
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
        var out = new ByteArrayOutputStream(256);
        try (var json = JSON.createGenerator(out)) {
            json.writeStartObject();
            json.writeStringField(
                    "time", Instant.ofEpochMilli(event.getTimeStamp()).toString());
            json.writeStringField("level", event.getLevel().toString());
            json.writeStringField("logger", event.getLoggerName());
            json.writeStringField("thread", event.getThreadName());
            json.writeStringField("message", event.getFormattedMessage());
            writeFields(event, json);
            if (event.getThrowableProxy() != null) {
                json.writeStringField("error", ThrowableProxyUtil.asString(event.getThrowableProxy()));
            }
            json.writeEndObject();
        } catch (IOException e) {
            return "{\"level\":\"ERROR\",\"message\":\"a log event could not be written\"}\n"
                    .getBytes(StandardCharsets.UTF_8);
        }
        out.write('\n');
        return out.toByteArray();
    }

    private static void writeFields(ILoggingEvent event, JsonGenerator json) throws IOException {
        var pairs = event.getKeyValuePairs();
        if (pairs == null) {
            return;
        }
        for (var pair : pairs) {
            json.writeStringField(pair.key, String.valueOf(pair.value));
        }
    }

    @Override
    public byte[] footerBytes() {
        return NONE;
    }
}
