package dev.sekisho.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sekisho.api.v1alpha1.IdpCluster;
import dev.sekisho.api.v1alpha1.LoadTest;
import dev.sekisho.api.v1alpha1.LoadTestStatus.Verdict;
import dev.sekisho.api.v1alpha1.Tenant;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each example works as it stands. The quickstart's are applied by {@link QuickstartE2E}. */
@OnSite
class ExamplesE2E {
    private static final Path EXAMPLES = Path.of("../examples");

    private final Site site;

    ExamplesE2E(Site site) {
        this.site = site;
    }

    static Stream<Path> examples() throws IOException {
        try (var files = Files.list(EXAMPLES)) {
            return files.filter(f -> f.toString().endsWith(".yaml")).sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void anExampleBecomesWhatItPromises(Path example) throws IOException {
        var yaml = Files.readString(example);
        site.apply(yaml);
        for (var object : site.parse(yaml)) {
            check(object);
        }
        // In reverse, so that a Tenant goes before its Secret.
        for (var object : site.parse(yaml).reversed()) {
            site.client().resource(object).inNamespace(Site.NAMESPACE).delete();
        }
    }

    private void check(HasMetadata object) throws IOException {
        var name = object.getMetadata().getName();
        switch (object.getKind()) {
            case "IdpCluster" -> {
                var cluster = site.awaitCluster(Site.NAMESPACE, name);
                IdpCluster asked = Objects.requireNonNull(site.get(IdpCluster.class, name));
                assertThat(cluster.getStatus().readyReplicas())
                        .isEqualTo(asked.getSpec().replicas());
            }
            case "Tenant" -> {
                Tenant tenant = site.awaitTenantReady(name);
                var tenantId = tenant.getSpec().tenantId();
                for (var client : tenant.getSpec().clients()) {
                    // Who signs with a key of its own needs no secret.
                    if (client.jwks() == null) {
                        assertThat(site.clientSecret(tenant, client.clientId())).isNotEmpty();
                    }
                }
                assertThat(site.gateway().jwks(tenantId).isEmpty()).isFalse();
            }
            case "LoadTest" -> {
                LoadTest loadTest = site.awaitLoadTestEnd(name);
                assertThat(loadTest.getStatus().verdict())
                        .as("%s", loadTest.getStatus())
                        .isEqualTo(Verdict.Passed);
            }
            case "Secret", "ConfigMap" ->
                assertThat(site.client()
                                .resource(object)
                                .inNamespace(Site.NAMESPACE)
                                .get())
                        .isNotNull();
            default -> throw new AssertionError("an example with a kind that no test knows: " + object.getKind());
        }
    }
}
