package dev.sekisho.loadtest.js;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sekisho.loadtest.http.HttpResponse;
import dev.sekisho.loadtest.http.RequestException;
import dev.sekisho.loadtest.http.Timings;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.graalvm.polyglot.HostAccess;
import org.jspecify.annotations.Nullable;

/** A response, for the JavaScript side. */
public final class ResponseView {
    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private final @Nullable HttpResponse response;
    private final @Nullable RequestException unsent;
    private final boolean binary;
    private @Nullable String text;
    private @Nullable JsonNode tree;

    ResponseView(HttpResponse response, boolean binary) {
        this(response, null, binary);
    }

    private ResponseView(@Nullable HttpResponse response, @Nullable RequestException unsent, boolean binary) {
        this.response = response;
        this.unsent = unsent;
        this.binary = binary;
    }

    /** The answer to a request that could not even be made. */
    static ResponseView unsent(RequestException error) {
        return new ResponseView(null, error, false);
    }

    @HostAccess.Export
    public int status() {
        return response == null ? 0 : response.status();
    }

    @HostAccess.Export
    public String statusText() {
        return response == null || response.status() == 0 ? "" : (response.status() + " " + response.reason()).strip();
    }

    @HostAccess.Export
    public String proto() {
        return response == null ? "" : response.protocol();
    }

    @HostAccess.Export
    public String url() {
        return response == null ? "" : response.request().url().text();
    }

    @HostAccess.Export
    public String remoteIp() {
        return response == null ? "" : response.remoteHost();
    }

    @HostAccess.Export
    public int remotePort() {
        return response == null ? 0 : response.remotePort();
    }

    @HostAccess.Export
    public String error() {
        if (unsent != null) {
            return String.valueOf(unsent.getMessage());
        }
        return response == null ? "" : response.errorText();
    }

    @HostAccess.Export
    public int errorCode() {
        if (unsent != null) {
            return unsent.code().code();
        }
        return response == null ? 0 : response.errorCode();
    }

    @HostAccess.Export
    public String tlsVersion() {
        return response == null ? "" : response.tlsVersion();
    }

    @HostAccess.Export
    public String tlsCipherSuite() {
        return response == null ? "" : response.tlsCipherSuite();
    }

    @HostAccess.Export
    public boolean hasBody() {
        return response != null && response.body() != null;
    }

    @HostAccess.Export
    public boolean isBinary() {
        return binary;
    }

    @HostAccess.Export
    public byte[] bodyBytes() {
        byte[] body = response == null ? null : response.body();
        return body == null ? new byte[0] : body;
    }

    @HostAccess.Export
    public String bodyText() {
        if (text == null) {
            text = new String(bodyBytes(), StandardCharsets.UTF_8);
        }
        return text;
    }

    /** What a path selects of the body, as JSON; null when the body is no JSON or has no such thing. */
    @HostAccess.Export
    public @Nullable String select(String path) {
        if (tree == null) {
            try {
                tree = JSON.readTree(bodyText());
            } catch (JsonProcessingException e) {
                return null;
            }
            if (tree.isMissingNode()) {
                return null;
            }
        }
        Optional<JsonNode> found = GjsonPath.parse(path).select(tree);
        return found.map(JsonNode::toString).orElse(null);
    }

    @HostAccess.Export
    public String[] headerNames() {
        return response == null
                ? new String[0]
                : response.headers().toMap().keySet().toArray(String[]::new);
    }

    @HostAccess.Export
    public String header(String name) {
        return response == null ? "" : response.headers().get(name, "");
    }

    @HostAccess.Export
    public String[] setCookies() {
        return response == null ? new String[0] : response.setCookies().toArray(String[]::new);
    }

    private Timings timings() {
        return response == null ? Timings.NONE : response.timings();
    }

    @HostAccess.Export
    public double duration() {
        return Timings.millis(timings().duration());
    }

    @HostAccess.Export
    public double blocked() {
        return Timings.millis(timings().blocked());
    }

    @HostAccess.Export
    public double connecting() {
        return Timings.millis(timings().connecting());
    }

    @HostAccess.Export
    public double tlsHandshaking() {
        return Timings.millis(timings().tlsHandshaking());
    }

    @HostAccess.Export
    public double sending() {
        return Timings.millis(timings().sending());
    }

    @HostAccess.Export
    public double waiting() {
        return Timings.millis(timings().waiting());
    }

    @HostAccess.Export
    public double receiving() {
        return Timings.millis(timings().receiving());
    }

    @HostAccess.Export
    public String requestMethod() {
        return response == null ? "" : response.request().method();
    }

    @HostAccess.Export
    public String requestUrl() {
        return response == null ? "" : response.request().url().text();
    }

    @HostAccess.Export
    public String[] requestHeaderNames() {
        return response == null
                ? new String[0]
                : response.request().headers().toMap().keySet().toArray(String[]::new);
    }

    @HostAccess.Export
    public String requestHeader(String name) {
        return response == null ? "" : response.request().headers().get(name, "");
    }

    @HostAccess.Export
    public String requestBody() {
        return response == null ? "" : new String(response.request().body(), StandardCharsets.UTF_8);
    }
}
