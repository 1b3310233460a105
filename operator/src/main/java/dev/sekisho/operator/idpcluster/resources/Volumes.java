package dev.sekisho.operator.idpcluster.resources;

import dev.sekisho.api.v1alpha1.IdpClusterSpec.Storage;
import dev.sekisho.operator.kube.Labels;
import dev.sekisho.operator.kube.Labels.Component;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.StatefulSetPersistentVolumeClaimRetentionPolicy;
import io.fabric8.kubernetes.api.model.apps.StatefulSetPersistentVolumeClaimRetentionPolicyBuilder;
import java.util.regex.Pattern;

/** Volumes of stateful parts. */
final class Volumes {
    private static final Pattern BINARY = Pattern.compile("([0-9]+)(Ki|Mi|Gi|Ti|Pi)");
    private static final String[] UNITS = {"Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};

    private Volumes() {}

    static StatefulSetPersistentVolumeClaimRetentionPolicy retention(Blueprint plan) {
        return new StatefulSetPersistentVolumeClaimRetentionPolicyBuilder()
                .withWhenDeleted(plan.spec().deletionPolicy().name())
                .withWhenScaled("Retain")
                .build();
    }

    static PersistentVolumeClaim claim(Blueprint plan, Component component, Storage storage, String version) {
        return new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withName("data")
                .withLabels(Labels.of(plan.name(), component, version))
                .endMetadata()
                .withNewSpec()
                .withAccessModes("ReadWriteOnce")
                .withStorageClassName(storage.storageClassName())
                .withNewResources()
                .addToRequests("storage", canonical(storage.size()))
                .endResources()
                .endSpec()
                .build();
    }

    /** As the API server writes it ({@code 1Gi}, not {@code 1024Mi}), else it would look changed for ever. */
    static Quantity canonical(String size) {
        var parts = BINARY.matcher(size);
        if (!parts.matches()) {
            throw new IllegalArgumentException("not a size such as 1Gi");
        }
        var amount = new java.math.BigInteger(parts.group(1));
        int unit = java.util.Arrays.asList(UNITS).indexOf(parts.group(2));
        var step = java.math.BigInteger.valueOf(1024);
        while (amount.signum() > 0
                && unit < UNITS.length - 1
                && amount.mod(step).signum() == 0) {
            amount = amount.divide(step);
            unit++;
        }
        return new Quantity(amount + UNITS[unit]);
    }
}
