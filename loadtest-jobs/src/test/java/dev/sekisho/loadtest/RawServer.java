package dev.sekisho.loadtest;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server that gives byte for byte the answer it is told, one per connection as soon as a first byte came, and then
 * closes the connection. The last answer is repeated.
 */
public final class RawServer implements AutoCloseable {
    private final ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<String> answers;
    private final AtomicInteger connections = new AtomicInteger();

    public RawServer(String... answers) throws IOException {
        this.answers = List.of(answers);
        Thread.ofVirtual().start(this::serve);
    }

    public int port() {
        return socket.getLocalPort();
    }

    public String url() {
        return "http://127.0.0.1:" + port();
    }

    /** Connections so far. */
    public int connections() {
        return connections.get();
    }

    private void serve() {
        while (!socket.isClosed()) {
            try (Socket connection = socket.accept()) {
                int number = connections.getAndIncrement();
                InputStream in = connection.getInputStream();
                if (in.read(new byte[64 * 1024]) > 0) {
                    connection
                            .getOutputStream()
                            .write(answers.get(Math.min(number, answers.size() - 1))
                                    .getBytes(StandardCharsets.ISO_8859_1));
                }
            } catch (IOException e) {
                // the client went away, or this server was closed
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
