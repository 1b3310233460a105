package dev.sekisho.operator.idpcluster;

import dev.sekisho.api.v1alpha1.IdpCluster;
import dev.sekisho.api.v1alpha1.IdpClusterStatus;
import dev.sekisho.operator.OperatorConfig.Images;
import dev.sekisho.operator.idpcluster.resources.Blueprint;
import dev.sekisho.operator.kube.Names;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.ArrayList;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The images that a cluster runs where its spec names none. A new release of the operator brings others; a cluster goes on
 * with those that it has, until somebody says so by a new value of the annotation {@link Blueprint#RESTART}. Not by a
 * change of the spec: an autoscaler makes those, too.
 *
 * @param images what to run
 * @param defaults what this release of the operator brings
 * @param restart the value of the annotation at which the images were chosen; null when there was none
 */
record ImageChoice(Images images, Images defaults, @Nullable String restart) {

    /** What runs, as the caches know it. */
    static ImageChoice of(IdpCluster cluster, Images defaults, Children children) {
        var name = cluster.getMetadata().getName();
        var running = new IdpClusterStatus.Images(
                image(children.cached(Deployment.class, Names.runtime(name))
                        .map(found -> found.getSpec().getTemplate())),
                image(children.cached(StatefulSet.class, Names.postgres(name))
                        .map(found -> found.getSpec().getTemplate())),
                image(children.cached(StatefulSet.class, Names.redis(name))
                        .map(found -> found.getSpec().getTemplate())),
                image(children.cached(Deployment.class, Names.gateway(name))
                        .map(found -> found.getSpec().getTemplate())),
                asked(cluster));
        return of(cluster, defaults, running);
    }

    /** @param running what runs, for want of a record */
    static ImageChoice of(IdpCluster cluster, Images defaults, IdpClusterStatus.Images running) {
        var status = cluster.getStatus();
        var recorded = status == null || status.images() == null ? running : status.images();
        var asked = asked(cluster);
        if (asked != null && !asked.equals(recorded.restart())) {
            return new ImageChoice(defaults, defaults, asked);
        }
        var images = new Images(
                // What runs by the user's word is no choice of ours.
                cluster.getSpec().image() != null
                        ? defaults.runtime()
                        : Objects.requireNonNullElse(recorded.runtime(), defaults.runtime()),
                Objects.requireNonNullElse(recorded.postgres(), defaults.postgres()),
                Objects.requireNonNullElse(recorded.redis(), defaults.redis()),
                Objects.requireNonNullElse(recorded.gateway(), defaults.gateway()),
                defaults.k6());
        return new ImageChoice(images, defaults, recorded.restart());
    }

    private static @Nullable String asked(IdpCluster cluster) {
        var annotations = cluster.getMetadata().getAnnotations();
        return annotations == null ? null : annotations.get(Blueprint.RESTART);
    }

    private static @Nullable String image(Optional<PodTemplateSpec> template) {
        return template.map(pod -> pod.getSpec().getContainers().getFirst().getImage())
                .orElse(null);
    }

    /** The record of the choice, for the status. */
    IdpClusterStatus.Images record(IdpCluster cluster) {
        return new IdpClusterStatus.Images(
                cluster.getSpec().image() == null ? images.runtime() : null,
                images.postgres(),
                images.redis(),
                images.gateway(),
                restart);
    }

    /** Which newer images wait for somebody's word; empty when none does. */
    String pending() {
        var pending = new ArrayList<String>();
        add(pending, images.postgres(), defaults.postgres());
        add(pending, images.redis(), defaults.redis());
        add(pending, images.runtime(), defaults.runtime());
        add(pending, images.gateway(), defaults.gateway());
        return String.join(", ", pending);
    }

    private static void add(ArrayList<String> pending, String runs, String comes) {
        if (!runs.equals(comes)) {
            pending.add(comes + " instead of " + runs);
        }
    }
}
