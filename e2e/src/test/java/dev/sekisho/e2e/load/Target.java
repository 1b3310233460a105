package dev.sekisho.e2e.load;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * Whom to ask, and what.
 *
 * @param host loopback or an address of the cluster; another one is refused
 * @param layer what goes over the bare connection: TLS, or nothing
 * @param request one whole HTTP/1.1 request, in ASCII
 */
public record Target(String host, int port, Layer layer, String request) {
    private static final int CONNECT_MILLIS = 5_000;

    /** Makes a connection a secure one. */
    @FunctionalInterface
    public interface Layer {
        /**
         * The socket to speak by.
         *
         * @throws IOException if the peer does not agree
         */
        Socket over(Socket bare, String host, int port) throws IOException;
    }

    Socket connect() throws IOException {
        var address = InetAddress.getByName(host);
        if (!address.isLoopbackAddress() && !address.isSiteLocalAddress()) {
            throw new IllegalArgumentException("load goes to this machine only, not to " + address);
        }
        var socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress(address, port), CONNECT_MILLIS);
            // For the handshake; from then on each request has its own bound.
            socket.setSoTimeout(CONNECT_MILLIS);
            var secure = layer.over(socket, host, port);
            socket.setSoTimeout(0);
            return secure;
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }
}
