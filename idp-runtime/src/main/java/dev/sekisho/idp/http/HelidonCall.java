package dev.sekisho.idp.http;

import dev.sekisho.idp.oauth.OAuthError;
import dev.sekisho.idp.oauth.OAuthException;
import dev.sekisho.idp.observe.Endpoint;
import io.helidon.http.HeaderNames;
import io.helidon.http.RequestException;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.ServerRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Optional;

/** A request of Helidon's. */
final class HelidonCall implements Call {
    private static final int BUFFER = 8 * 1024;

    private final ServerRequest request;
    private final Peer peer;
    private final String requestId;
    private Endpoint endpoint = Endpoint.OTHER;
    private boolean broken;
    private boolean read;

    HelidonCall(ServerRequest request, Peer peer) {
        this.request = request;
        this.peer = peer;
        this.requestId = header("X-Request-Id").filter(RequestIds::isSane).orElseGet(RequestIds::create);
    }

    @Override
    public String method() {
        return request.prologue().method().text();
    }

    @Override
    public String path() {
        return request.prologue().uriPath().rawPath();
    }

    @Override
    public Optional<String> query(String name) {
        var query = request.query();
        return query.contains(name) ? Optional.of(query.get(name)) : Optional.empty();
    }

    @Override
    public Optional<String> header(String name) {
        var headers = request.headers();
        var header = HeaderNames.create(name);
        return headers.contains(header) ? Optional.of(headers.get(header).values()) : Optional.empty();
    }

    @Override
    public String requestId() {
        return requestId;
    }

    @Override
    public void endpoint(Endpoint endpoint) {
        this.endpoint = endpoint;
    }

    Endpoint endpoint() {
        return endpoint;
    }

    /** Whether the connection cannot be used any further. */
    boolean broken() {
        return broken;
    }

    /**
     * Reads what the handler has left of the body. A peer that is still sending when the connection is closed sees a reset
     * instead of the answer, and Helidon itself would read without a deadline. Where no request has a body, peers are not
     * worth that.
     */
    void finish() {
        if (read || !request.content().hasEntity()) {
            return;
        }
        if (request.headers().contains(HeaderNames.EXPECT) || !peer.readsUnread()) {
            // Who expects to be asked for the body sends nothing.
            broken = true;
            return;
        }
        try {
            var unused = body(0, Peer.Phase.UNREAD);
        } catch (OAuthException e) {
            // The handler's answer stands.
        } catch (RequestException e) {
            broken = true;
        }
    }

    @Override
    public Body body(int keep) {
        return body(keep, Peer.Phase.BODY);
    }

    private Body body(int keep, Peer.Phase phase) {
        if (!request.content().hasEntity()) {
            return new Body(new byte[0], true);
        }
        read = true;
        var kept = new ByteArrayOutputStream(Math.min(keep, 512));
        long total = 0;
        var buffer = new byte[BUFFER];
        peer.enter(phase);
        try {
            // Not closed: after a failure that would go on reading.
            var in = request.content().inputStream();
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                kept.write(buffer, 0, Math.min(n, keep - kept.size()));
                total += n;
            }
        } catch (RequestException | CloseConnectionException | OAuthException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            // Framed wrongly or broken off: where the next request would start is unknown.
            broken = true;
            throw new OAuthException(OAuthError.INVALID_REQUEST, "The body is framed wrongly or breaks off.");
        } finally {
            peer.enter(Peer.Phase.WORK);
        }
        if (total > MAX_BODY) {
            throw new OAuthException(OAuthError.PAYLOAD_TOO_LARGE);
        }
        return new Body(kept.toByteArray(), total == kept.size());
    }
}
