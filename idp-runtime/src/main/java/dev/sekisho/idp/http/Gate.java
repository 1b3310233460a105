package dev.sekisho.idp.http;

import dev.sekisho.idp.oauth.OAuthError;
import dev.sekisho.idp.oauth.OAuthException;
import dev.sekisho.idp.observe.Endpoint;
import dev.sekisho.idp.observe.Health;
import dev.sekisho.idp.observe.Listener;
import dev.sekisho.idp.observe.Metrics;
import dev.sekisho.idp.tenant.StoreUnavailableException;
import io.helidon.http.DirectHandler;
import io.helidon.http.Header;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.RequestException;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What every request passes: its id, its answer when something throws, headers that all answers have, metrics. */
final class Gate implements Handler {
    private static final Logger LOG = LoggerFactory.getLogger(Gate.class);
    private static final HeaderName REQUEST_ID = HeaderNames.create("X-Request-Id");
    private static final Header NO_SNIFF = HeaderValues.createCached("X-Content-Type-Options", "nosniff");
    private static final Header NO_CONTENT =
            HeaderValues.createCached("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    private static final Header NO_REFERRER = HeaderValues.createCached("Referrer-Policy", "no-referrer");

    private final Listener listener;
    private final Connections connections;
    private final Call.Handler handler;
    private final Metrics metrics;
    private final Health health;

    Gate(Listener listener, Connections connections, Call.Handler handler, Metrics metrics, Health health) {
        this.listener = listener;
        this.connections = connections;
        this.handler = handler;
        this.metrics = metrics;
        this.health = health;
    }

    @Override
    public void handle(ServerRequest request, ServerResponse response) {
        long start = System.nanoTime();
        var peer = connections.current();
        peer.enter(Peer.Phase.WORK);
        var call = new HelidonCall(request, peer);
        Answer answer;
        boolean fatal = false;
        try {
            answer = handler.answer(call);
        } catch (OAuthException e) {
            answer = Answer.error(e);
        } catch (StoreUnavailableException e) {
            LOG.atWarn()
                    .addKeyValue("requestId", call.requestId())
                    .log("Answered 503: {}", String.valueOf(e.getMessage()));
            answer = Answer.error(OAuthError.TEMPORARILY_UNAVAILABLE);
        } catch (CloseConnectionException e) {
            // The peer is gone.
            throw e;
        } catch (RequestException e) {
            // Helidon's own, about the body. It would answer, and then read what is left of the body as a request.
            answer = Answer.error(errorOf(e.status().code()));
            fatal = true;
        } catch (RuntimeException | StackOverflowError e) {
            LOG.atError()
                    .addKeyValue("requestId", call.requestId())
                    .setCause(e)
                    .log("Answered 500 to {} at {}", call.method(), call.endpoint());
            answer = Answer.error(OAuthError.SERVER_ERROR);
        }
        if (!fatal) {
            call.finish();
        }
        boolean last = fatal
                || call.broken()
                || health.isStopping()
                || request.headers().containsToken(HeaderValues.CONNECTION_CLOSE);
        peer.enter(Peer.Phase.ANSWER);
        send(response, call, answer, last);
        peer.enter(Peer.Phase.IDLE);
        metrics.answered(listener, call.endpoint(), call.method(), answer.status(), System.nanoTime() - start);
        if (last) {
            // Helidon would answer "Connection: close" and then wait for the peer to do it.
            throw new CloseConnectionException("last answer of this connection");
        }
    }

    private static void send(ServerResponse response, HelidonCall call, Answer answer, boolean last) {
        response.status(Status.create(answer.status()));
        response.header(NO_SNIFF);
        response.header(NO_CONTENT);
        response.header(NO_REFERRER);
        response.header(REQUEST_ID, call.requestId());
        answer.headers().forEach((name, value) -> response.header(HeaderNames.create(name), value));
        if (!answer.contentType().isEmpty()) {
            response.header(HeaderNames.CONTENT_TYPE, answer.contentType());
        }
        if (last) {
            response.header(HeaderValues.CONNECTION_CLOSE);
        }
        if (call.method().equals("HEAD")) {
            response.header(HeaderNames.CONTENT_LENGTH, Integer.toString(answer.body().length));
            response.send();
        } else {
            response.send(answer.body());
        }
    }

    private static OAuthError errorOf(int status) {
        return switch (status) {
            case 404 -> OAuthError.NOT_FOUND;
            case 413 -> OAuthError.PAYLOAD_TOO_LARGE;
            case 414 -> OAuthError.URI_TOO_LONG;
            case 417 -> OAuthError.EXPECTATION_FAILED;
            case 501 -> OAuthError.NOT_IMPLEMENTED;
            case 503 -> OAuthError.TEMPORARILY_UNAVAILABLE;
            case 505 -> OAuthError.HTTP_VERSION_NOT_SUPPORTED;
            default -> status >= 500 ? OAuthError.SERVER_ERROR : OAuthError.INVALID_REQUEST;
        };
    }

    /**
     * Answers what never became a call: malformed, too large, too many at once. What Helidon calls an internal error here
     * is bytes that its parser did not expect, for whatever a call throws is caught above.
     */
    DirectHandler.TransportResponse refused(
            DirectHandler.TransportRequest request,
            DirectHandler.EventType type,
            Status status,
            ServerResponseHeaders headers,
            String message) {
        var answer = Answer.error(errorOf(type == DirectHandler.EventType.INTERNAL_ERROR ? 400 : status.code()));
        LOG.debug("Refused as {} ({}): {}", answer.status(), type, message);
        if (connections.current().phase() != Peer.Phase.ENDED) {
            metrics.answered(listener, Endpoint.OTHER, request.method(), answer.status(), 0);
        }
        answer.headers().forEach((name, value) -> headers.set(HeaderNames.create(name), value));
        var id = request.headers().contains(REQUEST_ID)
                ? request.headers().get(REQUEST_ID).get()
                : "";
        headers.set(REQUEST_ID, RequestIds.isSane(id) ? id : RequestIds.create());
        headers.set(NO_SNIFF);
        headers.set(NO_CONTENT);
        headers.set(NO_REFERRER);
        headers.set(HeaderNames.CONTENT_TYPE, answer.contentType());
        return DirectHandler.TransportResponse.builder()
                .status(Status.create(answer.status()))
                .headers(headers)
                .keepAlive(false)
                .entity(answer.body())
                .build();
    }
}
