package dev.sekisho.operator.idpcluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sekisho.api.v1alpha1.IdpCluster;
import dev.sekisho.api.v1alpha1.IdpClusterStatus;
import dev.sekisho.operator.OperatorConfig.Images;
import dev.sekisho.operator.kube.Clients;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ImageChoiceTest {
    private static final Images OLD = new Images("r:1", "p:1", "d:1", "g:1", "k:1");
    private static final Images NEW = new Images("r:2", "p:2", "d:2", "g:2", "k:2");
    private static final IdpClusterStatus.Images NOTHING = new IdpClusterStatus.Images(null, null, null, null, null);

    @Test
    void aNewClusterRunsWhatTheOperatorBrings() {
        var choice = ImageChoice.of(cluster(""), NEW, NOTHING);
        assertThat(choice.images()).isEqualTo(NEW);
        assertThat(choice.pending()).isEmpty();
    }

    @Test
    void aNewReleaseWaitsForANewValueOfTheAnnotation() {
        var cluster = recorded(cluster(""), OLD, "monday");
        cluster.getMetadata().setAnnotations(Map.of("sekisho.dev/restart", "monday"));
        var waiting = ImageChoice.of(cluster, NEW, NOTHING);
        assertThat(waiting.images()).isEqualTo(new Images("r:1", "p:1", "d:1", "g:1", "k:2"));
        assertThat(waiting.pending()).contains("p:2 instead of p:1");

        cluster.getMetadata().setAnnotations(Map.of("sekisho.dev/restart", "tuesday"));
        var rolled = ImageChoice.of(cluster, NEW, NOTHING);
        assertThat(rolled.images()).isEqualTo(NEW);
        assertThat(rolled.record(cluster).restart()).isEqualTo("tuesday");
    }

    @Test
    void withoutARecordWhatRunsGoesOn() {
        var choice = ImageChoice.of(cluster(""), NEW, new IdpClusterStatus.Images("r:1", "p:1", null, "g:1", null));
        assertThat(choice.images()).isEqualTo(new Images("r:1", "p:1", "d:2", "g:1", "k:2"));
    }

    @Test
    void anImageOfTheSpecsIsNoChoiceAndLeavesNoRecord() {
        var cluster = recorded(cluster(", image: 'mine:1'"), OLD, null);
        var choice = ImageChoice.of(cluster, NEW, NOTHING);
        assertThat(choice.record(cluster).runtime()).isNull();
        assertThat(choice.pending()).doesNotContain("r:");
    }

    private static IdpCluster recorded(IdpCluster cluster, Images images, @Nullable String restart) {
        cluster.setStatus(new IdpClusterStatus(
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                new IdpClusterStatus.Images(
                        images.runtime(), images.postgres(), images.redis(), images.gateway(), restart),
                List.of()));
        return cluster;
    }

    private static IdpCluster cluster(String more) {
        return Clients.serialization()
                .unmarshal(
                        "metadata: {name: main, namespace: idp}\nspec: {publicUrl: 'https://idp.example'" + more + "}",
                        IdpCluster.class);
    }
}
