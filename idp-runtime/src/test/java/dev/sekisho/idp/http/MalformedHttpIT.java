package dev.sekisho.idp.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sekisho.idp.IdpRuntime;
import dev.sekisho.idp.testing.Declaration;
import dev.sekisho.idp.testing.Environment;
import dev.sekisho.idp.testing.RuntimeClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Bytes that no HTTP client would send: never a 500, always JSON or a closed connection. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MalformedHttpIT {
    private static final String TENANT = "malformed";

    private final Environment environment = Environment.shared();
    private final IdpRuntime runtime = environment.runtime();
    private final RuntimeClient client = environment.client(runtime);

    @BeforeAll
    void declareTenant() {
        assertThat(client.put(Declaration.of(TENANT).client("app", "client_secret_basic", "read"))
                        .status())
                .isEqualTo(200);
    }

    @AfterAll
    void stop() {
        client.close();
        runtime.close();
    }

    private static Map<String, String> cases() {
        var post = "POST /" + TENANT + "/v1/tokens HTTP/1.1\r\nHost: x\r\n";
        var get = "GET /" + TENANT + "/v1/jwks HTTP/1.1\r\nHost: x\r\n";
        var form = "Content-Type: application/x-www-form-urlencoded\r\n";
        Map<String, String> cases = new LinkedHashMap<>();
        cases.put("400 no HTTP", "hello\r\n\r\n");
        cases.put("400 no version", "GET /\r\n\r\n");
        cases.put("505 HTTP/1.0", "GET / HTTP/1.0\r\nHost: x\r\n\r\n");
        cases.put("400 HTTP/3.0", "GET / HTTP/3.0\r\nHost: x\r\n\r\n");
        cases.put("400 no host", "GET / HTTP/1.1\r\n\r\n");
        cases.put("400 malformed host", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n");
        cases.put("400 malformed path", "GET /%zz{|} HTTP/1.1\r\nHost: x\r\n\r\n");
        cases.put("400 malformed header", get + "Bad Header\r\n\r\n");
        cases.put("400 control character in a header", get + "X-A: a\0b\r\n\r\n");
        cases.put("414 long request line", "GET /" + "a".repeat(20_000) + " HTTP/1.1\r\nHost: x\r\n\r\n");
        cases.put("400 large headers", get + "X-A: " + "a".repeat(40_000) + "\r\n\r\n");
        cases.put(
                "400 length and chunked",
                post + form + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
        cases.put("400 negative length", post + form + "Content-Length: -1\r\n\r\n");
        cases.put("400 length is no number", post + form + "Content-Length: x\r\n\r\n");
        cases.put("400 two lengths", post + form + "Content-Length: 1\r\nContent-Length: 2\r\n\r\na");
        cases.put("413 length far over 10 MB", post + form + "Content-Length: 16777217\r\n\r\n");
        cases.put("413 huge length", post + form + "Content-Length: 9223372036854775807\r\n\r\n");
        cases.put("413 chunk far over 10 MB", post + form + "Transfer-Encoding: chunked\r\n\r\n1000001\r\n");
        cases.put("400 chunk size is no number", post + form + "Transfer-Encoding: chunked\r\n\r\nzz\r\n");
        cases.put("400 chunk size overflows", post + form + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n");
        cases.put("501 unknown transfer encoding", post + form + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n");
        cases.put("400 content encoding", post + form + "Content-Encoding: gzip\r\nContent-Length: 1\r\n\r\na");
        return cases;
    }

    @Test
    void malformedRequestsGetTheRightErrorAsJson() throws Exception {
        for (var entry : cases().entrySet()) {
            var reply = exchange(entry.getValue().getBytes(StandardCharsets.ISO_8859_1));
            var expected = entry.getKey().substring(0, 3);
            assertThat(reply).as(entry.getKey()).startsWith("HTTP/1.1 " + expected + " ");
            assertThat(reply)
                    .as(entry.getKey())
                    .contains("Content-Type: application/json")
                    .contains("{\"error\":\"")
                    .contains("Connection: close")
                    .doesNotContainIgnoringCase("helidon")
                    .doesNotContain("Server:");
        }
    }

    @Test
    void noiseNeverGets500() throws Exception {
        var random = new SplittableRandom(20261130);
        var alphabet = ("GET /" + TENANT + "/v1/tokens HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n\0%&=+;\u00ff")
                .toCharArray();
        for (int i = 0; i < 300; i++) {
            var noise = new byte[random.nextInt(1, 300)];
            for (int j = 0; j < noise.length; j++) {
                noise[j] = (byte)
                        (random.nextInt(4) == 0 ? random.nextInt(256) : alphabet[random.nextInt(alphabet.length)]);
            }
            var start = random.nextInt(3) == 0 ? "" : "POST /" + TENANT + "/v1/tokens HTTP/1.1\r\nHost: x\r\n";
            assertThat(exchange((start + new String(noise, StandardCharsets.ISO_8859_1) + "\r\n\r\n")
                            .getBytes(StandardCharsets.ISO_8859_1)))
                    .as("seed 20261130, round %d", i)
                    .doesNotStartWith("HTTP/1.1 5");
        }
    }

    @Test
    void noiseInFormsNeverGets500() throws Exception {
        var random = new SplittableRandom(7);
        for (int i = 0; i < 300; i++) {
            var body = new byte[random.nextInt(0, 200)];
            for (int j = 0; j < body.length; j++) {
                body[j] = (byte)
                        (random.nextBoolean()
                                ? random.nextInt(256)
                                : "grant_type=&%client_id".charAt(random.nextInt(22)));
            }
            var head = "POST /" + TENANT + "/v1/tokens HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: "
                    + (random.nextBoolean()
                            ? RuntimeClient.basic("app", Declaration.SECRET)
                            : "Basic " + java.util.Base64.getEncoder().encodeToString(body))
                    + "\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: " + body.length
                    + "\r\n\r\n";
            var request = new java.io.ByteArrayOutputStream();
            request.writeBytes(head.getBytes(StandardCharsets.ISO_8859_1));
            request.writeBytes(body);
            assertThat(exchange(request.toByteArray())).as("round %d", i).startsWith("HTTP/1.1 4");
        }
    }

    @Test
    void aConnectionGoesOnAfterAnErrorThatWasReadToItsEnd() throws Exception {
        var bad = "POST /" + TENANT + "/v1/tokens HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                + "Content-Length: 2\r\n\r\n{}";
        var good = "GET /" + TENANT + "/v1/jwks HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
        assertThat(exchange((bad + good).getBytes(StandardCharsets.ISO_8859_1)))
                .startsWith("HTTP/1.1 400")
                .contains("HTTP/1.1 200");
    }

    @Test
    void aConnectionThatAsksToBeClosedIsClosed() throws Exception {
        // exchange() reads to the end of the stream, which comes only if this side closes.
        assertThat(exchange(("GET /" + TENANT + "/v1/jwks HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                        .getBytes(StandardCharsets.ISO_8859_1)))
                .startsWith("HTTP/1.1 200")
                .contains("Connection: close");
    }

    @Test
    void anAnswerThatNeedsNoBodyReachesAPeerThatIsStillSendingIt() throws Exception {
        var body = "x".repeat(2_000_000);
        for (var path : new String[] {"/nobody/v1/tokens", "/" + TENANT + "/v1/jwks", "/nothing/here/"}) {
            var reply = exchange(
                    ("POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Length: " + body.length() + "\r\n\r\n" + body
                                    + "GET /" + TENANT + "/v1/jwks HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.ISO_8859_1));
            assertThat(reply).as(path).startsWith("HTTP/1.1 40").contains("HTTP/1.1 200");
        }
    }

    @Test
    void whoWaitsToBeAskedForABodyThatIsNotNeededIsNotAsked() throws Exception {
        var request = String.join(
                "\r\n",
                "POST /nobody/v1/tokens HTTP/1.1",
                "Host: x",
                "Expect: 100-continue",
                "Content-Length: 10",
                "",
                "");
        var reply = exchange(request.getBytes(StandardCharsets.ISO_8859_1));
        assertThat(reply)
                .startsWith("HTTP/1.1 404")
                .contains("Connection: close")
                .doesNotContain("100 Continue");
    }

    @Test
    void aBodyThatBreaksOffHarmsNobody() throws Exception {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), runtime.publicPort())) {
            socket.getOutputStream()
                    .write(("POST /" + TENANT + "/v1/tokens HTTP/1.1\r\nHost: x\r\nContent-Type:"
                                    + " application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nabc")
                            .getBytes(StandardCharsets.ISO_8859_1));
        }
        assertThat(client.get("/" + TENANT + "/v1/jwks").status()).isEqualTo(200);
    }

    /** Sends bytes, says that no more come, and reads what the server sends until it closes. */
    private String exchange(byte[] request) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), runtime.publicPort())) {
            socket.setSoTimeout(20_000);
            try {
                socket.getOutputStream().write(request);
                socket.shutdownOutput();
            } catch (IOException e) {
                // The server may have answered and closed already.
            }
            var in = socket.getInputStream();
            var reply = new java.io.ByteArrayOutputStream();
            try {
                in.transferTo(reply);
            } catch (java.net.SocketException e) {
                // Closed with our bytes unread: what was sent before counts.
            }
            return reply.toString(StandardCharsets.ISO_8859_1);
        }
    }
}
