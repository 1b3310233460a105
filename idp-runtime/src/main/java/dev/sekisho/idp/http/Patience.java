package dev.sekisho.idp.http;

import dev.sekisho.idp.observe.Listener;
import java.time.Duration;

/**
 * How long a listener's peers may take.
 *
 * @param first from connecting, the TLS handshake included, to the end of the first request's headers
 * @param idle from an answer to the end of the next request's headers
 * @param body for a request's body
 * @param unread for the rest of a body that nobody needs; zero: it is not read, and the connection ends
 * @param answer to take an answer
 */
record Patience(Duration first, Duration idle, Duration body, Duration unread, Duration answer) {
    private static final Duration SHORT = Duration.ofSeconds(5);
    private static final Duration MEDIUM = Duration.ofSeconds(10);
    private static final Duration LONG = Duration.ofSeconds(30);

    /** Longer than the keep-alive of our own clients, so that it is never this side that ends an idle connection first. */
    private static final Duration IDLE = Duration.ofSeconds(75);

    /** The same for the public listener, whose gateway may be one that we do not know. */
    private static final Duration IDLE_GATEWAY = Duration.ofMinutes(10);

    /** The patience of a listener. */
    static Patience of(Listener listener) {
        return switch (listener) {
            case PUBLIC -> new Patience(MEDIUM, IDLE_GATEWAY, LONG, SHORT, LONG);
            case MANAGEMENT -> new Patience(MEDIUM, IDLE, MEDIUM, SHORT, MEDIUM);
            case METRICS -> new Patience(SHORT, IDLE, SHORT, Duration.ZERO, MEDIUM);
        };
    }
}
