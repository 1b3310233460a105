package dev.sekisho.loadtest.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of one request.
 *
 * @param request what was sent
 * @param status 0 when there is no response
 * @param reason the reason phrase
 * @param protocol such as {@code HTTP/1.1}, or empty
 * @param headers of the response
 * @param setCookies values of Set-Cookie, one each
 * @param body null when there is no response or it was not kept
 * @param timings where the time went
 * @param remoteHost address of the server, or empty
 * @param remotePort its port, or 0
 * @param tlsVersion such as {@code tls1.3}, or empty
 * @param tlsCipherSuite or empty
 * @param error why there is no response
 */
@SuppressWarnings("ArrayRecordComponent") // the body is read once and never changed
public record HttpResponse(
        HttpRequest request,
        int status,
        String reason,
        String protocol,
        Headers headers,
        List<String> setCookies,
        byte @Nullable [] body,
        Timings timings,
        String remoteHost,
        int remotePort,
        String tlsVersion,
        String tlsCipherSuite,
        @Nullable RequestException error) {

    static HttpResponse failed(HttpRequest request, Timings timings, RequestException error) {
        return new HttpResponse(request, 0, "", "", new Headers(), List.of(), null, timings, "", 0, "", "", error);
    }

    /** k6's code: of the error, or 1000 + status from 400 on, or 0. */
    public int errorCode() {
        if (error != null) {
            return error.code().code();
        }
        return status >= 400 ? 1000 + status : 0;
    }

    /** The error in words, or empty. */
    public String errorText() {
        return error == null || error.getMessage() == null ? "" : error.getMessage();
    }
}
