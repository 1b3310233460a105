package dev.sekisho.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sekisho.idp.testing.Declaration;
import dev.sekisho.idp.testing.Environment;
import dev.sekisho.idp.testing.RuntimeClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Peers that connect and then say little or nothing take nobody's place. */
class SlowPeersIT {
    private static final String TENANT = "slow-peers";
    /** More than the metrics and the management listener accept. */
    private static final int MANY = 1100;

    private final Environment environment = Environment.shared();
    private final List<Socket> sockets = new ArrayList<>();

    @AfterEach
    void hangUp() throws IOException {
        for (var socket : sockets) {
            socket.close();
        }
    }

    private Socket connect(int port, String said) throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), port);
        sockets.add(socket);
        socket.setSoTimeout(30_000);
        socket.getOutputStream().write(said.getBytes(StandardCharsets.ISO_8859_1));
        return socket;
    }

    private void flood(int port, int count, String said) throws IOException {
        for (int i = 0; i < count; i++) {
            connect(port, said);
        }
    }

    private Map<Setting, String> few() {
        var settings = environment.settings();
        settings.put(Setting.MAX_CONNECTIONS, "32");
        return settings;
    }

    private static Declaration declaration() {
        return Declaration.of(TENANT).client("app", "client_secret_basic", "read");
    }

    private static void serves(RuntimeClient client) {
        assertThat(client.metrics("/health/live").status()).isEqualTo(200);
        assertThat(client.metrics("/metrics").status()).isEqualTo(200);
        assertThat(client.put(declaration()).status()).isEqualTo(200);
        assertThat(client.get("/" + TENANT + "/v1/jwks").status()).isEqualTo(200);
    }

    @Test
    void silentConnectionsBlockNeitherProbesNorManagement() throws IOException {
        try (var runtime = environment.runtime()) {
            flood(runtime.metricsPort(), MANY, "");
            flood(runtime.managementPort(), MANY, "");
            try (var client = environment.client(runtime)) {
                serves(client);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "GET /",
                "GET /slow-peers/v1/jwks HTTP/1.1\r\nHost: x\r\nX-A: ",
                "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
            })
    void connectionsThatDoNotGoOnTakeNobodysPlace(String said) throws IOException {
        try (var runtime = environment.runtime(few());
                var early = environment.client(runtime)) {
            serves(early);
            flood(runtime.publicPort(), 100, said);
            assertThat(early.get("/" + TENANT + "/v1/jwks").status())
                    .as("one that was there before")
                    .isEqualTo(200);
            try (var late = environment.client(runtime)) {
                assertThat(late.get("/" + TENANT + "/v1/jwks").status())
                        .as("one that comes now")
                        .isEqualTo(200);
            }
        }
    }

    @Test
    void aConnectionThatSendsNoRequestIsEndedAndCountsAsNone() throws IOException {
        try (var runtime = environment.runtime();
                var client = environment.client(runtime)) {
            for (var said : List.of("", "GET /health/live HTTP/1.1\r\nHo")) {
                var socket = connect(runtime.metricsPort(), said);
                assertThat(ends(socket)).isTrue();
            }
            assertThat(client.metrics("/metrics").body()).doesNotContain("listener=\"metrics\",endpoint=\"other\"");
        }
    }

    private static boolean ends(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() == -1;
        } catch (java.net.SocketException e) {
            return true;
        }
    }

    @Test
    void aProbeWithABodyIsAnsweredWithoutIt() throws IOException {
        try (var runtime = environment.runtime()) {
            var socket = connect(
                    runtime.metricsPort(), "GET /health/live HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n");
            assertThat(socket.getInputStream().readAllBytes())
                    .asString(StandardCharsets.ISO_8859_1)
                    .startsWith("HTTP/1.1 200")
                    .contains("Connection: close");
        }
    }

    @Test
    void theEndWaitsForNoneOfThem() throws Exception {
        var settings = environment.settings();
        settings.put(Setting.DRAIN_TIMEOUT, "10m");
        var runtime = environment.runtime(settings);
        for (int port : new int[] {runtime.publicPort(), runtime.managementPort(), runtime.metricsPort()}) {
            connect(port, "");
            connect(port, "GET /health/live HTTP/1.1\r\nHost: x\r\nX-A: ");
        }
        var closing = Thread.ofVirtual().start(runtime::close);
        assertThat(closing.join(Duration.ofSeconds(60))).isTrue();
    }
}
