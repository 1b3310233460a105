package dev.sekisho.operator.management;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sekisho.api.v1alpha1.ClusterRef;
import dev.sekisho.api.v1alpha1.IdpCluster;
import dev.sekisho.operator.kube.Clients;
import dev.sekisho.operator.management.ClusterAccess.Target;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ClusterAccessTest {
    private static Target resolve(String allowed, @Nullable String namespace, String from) {
        IdpCluster cluster = Clients.serialization()
                .unmarshal(
                        "metadata: {name: main, namespace: idp}\n"
                                + "spec: {publicUrl: 'https://idp.example', allowedNamespaces: [" + allowed + "]}",
                        IdpCluster.class);
        var access = new ClusterAccess(
                (in, name) -> in.equals("idp") && name.equals("main") ? cluster : null,
                watched -> !watched.equals("elsewhere"));
        return access.resolve(new ClusterRef("main", namespace), from);
    }

    @Test
    void aClusterOfTheSameNamespaceMayAlwaysBeUsed() {
        assertThat(resolve("", null, "idp")).isInstanceOf(Target.Granted.class);
        assertThat(resolve("", "idp", "idp")).isInstanceOf(Target.Granted.class);
    }

    @Test
    void anotherNamespaceMustBeListed() {
        assertThat(resolve("team", "idp", "team")).isInstanceOf(Target.Granted.class);
        assertThat(resolve("'*'", "idp", "team")).isInstanceOf(Target.Granted.class);
        assertThat(resolve("other", "idp", "team")).isInstanceOf(Target.Denied.class);
    }

    @Test
    void whoIsNotAllowedInDoesNotLearnWhetherTheClusterExists() {
        assertThat(resolve("", "idp", "team"))
                .isEqualTo(new Target.Denied("there is no IdpCluster idp/main whose allowedNamespaces lists team"));
        assertThat(resolve("", "nothing", "team"))
                .isEqualTo(new Target.Denied("there is no IdpCluster nothing/main whose allowedNamespaces lists team"));
    }

    @Test
    void whatIsNotThereOrNotWatchedIsNotFound() {
        assertThat(resolve("", null, "team")).isInstanceOf(Target.NotFound.class);
        assertThat(resolve("", "elsewhere", "team")).isInstanceOf(Target.NotFound.class);
    }
}
