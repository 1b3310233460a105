package dev.sekisho.loadtest.js;

import dev.sekisho.loadtest.http.CookieJar;
import dev.sekisho.loadtest.http.Headers;
import dev.sekisho.loadtest.http.HttpRequest;
import dev.sekisho.loadtest.http.HttpResponse;
import dev.sekisho.loadtest.http.RequestException;
import dev.sekisho.loadtest.http.Timings;
import dev.sekisho.loadtest.http.Url;
import dev.sekisho.loadtest.js.ParsedRequest.BodyType;
import dev.sekisho.loadtest.js.ParsedRequest.RequestCookie;
import dev.sekisho.loadtest.metrics.BuiltinMetrics;
import dev.sekisho.loadtest.metrics.Tags;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/** What {@code k6/http} calls: sends requests, follows redirects, and measures each of them. */
public final class HttpApi {
    private final VuContext vu;
    private final GuestTools tools;
    private @Nullable ExpectedStatuses expected = ExpectedStatuses.ofDefault();

    HttpApi(VuContext vu, GuestTools tools) {
        this.vu = vu;
        this.tools = tools;
    }

    /**
     * Sends a request.
     *
     * @throws RequestException if there is no response and the script wants an exception then
     */
    @HostAccess.Export
    public ResponseView request(String method, Value url, @Nullable Value body, @Nullable Value params)
            throws RequestException {
        vu.requireVu("Making http requests");
        ParsedRequest parsed;
        try {
            parsed = parse(method, url, body, params);
        } catch (RequestException e) {
            if (vu.run().options().throwOnError()) {
                throw e;
            }
            warn(e);
            return ResponseView.unsent(e);
        }
        return send(parsed);
    }

    ParsedRequest parse(String method, Value url, @Nullable Value body, @Nullable Value params)
            throws RequestException {
        return new RequestParser(vu, tools, expected).parse(method, url, body, params);
    }

    ResponseView send(ParsedRequest parsed) throws RequestException {
        HttpResponse response = exchange(parsed);
        RequestException error = response.error();
        if (error != null && !Thread.currentThread().isInterrupted()) {
            if (parsed.throwOnError()) {
                throw error;
            }
            warn(error);
        }
        return new ResponseView(response, parsed.body() == BodyType.BINARY);
    }

    private void warn(RequestException error) {
        vu.run().log().warn("Request Failed: " + error.getMessage());
    }

    private HttpResponse exchange(ParsedRequest parsed) {
        long end = System.nanoTime() + parsed.timeout().toNanos();
        HttpRequest request = withCookies(parsed, parsed.request());
        for (int hop = 0; ; hop++) {
            Duration left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
            HttpResponse response = vu.http().send(request, left, parsed.body() != BodyType.NONE);
            Url url = request.url();
            response.setCookies().forEach(cookie -> parsed.jar().set(url, cookie, Instant.now()));
            measure(parsed, response);
            if (!redirects(response)) {
                return response;
            }
            if (hop >= parsed.redirects()) {
                if (!parsed.redirectsGiven()) {
                    vu.run()
                            .log()
                            .warn("Stopped after " + (hop + 1) + " redirects and returned the redirection; pass {"
                                    + " redirects: n } in request params or set global maxRedirects to silence this");
                }
                return response;
            }
            try {
                request = withCookies(parsed, redirected(request, response));
            } catch (RequestException e) {
                return response;
            }
        }
    }

    private static boolean redirects(HttpResponse response) {
        return switch (response.status()) {
            case 301, 302, 303, 307, 308 -> response.headers().has("Location");
            default -> false;
        };
    }

    private static HttpRequest redirected(HttpRequest request, HttpResponse response) throws RequestException {
        Url target = request.url().resolve(response.headers().get("Location", ""));
        Headers headers = request.headers().copy();
        headers.remove("Cookie");
        headers.remove("Host");
        if (!target.host().equals(request.url().host())) {
            headers.remove("Authorization");
        }
        if (response.status() == 307 || response.status() == 308) {
            return new HttpRequest(request.method(), target, headers, request.body(), request.hasBody());
        }
        headers.remove("Content-Type");
        return HttpRequest.bodiless(request.method().equals("HEAD") ? "HEAD" : "GET", target, headers);
    }

    private static HttpRequest withCookies(ParsedRequest parsed, HttpRequest request) {
        List<String> pairs = new ArrayList<>();
        for (Map.Entry<String, RequestCookie> cookie : parsed.cookies().entrySet()) {
            pairs.add(cookie.getKey() + "=" + cookie.getValue().value());
        }
        for (String pair : parsed.jar().matching(request.url(), Instant.now())) {
            RequestCookie own = parsed.cookies().get(pair.substring(0, pair.indexOf('=')));
            if (own == null || !own.replace()) {
                pairs.add(pair);
            }
        }
        if (pairs.isEmpty()) {
            return request;
        }
        Headers headers = request.headers().copy();
        String given = headers.get("Cookie", "");
        headers.set("Cookie", (given.isEmpty() ? "" : given + "; ") + String.join("; ", pairs));
        return new HttpRequest(request.method(), request.url(), headers, request.body(), request.hasBody());
    }

    private void measure(ParsedRequest parsed, HttpResponse response) {
        Map<String, String> tags = parsed.tags().toMap();
        String name =
                tags.computeIfAbsent("name", key -> response.request().url().clean());
        tags.put("url", name);
        tags.put("method", response.request().method());
        tags.put("status", Integer.toString(response.status()));
        if (response.errorCode() != 0) {
            tags.put("error_code", Integer.toString(response.errorCode()));
        }
        if (response.error() != null) {
            tags.put("error", response.errorText());
        } else {
            tags.put("proto", response.protocol());
        }
        if (!response.tlsVersion().isEmpty()) {
            tags.put("tls_version", response.tlsVersion());
        }
        BuiltinMetrics metrics = vu.run().metrics();
        ExpectedStatuses statuses = parsed.expected();
        boolean good = statuses != null && statuses.match(response.status());
        if (statuses != null) {
            tags.put("expected_response", Boolean.toString(good));
        }
        Tags all = Tags.of(tags);
        Timings timings = response.timings();
        metrics.httpReqs.add(1, all);
        metrics.httpReqDuration.add(Timings.millis(timings.duration()), all);
        metrics.httpReqBlocked.add(Timings.millis(timings.blocked()), all);
        metrics.httpReqConnecting.add(Timings.millis(timings.connecting()), all);
        metrics.httpReqTlsHandshaking.add(Timings.millis(timings.tlsHandshaking()), all);
        metrics.httpReqSending.add(Timings.millis(timings.sending()), all);
        metrics.httpReqWaiting.add(Timings.millis(timings.waiting()), all);
        metrics.httpReqReceiving.add(Timings.millis(timings.receiving()), all);
        if (statuses != null) {
            metrics.httpReqFailed.add(good ? 0 : 1, all);
        }
    }

    @HostAccess.Export
    public BatchApi newBatch() {
        vu.requireVu("Using batch");
        return new BatchApi(this, vu.run().options().batch());
    }

    @HostAccess.Export
    public ExpectedStatuses newExpectedStatuses() {
        return new ExpectedStatuses();
    }

    @HostAccess.Export
    public void setResponseCallback(@Nullable ExpectedStatuses statuses) {
        expected = statuses;
    }

    @HostAccess.Export
    public CookieJarApi cookieJar() {
        return new CookieJarApi(vu.cookies());
    }

    @HostAccess.Export
    public CookieJarApi newCookieJar() {
        return new CookieJarApi(new CookieJar());
    }
}
