package dev.sekisho.loadtest.http;

/**
 * Where the time of one request went, in nanoseconds.
 *
 * @param blocked until there was a connection, with all that this took
 * @param connecting TCP connect; 0 on a connection that was used before
 * @param tlsHandshaking TLS handshake; 0 likewise
 * @param sending writing the request
 * @param waiting from there to the first byte of the response
 * @param receiving from there to its last byte
 */
public record Timings(long blocked, long connecting, long tlsHandshaking, long sending, long waiting, long receiving) {
    /** Nothing measured. */
    public static final Timings NONE = new Timings(0, 0, 0, 0, 0, 0);

    /** What counts as the request's time: without making the connection. */
    public long duration() {
        return sending + waiting + receiving;
    }

    /** Nanoseconds as milliseconds. */
    public static double millis(long nanos) {
        return nanos / 1e6;
    }
}
