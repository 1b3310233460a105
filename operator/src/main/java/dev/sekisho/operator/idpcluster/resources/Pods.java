package dev.sekisho.operator.idpcluster.resources;

import dev.sekisho.api.v1alpha1.IdpClusterSpec.Resources;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.PodSecurityContextBuilder;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.ProbeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.SecurityContextBuilder;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import io.fabric8.kubernetes.api.model.VolumeProjection;
import io.fabric8.kubernetes.api.model.VolumeProjectionBuilder;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What all pods have in common: no root, no privileges, a read-only root file system. */
final class Pods {
    static final long USER = 10_001L;
    /** Owner and group may read (0440): PostgreSQL refuses a key that others can read. */
    static final int SECRET_MODE = 0440;

    static final String TLS_DIR = "/etc/sekisho/tls";
    static final String CA_DIR = "/etc/sekisho/ca";
    static final String SECRETS_DIR = "/etc/sekisho/secrets";

    private Pods() {}

    static PodSecurityContext podSecurity() {
        return new PodSecurityContextBuilder()
                .withRunAsNonRoot(true)
                .withRunAsUser(USER)
                .withRunAsGroup(USER)
                .withFsGroup(USER)
                .withFsGroupChangePolicy("OnRootMismatch")
                .withNewSeccompProfile()
                .withType("RuntimeDefault")
                .endSeccompProfile()
                .build();
    }

    static SecurityContext containerSecurity() {
        return new SecurityContextBuilder()
                .withAllowPrivilegeEscalation(false)
                .withReadOnlyRootFilesystem(true)
                .withPrivileged(false)
                .withNewCapabilities()
                .withDrop("ALL")
                .endCapabilities()
                .build();
    }

    /** The user's requests and limits over the defaults. */
    static ResourceRequirements resources(Resources given, String cpu, String memory, String memoryLimit) {
        var requests = new TreeMap<String, Quantity>();
        requests.put("cpu", new Quantity(cpu));
        requests.put("memory", new Quantity(memory));
        var limits = new TreeMap<String, Quantity>();
        limits.put("memory", new Quantity(memoryLimit));
        requests.putAll(given.requests());
        limits.putAll(given.limits());
        // A limit below the default request would be refused.
        limits.forEach((resource, limit) ->
                requests.computeIfPresent(resource, (name, request) -> exceeds(request, limit) ? limit : request));
        return new ResourceRequirementsBuilder()
                .withRequests(requests)
                .withLimits(limits)
                .build();
    }

    private static boolean exceeds(Quantity request, Quantity limit) {
        var asked = amount(request);
        var allowed = amount(limit);
        return asked.isPresent() && allowed.isPresent() && asked.get().compareTo(allowed.get()) > 0;
    }

    /** How much a quantity is; empty when it is none. The API server refuses it then, and says so better. */
    static Optional<BigDecimal> amount(Quantity quantity) {
        try {
            return Optional.of(quantity.getNumericalAmount());
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    static Volume tmp() {
        return new VolumeBuilder()
                .withName("tmp")
                .withNewEmptyDir()
                .endEmptyDir()
                .build();
    }

    static VolumeMount tmpMount() {
        return mount("tmp", "/tmp", false);
    }

    static Volume secret(String volume, String secret) {
        return new VolumeBuilder()
                .withName(volume)
                .withNewSecret()
                .withSecretName(secret)
                .withDefaultMode(SECRET_MODE)
                .endSecret()
                .build();
    }

    static Volume configMap(String volume, String configMap) {
        return new VolumeBuilder()
                .withName(volume)
                .withNewConfigMap()
                .withName(configMap)
                .withDefaultMode(SECRET_MODE)
                .endConfigMap()
                .build();
    }

    /** Files of several Secrets under one folder. */
    static Volume secrets(String volume, VolumeProjection... parts) {
        return new VolumeBuilder()
                .withName(volume)
                .withNewProjected()
                .withDefaultMode(SECRET_MODE)
                .withSources(parts)
                .endProjected()
                .build();
    }

    /** One key of a Secret as a file. */
    static VolumeProjection file(String secret, String key, String path) {
        return new VolumeProjectionBuilder()
                .withNewSecret()
                .withName(secret)
                .withItems(new KeyToPath(key, null, path))
                .endSecret()
                .build();
    }

    static VolumeMount mount(String volume, String path, boolean readOnly) {
        return new VolumeMountBuilder()
                .withName(volume)
                .withMountPath(path)
                // Absent means false; written out it would look like a difference.
                .withReadOnly(readOnly ? Boolean.TRUE : null)
                .build();
    }

    static EnvVar env(String name, String value) {
        return new EnvVarBuilder().withName(name).withValue(value).build();
    }

    static EnvVar field(String name, String path) {
        return new EnvVarBuilder()
                .withName(name)
                .withNewValueFrom()
                // With the version that the API server would add, else it would look changed for ever.
                .withNewFieldRef("v1", path)
                .endValueFrom()
                .build();
    }

    static EnvVar secretEnv(String name, String secret, String key) {
        return new EnvVarBuilder()
                .withName(name)
                .withNewValueFrom()
                .withNewSecretKeyRef()
                .withName(secret)
                .withKey(key)
                .endSecretKeyRef()
                .endValueFrom()
                .build();
    }

    static Probe http(String path, String port, int period, int timeout, int failures) {
        return new ProbeBuilder()
                .withNewHttpGet()
                .withPath(path)
                .withNewPort(port)
                .endHttpGet()
                .withPeriodSeconds(period)
                .withTimeoutSeconds(timeout)
                .withFailureThreshold(failures)
                .build();
    }

    static Probe exec(int period, int timeout, int failures, String... command) {
        return new ProbeBuilder()
                .withNewExec()
                .withCommand(command)
                .endExec()
                .withPeriodSeconds(period)
                .withTimeoutSeconds(timeout)
                .withFailureThreshold(failures)
                .build();
    }

    /** The preferred spread of copies over nodes. */
    static io.fabric8.kubernetes.api.model.TopologySpreadConstraint spread(Map<String, String> selector) {
        return new io.fabric8.kubernetes.api.model.TopologySpreadConstraintBuilder()
                .withMaxSkew(1)
                .withTopologyKey("kubernetes.io/hostname")
                .withWhenUnsatisfiable("ScheduleAnyway")
                .withNewLabelSelector()
                .withMatchLabels(selector)
                .endLabelSelector()
                .build();
    }
}
