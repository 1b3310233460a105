package dev.sekisho.e2e.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** That the load counts what went wrong, and nothing else. */
class SteadyLoadTest {
    private static final String TOKEN = "{\"access_token\":\"a.b.c\"}";
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final ServerSocket server;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger asked = new AtomicInteger();
    private volatile IntFunction<String> script = n -> answer(200, "", TOKEN);

    SteadyLoadTest() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    @AfterEach
    void end() throws IOException {
        server.close();
        for (var socket : open) {
            socket.close();
        }
    }

    private static String answer(int status, String header, String body) {
        return "HTTP/1.1 " + status + " x\r\n" + header + "Content-Length: " + body.length() + "\r\n\r\n" + body;
    }

    private void accept() {
        try {
            while (true) {
                var socket = server.accept();
                open.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    /** What the script says, then the end of the connection if it was no whole answer or the last one. */
    private void serve(Socket socket) {
        try (socket) {
            while (readRequest(socket.getInputStream())) {
                var said = script.apply(asked.incrementAndGet());
                socket.getOutputStream().write(said.getBytes(StandardCharsets.UTF_8));
                if (!said.endsWith("}") || said.contains("Connection: close")) {
                    return;
                }
            }
        } catch (IOException e) {
            // The test is over.
        } finally {
            open.remove(socket);
        }
    }

    private static boolean readRequest(InputStream in) throws IOException {
        int newlines = 0;
        while (newlines < 2) {
            switch (in.read()) {
                case -1 -> {
                    return false;
                }
                case '\n' -> newlines++;
                case '\r' -> {}
                default -> newlines = 0;
            }
        }
        return true;
    }

    private SteadyLoad load(String name) {
        return SteadyLoad.start("self-" + name, target(server.getLocalPort()), 2000, LIMIT);
    }

    private static Target target(int port) {
        return new Target("127.0.0.1", port, (bare, host, p) -> bare, "GET / HTTP/1.1\r\n\r\n");
    }

    private void awaitAsked(int count) {
        int before = asked.get();
        await().atMost(LIMIT).until(() -> asked.get() >= before + count);
    }

    @Test
    void allIsWellWhenEachRequestIsAnsweredWithAToken() {
        try (var load = load("well")) {
            awaitAsked(200);
            assertThat(load.failures()).isEmpty();
            assertThat(load.requests()).isGreaterThanOrEqualTo(200);
        }
    }

    @Test
    void aConnectionWhoseEndIsAnnouncedIsReplaced() {
        script = n -> answer(200, n % 10 == 0 ? "Connection: close\r\n" : "", TOKEN);
        try (var load = load("announced")) {
            awaitAsked(200);
            assertThat(load.failures()).isEmpty();
        }
    }

    @Test
    void anAnswerThatIsNoTokenHasFailed() {
        script = n -> switch (n) {
            case 50 -> answer(503, "", "{}");
            case 60 -> answer(200, "", "{}");
            default -> answer(200, "", TOKEN);
        };
        try (var load = load("refused")) {
            load.change("a test");
            awaitAsked(100);
            assertThat(load.failures()).hasSize(2).allMatch(f -> f.during().equals("a test"));
            assertThat(load.failures().getFirst().cause()).contains("503");
        }
    }

    @Test
    void aRequestThatIsCutHasFailedAndIsNotSentAgain() {
        script = n -> switch (n) {
            case 50 -> "";
            case 60 -> "HTTP/1.1 200 x\r\nContent-Le";
            case 70 -> "HTTP/1.1 200 x\r\nContent-Length: 100\r\n\r\nabc";
            default -> answer(200, "", TOKEN);
        };
        var load = load("cut");
        try (load) {
            awaitAsked(100);
            assertThat(load.failures()).hasSize(3).allMatch(f -> f.cause().matches(".*(cut|closed).*"));
        }
        assertThat(load.requests()).isEqualTo(asked.get());
    }

    @Test
    void aServerThatIsGoneFailsEachRequest() throws IOException {
        try (var load = load("gone")) {
            awaitAsked(50);
            server.close();
            for (var socket : open) {
                socket.close();
            }
            await().atMost(LIMIT).until(() -> load.failures().size() > 50);
            assertThat(load.failures().getLast().cause()).contains("no connection");
        }
    }

    @Test
    void aLoadThatEndedByItselfHasFailed() {
        try (var load = SteadyLoad.start("self-maximum", target(server.getLocalPort()), 200, Duration.ofMillis(200))) {
            await().atMost(LIMIT).until(() -> !load.failures().isEmpty());
            assertThat(load.failures().getFirst().cause()).contains("by itself");
        }
    }

    @Test
    void loadGoesToThisMachineOnly() {
        var elsewhere = new Target("192.0.2.1", 443, (bare, host, port) -> bare, "");
        assertThatThrownBy(() -> SteadyLoad.start("self-elsewhere", elsewhere, 1, LIMIT))
                .hasMessageContaining("this machine only");
        assertThatThrownBy(() -> SteadyLoad.start("self-nobody", target(1), 1, LIMIT))
                .isInstanceOf(IllegalStateException.class);
    }
}
