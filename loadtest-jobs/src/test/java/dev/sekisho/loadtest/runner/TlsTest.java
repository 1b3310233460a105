package dev.sekisho.loadtest.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sekisho.loadtest.RawServer;
import dev.sekisho.loadtest.ScriptRun;
import dev.sekisho.loadtest.Scripts;
import dev.sekisho.loadtest.TargetServer;
import dev.sekisho.loadtest.http.TestCertificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Whom scripts trust. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TlsTest {
    private final TestCertificates certificates = new TestCertificates();
    private final TargetServer server = TargetServer.startTls(certificates.server());

    @TempDir
    private Path folder = Path.of(".");

    @AfterAll
    void stop() {
        server.close();
    }

    private ScriptRun run(String target, Map<String, String> more, String... flags) {
        Map<String, String> environment = new HashMap<>(more);
        environment.put("TARGET", target);
        return ScriptRun.of(Scripts.ofTests("tls.js"), environment, flags);
    }

    @Test
    void aCertificateOfTheNamedAuthorityIsTrusted() throws IOException {
        ScriptRun run = run(
                server.url(),
                Map.of("SSL_CERT_FILE", certificates.writeCa(folder).toString()));

        assertThat(run.stderr()).contains("status=200 code=0 tls=tls1.3 error=");
    }

    @Test
    void withoutItTheAuthorityIsUnknown() {
        assertThat(run(server.url(), Map.of()).stderr())
                .contains("status=0 code=1310 tls= error=x509: unknown authority");
    }

    @Test
    void aCertificateOfAnotherHostIsRefused() throws IOException {
        ScriptRun run = run(
                "https://localhost:" + server.port(),
                Map.of("SSL_CERT_FILE", certificates.writeCa(folder).toString()));

        assertThat(run.stderr()).contains("status=0 code=1311 tls= error=x509: certificate doesn't match hostname");
    }

    @Test
    void anyCertificateWillDoWhenTheScriptsUserSaysSo() {
        assertThat(run(server.url(), Map.of(), "--insecure-skip-tls-verify").stderr())
                .contains("status=200 code=0 tls=tls1.3");
        assertThat(run("https://localhost:" + server.port(), Map.of("K6_INSECURE_SKIP_TLS_VERIFY", "true"))
                        .stderr())
                .contains("status=200 code=0 tls=tls1.3");
    }

    @Test
    void aServerWithoutTlsHasACodeOfItsOwn() throws IOException {
        try (RawServer plain = new RawServer("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")) {
            assertThat(run("https://127.0.0.1:" + plain.port(), Map.of()).stderr())
                    .contains("status=0 code=1301");
        }
    }

    @Test
    void aFileWithoutCertificatesIsAnInvalidConfiguration() throws IOException {
        Path empty = Files.writeString(folder.resolve("empty.crt"), "");

        ScriptRun run = run(server.url(), Map.of("SSL_CERT_FILE", empty.toString()));

        assertThat(run.exitCode()).isEqualTo(104);
        assertThat(run.stderr()).contains("SSL_CERT_FILE", "no certificate");
    }
}
