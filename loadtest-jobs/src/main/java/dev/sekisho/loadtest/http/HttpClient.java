package dev.sekisho.loadtest.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;

/** One virtual user's client: sends single requests, without following redirects, and keeps connections. Thread-safe. */
public final class HttpClient implements AutoCloseable {
    private static final int DIAL_TIMEOUT_MILLIS = 30_000;

    private final HttpSettings settings;
    private final Traffic traffic = new Traffic();
    private final Map<String, Deque<Connection>> idle = new ConcurrentHashMap<>();
    private volatile boolean closed;

    public HttpClient(HttpSettings settings) {
        this.settings = settings;
    }

    /** Bytes that went over its connections. */
    public Traffic traffic() {
        return traffic;
    }

    /**
     * Sends a request and reads the response. Never throws: an error is part of the response.
     *
     * @param timeout for all of it
     * @param keepBody whether the body is kept; it is read in any case
     */
    public HttpResponse send(HttpRequest request, Duration timeout, boolean keepBody) {
        Deadline deadline = Deadline.in(timeout);
        Exchange exchange = new Exchange(request, deadline, keepBody);
        HttpResponse response = exchange.run(true);
        // A kept connection may be closed by the server at any time, also just as it is used again.
        return exchange.mayRetry() ? new Exchange(request, deadline, keepBody).run(false) : response;
    }

    @Override
    public void close() {
        closed = true;
        closeIdle();
    }

    /** Closes the connections that no request uses. */
    public void closeIdle() {
        idle.values().forEach(connections -> {
            for (Connection c = connections.pollFirst(); c != null; c = connections.pollFirst()) {
                c.close();
            }
        });
    }

    private final class Exchange {
        private final HttpRequest request;
        private final Deadline deadline;
        private final boolean keepBody;
        private boolean reused;
        private boolean responseStarted;
        private boolean failed;
        private long connecting;
        private long handshaking;

        Exchange(HttpRequest request, Deadline deadline, boolean keepBody) {
            this.request = request;
            this.deadline = deadline;
            this.keepBody = keepBody;
        }

        boolean mayRetry() {
            return failed && reused && !responseStarted && request.replayable() && !closed;
        }

        HttpResponse run(boolean mayReuse) {
            long start = System.nanoTime();
            Connection connection;
            byte[] message;
            try {
                message = serialize(request);
                connection = acquire(mayReuse);
            } catch (IOException e) {
                return failed(
                        new Timings(System.nanoTime() - start, connecting, handshaking, 0, 0, 0),
                        RequestException.dialing(e));
            }
            long acquired = System.nanoTime();
            long sent = acquired;
            ResponseReader reader = new ResponseReader(connection, deadline);
            try {
                connection.write(message);
                sent = System.nanoTime();
                reader.read(request.method(), keepBody);
            } catch (IOException e) {
                connection.close();
                responseStarted = reader.started();
                return failed(timings(start, acquired, sent, reader), RequestException.exchanging(e));
            }
            HttpResponse response = reader.response(request, timings(start, acquired, sent, reader));
            release(connection, reader.reusable());
            return response;
        }

        private HttpResponse failed(Timings timings, RequestException error) {
            // An exhausted deadline is no reason to try once more.
            failed = error.code() != ErrorCode.REQUEST_TIMEOUT;
            return HttpResponse.failed(request, timings, error);
        }

        private Timings timings(long start, long acquired, long sent, ResponseReader reader) {
            long now = System.nanoTime();
            long firstByte = reader.started() ? reader.firstByteAt() : now;
            return new Timings(
                    acquired - start, connecting, handshaking, sent - acquired, firstByte - sent, now - firstByte);
        }

        private Connection acquire(boolean mayReuse) throws IOException {
            Deque<Connection> kept = idle.get(request.url().origin());
            while (mayReuse && kept != null) {
                Connection connection = kept.pollFirst();
                if (connection == null) {
                    break;
                }
                if (connection.usable()) {
                    reused = true;
                    return connection;
                }
                connection.close();
            }
            return dial();
        }

        private Connection dial() throws IOException {
            Url url = request.url();
            if (!url.scheme().equals("http") && !url.secure()) {
                throw new RequestException(ErrorCode.GENERIC, "unsupported protocol scheme \"" + url.scheme() + "\"");
            }
            if (url.host().isEmpty()) {
                throw new RequestException(ErrorCode.GENERIC, "http: no Host in request URL");
            }
            long start = System.nanoTime();
            Socket socket = connect(url);
            connecting = System.nanoTime() - start;
            try {
                socket.setTcpNoDelay(true);
                if (url.secure()) {
                    long handshakeStart = System.nanoTime();
                    socket.setSoTimeout(deadline.remainingMillis());
                    socket = settings.tls().handshake(socket, url.host(), url.port());
                    handshaking = System.nanoTime() - handshakeStart;
                }
                return new Connection(socket);
            } catch (IOException e) {
                socket.close();
                throw e;
            }
        }

        private Socket connect(Url url) throws IOException {
            InetSocketAddress target = target(url);
            IOException failure = null;
            for (InetAddress address : InetAddress.getAllByName(target.getHostString())) {
                Socket socket = traffic.newSocket();
                try {
                    socket.connect(
                            new InetSocketAddress(address, target.getPort()),
                            Math.min(DIAL_TIMEOUT_MILLIS, deadline.remainingMillis()));
                    return socket;
                } catch (IOException e) {
                    socket.close();
                    failure = e;
                }
            }
            throw failure == null ? new IOException("no address for " + target.getHostString()) : failure;
        }

        private InetSocketAddress target(Url url) {
            String mapped = settings.hosts()
                    .getOrDefault(
                            url.host() + ":" + url.port(), settings.hosts().getOrDefault(url.host(), ""));
            if (mapped.isEmpty()) {
                return InetSocketAddress.createUnresolved(url.host(), url.port());
            }
            int colon = mapped.lastIndexOf(':');
            boolean hasPort =
                    mapped.startsWith("[") ? mapped.contains("]:") : colon > 0 && mapped.indexOf(':') == colon;
            String host = hasPort ? mapped.substring(0, colon) : mapped;
            int port = hasPort ? Integer.parseInt(mapped.substring(colon + 1)) : url.port();
            return InetSocketAddress.createUnresolved(host, port);
        }

        private void release(Connection connection, boolean reusable) {
            Deque<Connection> kept = idle.computeIfAbsent(request.url().origin(), key -> new ConcurrentLinkedDeque<>());
            if (!reusable || !settings.keepAlive() || closed || kept.size() >= settings.idlePerHost()) {
                connection.close();
                return;
            }
            connection.used();
            kept.addFirst(connection);
        }
    }

    private byte[] serialize(HttpRequest request) throws RequestException {
        Headers headers = request.headers();
        StringBuilder head = new StringBuilder(256);
        head.append(request.method()).append(' ').append(request.url().target()).append(" HTTP/1.1\r\n");
        field(head, "Host", headers.get("Host", request.url().hostHeader()));
        for (Map.Entry<String, String> header : headers.toMap().entrySet()) {
            if (!header.getKey().equals("Host") && !header.getKey().equals("Content-Length")) {
                field(head, header.getKey(), header.getValue());
            }
        }
        if (!request.url().userInfo().isEmpty() && !headers.has("Authorization")) {
            byte[] credentials = Forms.decode(request.url().userInfo()).getBytes(StandardCharsets.UTF_8);
            field(head, "Authorization", "Basic " + Base64.getEncoder().encodeToString(credentials));
        }
        if (request.hasBody()
                || request.method().equals("POST")
                || request.method().equals("PUT")
                || request.method().equals("PATCH")) {
            field(head, "Content-Length", Integer.toString(request.body().length));
        }
        if (!settings.keepAlive()) {
            field(head, "Connection", "close");
        }
        head.append("\r\n");
        ByteArrayOutputStream message = new ByteArrayOutputStream(head.length() + request.body().length);
        message.writeBytes(head.toString().getBytes(StandardCharsets.UTF_8));
        message.writeBytes(request.body());
        return message.toByteArray();
    }

    private static void field(StringBuilder head, String name, String value) throws RequestException {
        if (name.isEmpty() || !name.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+")) {
            throw new RequestException(ErrorCode.GENERIC, "net/http: invalid header field name \"" + name + "\"");
        }
        if (!Headers.valid(value)) {
            throw new RequestException(ErrorCode.GENERIC, "net/http: invalid header field value for \"" + name + "\"");
        }
        head.append(name).append(": ").append(value).append("\r\n");
    }
}
