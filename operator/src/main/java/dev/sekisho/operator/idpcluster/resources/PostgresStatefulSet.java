package dev.sekisho.operator.idpcluster.resources;

import dev.sekisho.operator.kube.Labels;
import dev.sekisho.operator.kube.Labels.Component;
import dev.sekisho.operator.kube.Names;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import java.util.List;

/** PostgreSQL under Patroni. */
public final class PostgresStatefulSet {
    /** Label of members and of Patroni's ConfigMaps: which Patroni cluster they belong to. */
    public static final String SCOPE = "sekisho.dev/patroni-scope";

    private static final String DATA = "/var/lib/sekisho/postgres";

    private PostgresStatefulSet() {}

    /**
     * The StatefulSet.
     *
     * @param checksum of what members read at their start
     * @param claimVersion version label of the volume claims; must stay as it was, for templates of claims are immutable
     */
    public static StatefulSet desired(Blueprint plan, String checksum, String claimVersion) {
        var name = Names.postgres(plan.name());
        var postgres = plan.spec().postgres();
        return new StatefulSetBuilder()
                .withMetadata(plan.meta(name, Component.POSTGRES))
                .withNewSpec()
                .withReplicas(postgres.replicas())
                .withServiceName(name)
                // Patroni decides who goes first; replicas must be able to start while the primary is away.
                .withPodManagementPolicy("Parallel")
                .withNewSelector()
                .withMatchLabels(plan.selector(Component.POSTGRES))
                .endSelector()
                // Which member restarts when is decided by who leads: see MemberRestarts.
                .withNewUpdateStrategy()
                .withType("OnDelete")
                .endUpdateStrategy()
                .withRevisionHistoryLimit(3)
                .withPersistentVolumeClaimRetentionPolicy(Volumes.retention(plan))
                .withTemplate(template(plan, name, checksum))
                .withVolumeClaimTemplates(Volumes.claim(plan, Component.POSTGRES, postgres.storage(), claimVersion))
                .endSpec()
                .build();
    }

    private static PodTemplateSpec template(Blueprint plan, String name, String checksum) {
        var image = plan.config().images().postgres();
        var meta = plan.podMeta(Component.POSTGRES, image, checksum);
        meta.getLabels().put(SCOPE, name);
        return new PodTemplateSpecBuilder()
                .withMetadata(meta)
                .withNewSpec()
                .withServiceAccountName(name)
                .withAutomountServiceAccountToken(true)
                .withEnableServiceLinks(false)
                .withTerminationGracePeriodSeconds(60L)
                .withSecurityContext(Pods.podSecurity())
                .withTopologySpreadConstraints(Pods.spread(plan.selector(Component.POSTGRES)))
                .withContainers(container(plan, name, image))
                .withVolumes(
                        Pods.tmp(),
                        Pods.configMap("config", name),
                        Pods.secret("tls", Names.tls(plan.name(), "postgres")))
                .endSpec()
                .build();
    }

    private static Container container(Blueprint plan, String name, String image) {
        return new ContainerBuilder()
                .withName("postgres")
                .withImage(image)
                .withImagePullPolicy(plan.config().imagePullPolicy())
                .withCommand("/usr/local/bin/sekisho-postgres", "/etc/patroni/patroni.yml")
                .withEnv(environment(plan, name))
                .addNewPort()
                .withName("postgres")
                .withContainerPort(5432)
                .withProtocol("TCP")
                .endPort()
                .addNewPort()
                .withName("patroni")
                .withContainerPort(8008)
                .withProtocol("TCP")
                .endPort()
                .withStartupProbe(Pods.http("/liveness", "patroni", 2, 5, 150))
                .withReadinessProbe(Pods.http("/readiness", "patroni", 2, 2, 2))
                .withLivenessProbe(Pods.http("/liveness", "patroni", 10, 5, 6))
                .withResources(Pods.resources(
                        plan.spec().postgres().resources(), "100m", "256Mi", PatroniSettings.MEMORY_LIMIT))
                .withSecurityContext(Pods.containerSecurity())
                .withVolumeMounts(
                        Pods.mount("data", DATA, false),
                        Pods.tmpMount(),
                        Pods.mount("config", "/etc/patroni", true),
                        Pods.mount("tls", Pods.TLS_DIR, true))
                .build();
    }

    private static List<EnvVar> environment(Blueprint plan, String name) {
        var secret = Names.postgresCredentials(plan.name());
        var labels = Labels.selector(plan.name(), Component.POSTGRES);
        labels.put(Labels.MANAGED_BY, Labels.MANAGER);
        var ca = Pods.TLS_DIR + "/" + Names.CA_CRT;
        return List.of(
                Pods.field("PATRONI_NAME", "metadata.name"),
                Pods.env("PATRONI_SCOPE", name),
                Pods.field("PATRONI_KUBERNETES_NAMESPACE", "metadata.namespace"),
                Pods.field("PATRONI_KUBERNETES_POD_IP", "status.podIP"),
                Pods.env("PATRONI_KUBERNETES_USE_ENDPOINTS", "false"),
                // Also what Patroni finds its fellows by, so no label whose value may change.
                Pods.env("PATRONI_KUBERNETES_LABELS", yaml(labels)),
                Pods.env("PATRONI_KUBERNETES_SCOPE_LABEL", SCOPE),
                Pods.env("PATRONI_KUBERNETES_ROLE_LABEL", Services.ROLE),
                Pods.env("PATRONI_POSTGRESQL_CONNECT_ADDRESS", "$(PATRONI_KUBERNETES_POD_IP):5432"),
                Pods.env("PATRONI_RESTAPI_CONNECT_ADDRESS", "$(PATRONI_KUBERNETES_POD_IP):8008"),
                Pods.env("PATRONI_RESTAPI_USERNAME", "patroni"),
                Pods.secretEnv("PATRONI_RESTAPI_PASSWORD", secret, Credentials.RESTAPI),
                Pods.env("PATRONI_SUPERUSER_USERNAME", "postgres"),
                Pods.secretEnv("PATRONI_SUPERUSER_PASSWORD", secret, Credentials.SUPERUSER),
                Pods.env("PATRONI_SUPERUSER_SSLMODE", "verify-ca"),
                Pods.env("PATRONI_SUPERUSER_SSLROOTCERT", ca),
                Pods.env("PATRONI_REPLICATION_USERNAME", "replicator"),
                Pods.secretEnv("PATRONI_REPLICATION_PASSWORD", secret, Credentials.REPLICATION),
                Pods.env("PATRONI_REPLICATION_SSLMODE", "verify-ca"),
                Pods.env("PATRONI_REPLICATION_SSLROOTCERT", ca),
                Pods.env("PATRONI_REWIND_USERNAME", "rewinder"),
                Pods.secretEnv("PATRONI_REWIND_PASSWORD", secret, Credentials.REWIND),
                Pods.env("PATRONI_REWIND_SSLMODE", "verify-ca"),
                Pods.env("PATRONI_REWIND_SSLROOTCERT", ca));
    }

    private static String yaml(java.util.Map<String, String> labels) {
        var parts = labels.entrySet().stream().map(label -> label.getKey() + ": " + label.getValue());
        return "{" + String.join(", ", parts.toList()) + "}";
    }
}
