package dev.sekisho.operator.idpcluster.resources;

import dev.sekisho.operator.kube.Labels.Component;
import dev.sekisho.operator.kube.Names;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.Map;

/** The certificates to trust, for everybody. */
public final class CaBundle {
    private CaBundle() {}

    /**
     * The ConfigMap, with the key {@link Names#CA_CRT}.
     *
     * @param certificates of the authority and of those before it, as PEM
     */
    public static ConfigMap desired(Blueprint plan, String certificates) {
        return new ConfigMapBuilder()
                .withMetadata(plan.meta(Names.caBundle(plan.name()), Component.GATEWAY))
                .withData(Map.of(Names.CA_CRT, certificates))
                .build();
    }
}
