package dev.sekisho.loadtest.js;

import dev.sekisho.loadtest.config.Durations;
import dev.sekisho.loadtest.config.Options;
import dev.sekisho.loadtest.http.CookieJar;
import dev.sekisho.loadtest.http.Forms;
import dev.sekisho.loadtest.http.Headers;
import dev.sekisho.loadtest.http.HttpRequest;
import dev.sekisho.loadtest.http.RequestException;
import dev.sekisho.loadtest.http.Url;
import dev.sekisho.loadtest.js.ParsedRequest.BodyType;
import dev.sekisho.loadtest.js.ParsedRequest.RequestCookie;
import dev.sekisho.loadtest.metrics.Tags;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/** Makes a request of what a script passes to http.request(). */
final class RequestParser {
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(60);

    private final VuContext vu;
    private final GuestTools tools;
    private final Headers headers = new Headers();
    private final Map<String, RequestCookie> cookies = new LinkedHashMap<>();
    private Duration timeout = DEFAULT_TIMEOUT;
    private int redirects;
    private boolean redirectsGiven;
    private Tags tags;
    private BodyType bodyType;
    private boolean throwOnError;
    private @Nullable ExpectedStatuses expected;
    private CookieJar jar;

    RequestParser(VuContext vu, GuestTools tools, @Nullable ExpectedStatuses expected) {
        this.vu = vu;
        this.tools = tools;
        this.expected = expected;
        Options options = vu.run().options();
        this.redirects = options.maxRedirects();
        this.tags = vu.tags();
        this.bodyType = options.discardResponseBodies() ? BodyType.NONE : BodyType.TEXT;
        this.throwOnError = options.throwOnError();
        this.jar = vu.cookies();
        headers.set("User-Agent", options.userAgent());
    }

    /**
     * Parses the arguments.
     *
     * @throws RequestException if the URL is none
     * @throws IllegalArgumentException if another argument cannot be used
     */
    ParsedRequest parse(String method, Value url, @Nullable Value body, @Nullable Value params)
            throws RequestException {
        Url target = url(url);
        byte[] content = body(body);
        if (params != null && !params.isNull()) {
            for (String name : params.getMemberKeys()) {
                param(name, params.getMember(name));
            }
        }
        HttpRequest request =
                new HttpRequest(method, target, headers, content == null ? new byte[0] : content, content != null);
        return new ParsedRequest(
                request, timeout, redirects, redirectsGiven, tags, bodyType, throwOnError, expected, jar, cookies);
    }

    private Url url(Value url) throws RequestException {
        if (url.isString()) {
            return Url.parse(url.asString());
        }
        if (url.hasMembers() && url.hasMember("url") && url.hasMember("name")) {
            if (!tags.has("name")) {
                tags = tags.with("name", url.getMember("name").asString());
            }
            return Url.parse(url.getMember("url").asString());
        }
        throw RequestException.invalidUrl("'" + GuestTools.text(url) + "'");
    }

    private byte @Nullable [] body(@Nullable Value body) {
        if (body == null || body.isNull()) {
            return null;
        }
        if (body.isString()) {
            return body.asString().getBytes(StandardCharsets.UTF_8);
        }
        if (body.isNumber() || body.isBoolean() || body.canExecute()) {
            throw new IllegalArgumentException("unknown request body type " + GuestTools.typeOf(body));
        }
        if (tools.isBytes(body)) {
            return tools.bytes(body);
        }
        if (body.hasArrayElements()) {
            throw new IllegalArgumentException("unknown request body type array");
        }
        headers.set("Content-Type", "application/x-www-form-urlencoded");
        return Forms.encode(fields(body)).getBytes(StandardCharsets.UTF_8);
    }

    private SortedMap<String, List<String>> fields(Value body) {
        SortedMap<String, List<String>> fields = new TreeMap<>();
        for (String name : body.getMemberKeys()) {
            Value value = body.getMember(name);
            List<String> values = new ArrayList<>();
            if (value.hasArrayElements()) {
                for (long i = 0; i < value.getArraySize(); i++) {
                    values.add(field(value.getArrayElement(i)));
                }
            } else {
                values.add(field(value));
            }
            fields.put(name, values);
        }
        return fields;
    }

    private String field(Value value) {
        if (value.isNull()) {
            return "";
        }
        if (value.isString() || value.isNumber() || value.isBoolean()) {
            return GuestTools.text(value);
        }
        vu.run()
                .log()
                .warn("cannot urlencode a nested value in a request form body; encoding it as an empty value, use"
                        + " JSON.stringify() to send structured data");
        return "";
    }

    private void param(String name, Value value) {
        if (value.isNull() && !name.equals("responseCallback")) {
            return;
        }
        switch (name) {
            case "headers" -> {
                for (String header : value.getMemberKeys()) {
                    headers.set(header, GuestTools.text(value.getMember(header)));
                }
            }
            case "cookies" -> {
                for (String cookie : value.getMemberKeys()) {
                    cookies.put(cookie, cookie(value.getMember(cookie)));
                }
            }
            case "tags" -> tags = tags.with(tools.tags(value));
            case "redirects" -> {
                redirects = value.fitsInInt() ? value.asInt() : 0;
                redirectsGiven = true;
            }
            case "timeout" -> timeout = Durations.parse(GuestTools.text(value));
            case "throw" -> throwOnError = value.isBoolean() && value.asBoolean();
            case "responseType" -> bodyType = bodyType(GuestTools.text(value));
            case "responseCallback" -> expected = callback(value);
            case "jar" ->
                jar = value.getMember("native").<CookieJarApi>asHostObject().jar();
            case "auth" -> {
                if (!value.asString().equals("basic")) {
                    throw new IllegalArgumentException(
                            "auth '" + value.asString() + "' is not supported by this runner");
                }
            }
            case "compression" ->
                throw new IllegalArgumentException("compression of requests is not supported by this runner");
            default -> {
                // k6 ignores what it does not know
            }
        }
    }

    private static RequestCookie cookie(Value value) {
        if (value.isString() || !value.hasMembers() || !value.hasMember("value")) {
            return new RequestCookie(GuestTools.text(value), false);
        }
        Value replace = value.getMember("replace");
        return new RequestCookie(
                GuestTools.text(value.getMember("value")),
                replace != null && replace.isBoolean() && replace.asBoolean());
    }

    private static BodyType bodyType(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "text" -> BodyType.TEXT;
            case "binary" -> BodyType.BINARY;
            case "none" -> BodyType.NONE;
            default -> throw new IllegalArgumentException(text + " does not belong to ResponseType values");
        };
    }

    private static @Nullable ExpectedStatuses callback(Value value) {
        if (value.isNull()) {
            return null;
        }
        Value statuses = value.hasMembers() ? value.getMember("native") : null;
        if (statuses == null || !statuses.isHostObject()) {
            throw new IllegalArgumentException("unsupported responseCallback");
        }
        return statuses.asHostObject();
    }
}
