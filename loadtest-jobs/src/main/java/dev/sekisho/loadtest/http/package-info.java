/**
 * An HTTP/1.1 client of few layers: blocking sockets for virtual threads, connections kept per virtual user, TLS by the
 * JDK, and the timings and error codes of k6.
 */
@NullMarked
package dev.sekisho.loadtest.http;

import org.jspecify.annotations.NullMarked;
