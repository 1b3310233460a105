package dev.sekisho.loadtest.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import javax.net.ssl.SSLSocket;

/** One connection, with a read buffer. Used by one request at a time. */
final class Connection {
    private static final long TRUSTED_IDLE_NANOS = 500_000_000L;

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final byte[] buffer = new byte[16 * 1024];
    private int position;
    private int limit;
    private long lastUsed = System.nanoTime();

    Connection(Socket socket) throws IOException {
        this.socket = socket;
        this.in = socket.getInputStream();
        this.out = socket.getOutputStream();
    }

    void write(byte[] bytes) throws IOException {
        out.write(bytes);
        out.flush();
    }

    /** The next byte, or -1 at the end. */
    int read(Deadline deadline) throws IOException {
        if (position == limit && !fill(deadline)) {
            return -1;
        }
        return buffer[position++] & 0xff;
    }

    /** Up to length bytes, or -1 at the end. */
    int read(byte[] into, int offset, int length, Deadline deadline) throws IOException {
        if (position == limit && !fill(deadline)) {
            return -1;
        }
        int count = Math.min(length, limit - position);
        System.arraycopy(buffer, position, into, offset, count);
        position += count;
        return count;
    }

    private boolean fill(Deadline deadline) throws IOException {
        socket.setSoTimeout(deadline.remainingMillis());
        position = 0;
        limit = Math.max(0, in.read(buffer, 0, buffer.length));
        return limit > 0;
    }

    /** Whether another request can be sent: the server neither closed it nor said anything unasked. */
    boolean usable() {
        if (socket.isClosed() || position != limit) {
            return false;
        }
        if (System.nanoTime() - lastUsed < TRUSTED_IDLE_NANOS) {
            return true;
        }
        try {
            socket.setSoTimeout(1);
            in.read(buffer, 0, 1);
            return false;
        } catch (SocketTimeoutException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    void used() {
        lastUsed = System.nanoTime();
    }

    void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // nobody needs it any more
        }
    }

    String remoteHost() {
        return socket.getRemoteSocketAddress() instanceof InetSocketAddress address
                ? address.getAddress().getHostAddress()
                : "";
    }

    int remotePort() {
        return socket.getPort();
    }

    String tlsVersion() {
        if (!(socket instanceof SSLSocket tls)) {
            return "";
        }
        String protocol = tls.getSession().getProtocol();
        return switch (protocol) {
            case "TLSv1" -> "tls1.0";
            default -> protocol.replace("TLSv", "tls");
        };
    }

    String tlsCipherSuite() {
        return socket instanceof SSLSocket tls ? tls.getSession().getCipherSuite() : "";
    }
}
