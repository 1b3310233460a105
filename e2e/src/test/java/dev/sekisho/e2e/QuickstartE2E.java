package dev.sekisho.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sekisho.api.v1alpha1.LoadTestStatus.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The main path, as a newcomer walks it. */
@OnSite
class QuickstartE2E {
    static final String NAMESPACE = "sekisho-demo";

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private final Site site;

    QuickstartE2E(Site site) {
        this.site = site;
    }

    @Test
    void aSecondRunEndsWellAndShowsAVerifiedTokenAndAPassedLoadTest() throws Exception {
        var run = run(10, "./quickstart");

        assertThat(run.status()).as(run.output()).isZero();
        assertThat(run.output())
                .contains("https://localhost:30443/acme")
                .contains("signature verified")
                .contains("first-look")
                .contains("Passed");
        site.awaitCluster(NAMESPACE, "demo");
        site.awaitTenantReady(NAMESPACE, "acme");
        var loadTest = site.awaitLoadTestEnd(NAMESPACE, "first-look");
        assertThat(loadTest.getStatus().verdict()).isEqualTo(Verdict.Passed);
        assertThat(loadTest.getStatus().results()).hasSize(2);
        assertThat(loadTest.getStatus().objectives()).hasSize(4).allMatch(o -> o.met());
    }

    @Test
    void itsEnvironmentIsEnoughForAToken() throws Exception {
        var run = run(1, "bash", "-euc", """
            eval "$(./quickstart env)"
            curl -fsS -u "$CLIENT_ID:$CLIENT_SECRET" -d grant_type=client_credentials -d scope="$SCOPE" "$ISSUER/v1/tokens"
            echo
            curl -sS -o /dev/null -w '%{http_code}\\n' "$MANAGEMENT_URL/management/v1/tenants/acme"
            curl -fsS -H "Authorization: Bearer $MANAGEMENT_TOKEN" "$MANAGEMENT_URL/management/v1/tenants/acme"
            echo
            kubectl -n sekisho-demo get tenant acme -o name
            """);

        assertThat(run.status()).as(run.output()).isZero();
        assertThat(run.output())
                .contains("\"access_token\"")
                .contains("\n401\n")
                .contains("\"issuer\"")
                .contains("tenant.sekisho.dev/acme");
    }

    @Test
    void itsStatusShowsWhatIsThere() throws Exception {
        var run = run(1, "./quickstart", "status");

        assertThat(run.status()).as(run.output()).isZero();
        assertThat(run.output()).contains("acme").contains("first-look").contains("Passed");
    }

    private record Run(int status, String output) {}

    private static Run run(int minutes, String... command) throws IOException, InterruptedException {
        var process = new ProcessBuilder(List.of(command))
                .directory(ROOT.toFile())
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        var output = new StringBuilder();
        var reader = Thread.ofVirtual()
                .start(() -> process.inputReader()
                        .lines()
                        .forEach(l -> output.append(l).append('\n')));
        boolean ended = process.waitFor(minutes, TimeUnit.MINUTES);
        if (!ended) {
            process.descendants().forEach(ProcessHandle::destroy);
            process.destroy();
        }
        reader.join();
        if (!ended) {
            output.append("stopped after ").append(minutes).append(" minutes\n");
        }
        return new Run(process.waitFor(), output.toString());
    }
}
