package dev.sekisho.operator.idpcluster.resources;

import dev.sekisho.api.v1alpha1.IdpCluster;
import dev.sekisho.api.v1alpha1.IdpClusterSpec;
import dev.sekisho.operator.OperatorConfig;
import dev.sekisho.operator.kube.Labels;
import dev.sekisho.operator.kube.Labels.Component;
import dev.sekisho.operator.kube.Names;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An IdpCluster together with the operator's settings: all that its children are computed from, but for the contents of
 * Secrets.
 *
 * @param cluster what the user asked for
 * @param config what the operator was released with
 */
public record Blueprint(IdpCluster cluster, OperatorConfig config) {
    /** Annotation of the IdpCluster: a new value restarts the runtime and the gateway. */
    public static final String RESTART = "sekisho.dev/restart";
    /** Annotation of pods: a hash of the configuration that they read at their start. */
    public static final String CHECKSUM = "sekisho.dev/checksum";
    /** Label of pods of the migration Job, whose component no Service may select. */
    public static final String MIGRATE = "migrate";

    public String name() {
        return cluster.getMetadata().getName();
    }

    public String namespace() {
        return cluster.getMetadata().getNamespace();
    }

    public IdpClusterSpec spec() {
        return cluster.getSpec();
    }

    /** The runtime's image: the user's, or the operator's. */
    public String runtimeImage() {
        var image = spec().image();
        return image == null ? config.images().runtime() : image;
    }

    /**
     * The host that clients use.
     *
     * @throws UnusableSpecException when the URL has none
     */
    public String publicHost() {
        @Nullable String host;
        try {
            host = new URI(spec().publicUrl()).getHost();
        } catch (URISyntaxException e) {
            host = null;
        }
        if (host == null) {
            throw new UnusableSpecException("spec.publicUrl has no valid host");
        }
        return host;
    }

    /** The gateway's address inside Kubernetes. */
    public String gatewayUrl() {
        return "https://" + Names.gateway(name()) + "." + namespace() + ".svc";
    }

    /** The Secret with the gateway's certificate: the user's, or the operator's. */
    public String gatewayTlsSecret() {
        var tls = spec().gateway().tls();
        return tls == null ? Names.tls(name(), "gateway") : tls.secretName();
    }

    /** Metadata of a child that goes with the IdpCluster. */
    public ObjectMeta meta(String name, Component component) {
        return new ObjectMetaBuilder(keptMeta(name, component))
                .withOwnerReferences(owner())
                .build();
    }

    /** Metadata of a child that outlives the IdpCluster. */
    public ObjectMeta keptMeta(String name, Component component) {
        return new ObjectMetaBuilder()
                .withName(name)
                .withNamespace(namespace())
                .withLabels(Labels.of(name(), component, config.version()))
                .build();
    }

    /** Metadata of pods; their version is their image's, so that a new operator alone restarts nothing. */
    ObjectMeta podMeta(Component component, String image, String checksum) {
        return new ObjectMetaBuilder()
                .withLabels(Labels.of(name(), component, Labels.imageVersion(image)))
                .withAnnotations(Map.of(CHECKSUM, checksum))
                .build();
    }

    /** The same for pods that the user may restart. */
    ObjectMeta restartablePodMeta(Component component, String image, String checksum) {
        var annotations = new LinkedHashMap<String, String>();
        annotations.put(CHECKSUM, checksum);
        var given = cluster.getMetadata().getAnnotations();
        if (given != null && given.containsKey(RESTART)) {
            annotations.put(RESTART, given.get(RESTART));
        }
        return new ObjectMetaBuilder(podMeta(component, image, checksum))
                .withAnnotations(annotations)
                .build();
    }

    Map<String, String> selector(Component component) {
        return Labels.selector(name(), component);
    }

    /** Labels that select the pods of the migration Job. */
    Map<String, String> migrateSelector() {
        var labels = new LinkedHashMap<>(selector(Component.RUNTIME));
        labels.put(Labels.COMPONENT, MIGRATE);
        return labels;
    }

    private OwnerReference owner() {
        return new OwnerReferenceBuilder()
                .withApiVersion(cluster.getApiVersion())
                .withKind(cluster.getKind())
                .withName(name())
                .withUid(cluster.getMetadata().getUid())
                .withController(true)
                .withBlockOwnerDeletion(true)
                .build();
    }
}
