package dev.sekisho.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sekisho.idp.testing.Declaration;
import dev.sekisho.idp.testing.Environment;
import dev.sekisho.idp.testing.RuntimeClient;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class DrainIT {
    private final Environment environment = Environment.shared();

    private static byte[] request(String extra) {
        return ("GET /drained/v1/jwks HTTP/1.1\r\nHost: x\r\n" + extra + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void drainingSaysNotReadyButAnswersAndThenClosesWithoutWaitingForIdlePeers() throws Exception {
        var settings = environment.settings();
        settings.put(Setting.DRAIN_DELAY, "4s");
        settings.put(Setting.DRAIN_TIMEOUT, "60s");
        var runtime = environment.runtime(settings);
        try (var client = environment.client(runtime);
                var idle = new Socket(InetAddress.getLoopbackAddress(), runtime.publicPort());
                var busy = new Socket(InetAddress.getLoopbackAddress(), runtime.publicPort());
                var slow = new Socket(InetAddress.getLoopbackAddress(), runtime.publicPort())) {
            client.put(Declaration.of("drained").client("app", "client_secret_basic", "read"));
            for (var socket : new Socket[] {idle, busy}) {
                socket.setSoTimeout(20_000);
                socket.getOutputStream().write(request(""));
                assertThat(readAnswer(socket)).startsWith("HTTP/1.1 200").doesNotContain("Connection: close");
            }
            var form = "grant_type=client_credentials&scope=read";
            slow.setSoTimeout(20_000);
            slow.getOutputStream()
                    .write(
                            ("POST /drained/v1/tokens HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                                            + "Authorization: " + RuntimeClient.basic("app", Declaration.SECRET)
                                            + "\r\nContent-Length: "
                                            + form.length() + "\r\n\r\n" + form.substring(0, 5))
                                    .getBytes(StandardCharsets.ISO_8859_1));
            slow.getOutputStream().flush();

            var started = Instant.now();
            var closing = Thread.ofVirtual().start(runtime::close);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(3))
                    .until(() -> client.metrics("/health/ready").status() == 503);
            assertThat(client.metrics("/health/live").status()).isEqualTo(200);
            assertThat(client.get("/drained/v1/jwks").status())
                    .as("still accepts")
                    .isEqualTo(200);
            busy.getOutputStream().write(request(""));
            assertThat(busy.getInputStream().readAllBytes())
                    .asString(StandardCharsets.ISO_8859_1)
                    .as("the last answer of its connection")
                    .startsWith("HTTP/1.1 200")
                    .contains("Connection: close");

            Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> refuses(runtime.publicPort()));
            // Accepted before, unfinished: it may still finish.
            slow.getOutputStream().write(form.substring(5).getBytes(StandardCharsets.ISO_8859_1));
            assertThat(slow.getInputStream().readAllBytes())
                    .asString(StandardCharsets.ISO_8859_1)
                    .startsWith("HTTP/1.1 200");
            assertThat(idle.getInputStream().read()).as("closed by the server").isEqualTo(-1);
            assertThat(closing.join(Duration.ofSeconds(30))).isTrue();
            // The drain timeout of a minute is for requests, not for the idle connection.
            assertThat(Duration.between(started, Instant.now())).isLessThan(Duration.ofSeconds(50));
        } finally {
            runtime.close();
        }
    }

    private static boolean refuses(int port) throws IOException {
        try (var _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return false;
        } catch (ConnectException e) {
            return true;
        }
    }

    /** An answer up to the end of its body, which Content-Length tells. */
    private static String readAnswer(Socket socket) throws IOException {
        var head = new StringBuilder();
        var in = socket.getInputStream();
        while (!head.toString().endsWith("\r\n\r\n")) {
            int b = in.read();
            if (b < 0) {
                throw new IOException("closed within an answer: " + head);
            }
            head.append((char) b);
        }
        var length = java.util.regex.Pattern.compile("Content-Length: (\\d+)").matcher(head);
        assertThat(length.find()).isTrue();
        in.readNBytes(Integer.parseInt(length.group(1)));
        return head.toString();
    }
}
