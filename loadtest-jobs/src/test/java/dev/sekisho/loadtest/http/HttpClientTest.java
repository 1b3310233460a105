package dev.sekisho.loadtest.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sekisho.loadtest.RawServer;
import dev.sekisho.loadtest.TargetServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("StringConcatToTextBlock") // text blocks would hide the line ends, which matter here
class HttpClientTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private static HttpClient client(Map<String, String> hosts) throws IOException {
        return new HttpClient(new HttpSettings(TlsSettings.trusting(Optional.empty()), hosts, true, 6));
    }

    private static HttpRequest get(String url) throws RequestException {
        return HttpRequest.bodiless("GET", Url.parse(url), new Headers());
    }

    private static String text(HttpResponse response) {
        byte[] body = response.body();
        return body == null ? "no body: " + response.errorText() : new String(body, StandardCharsets.UTF_8);
    }

    private static HttpResponse answer(String raw) throws IOException {
        try (RawServer server = new RawServer(raw);
                HttpClient client = client(Map.of())) {
            return client.send(get(server.url()), TIMEOUT, true);
        }
    }

    @Test
    void aConnectionIsUsedAgain() throws IOException {
        try (TargetServer server = TargetServer.start();
                HttpClient client = client(Map.of())) {
            HttpResponse first = client.send(get(server.url() + "/ok"), TIMEOUT, true);
            HttpResponse second = client.send(get(server.url() + "/ok"), TIMEOUT, true);

            assertThat(text(first)).isEqualTo("ok");
            assertThat(first.timings().connecting()).isPositive();
            assertThat(second.timings().connecting()).isZero();
            assertThat(second.timings().duration())
                    .isEqualTo(second.timings().sending()
                            + second.timings().waiting()
                            + second.timings().receiving());
            assertThat(client.traffic().takeReceived()).isGreaterThan(100);
            assertThat(client.traffic().takeReceived()).isZero();
        }
    }

    @Test
    void hostsTakeThePlaceOfDns() throws IOException {
        try (TargetServer server = TargetServer.start();
                HttpClient client =
                        client(Map.of("right.test", "127.0.0.1:" + server.port(), "other.test:81", "127.0.0.1"))) {
            HttpResponse response = client.send(get("http://right.test/describe"), TIMEOUT, true);

            assertThat(text(response)).contains("\"host\":\"right.test\"");
            assertThat(client.send(get("http://other.test:82/"), TIMEOUT, true).errorCode())
                    .isEqualTo(1101);
        }
    }

    @Test
    void anIdempotentRequestIsSentAgainWhenAKeptConnectionWasClosed() throws IOException {
        String keepAlive = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
        try (RawServer server = new RawServer(keepAlive);
                HttpClient client = client(Map.of())) {
            // The server closes after each answer without having said so.
            assertThat(text(client.send(get(server.url()), TIMEOUT, true))).isEqualTo("ok");
            assertThat(text(client.send(get(server.url()), TIMEOUT, true))).isEqualTo("ok");
            assertThat(server.connections()).isEqualTo(2);
        }
    }

    @Test
    void bodiesComeInAllFramings() throws IOException {
        assertThat(text(answer("HTTP/1.1 200 OK\r\n\r\nto the end"))).isEqualTo("to the end");
        assertThat(text(answer("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok more")))
                .isEqualTo("ok");
        assertThat(text(answer("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + "3;ext=1\r\none\r\nA\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n")))
                .isEqualTo("one0123456789");
        assertThat(text(answer(
                        "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx")))
                .isEqualTo("x");
        assertThat(text(answer("HTTP/1.1 204 No Content\r\n\r\n"))).isEmpty();
        HttpResponse repeated = answer("HTTP/1.1 200 OK\r\nx-a: 1\r\nX-A: 2\r\nContent-Length: 0\r\n\r\n");
        assertThat(repeated.headers().toMap()).containsEntry("X-A", "1, 2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nonsense\r\n\r\n",
                "HTTP/1.1 2xx OK\r\n\r\n",
                "HTTP/1.1 200 OK\r\nno colon\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort",
                "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none",
                "HTTP/1.1 101 Switching\r\n\r\n",
            })
    void malformedResponsesAreErrorsAndNotMore(String raw) throws IOException {
        HttpResponse response = answer(raw);

        assertThat(response.status()).isZero();
        assertThat(response.errorCode()).isBetween(1000, 1299);
        assertThat(response.errorText()).isNotEmpty();
    }

    @Test
    void aCorruptedEncodingHasACodeOfItsOwn() throws IOException {
        assertThat(answer("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nxyz")
                        .errorCode())
                .isEqualTo(1701);
    }

    @Test
    void headersCannotBeSmuggledIn() throws IOException {
        try (HttpClient client = client(Map.of())) {
            Headers headers = new Headers();
            headers.set("X", "a\r\nY: b");
            HttpRequest request = HttpRequest.bodiless("GET", Url.parse("http://127.0.0.1:1/"), headers);

            assertThat(client.send(request, TIMEOUT, true).errorText()).contains("invalid header field value");
        }
    }

    @Test
    void errorsAreClassified() throws IOException {
        try (HttpClient client = client(Map.of())) {
            assertThat(client.send(get("http://127.0.0.1:1/"), TIMEOUT, true).errorCode())
                    .isEqualTo(1212);
            assertThat(client.send(get("http://no-such-host.invalid/"), TIMEOUT, true)
                            .errorCode())
                    .isEqualTo(1101);
            assertThat(client.send(get("ftp://127.0.0.1/"), TIMEOUT, true).errorText())
                    .contains("unsupported protocol scheme");
            assertThat(client.send(get("/relative"), TIMEOUT, true).errorText())
                    .contains("unsupported protocol scheme");
        }
    }
}
