package dev.sekisho.loadtest.js;

import dev.sekisho.loadtest.http.CookieJar;
import dev.sekisho.loadtest.http.HttpRequest;
import dev.sekisho.loadtest.metrics.Tags;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request as a script wants it.
 *
 * @param request what is sent first
 * @param timeout for all of it
 * @param redirects how many redirects are followed
 * @param redirectsGiven whether the script said so
 * @param tags on its samples
 * @param body what becomes of the response's body
 * @param throwOnError whether it throws when there is no response
 * @param expected the statuses that do not count as failed; null: nothing counts
 * @param jar its cookies
 * @param cookies more cookies, and whether they replace those of the jar
 */
record ParsedRequest(
        HttpRequest request,
        Duration timeout,
        int redirects,
        boolean redirectsGiven,
        Tags tags,
        BodyType body,
        boolean throwOnError,
        @Nullable ExpectedStatuses expected,
        CookieJar jar,
        Map<String, RequestCookie> cookies) {

    /** What becomes of a response's body. */
    enum BodyType {
        TEXT,
        BINARY,
        NONE
    }

    /** A cookie of one request. */
    record RequestCookie(String value, boolean replace) {}
}
