package dev.sekisho.operator.idpcluster.resources;

import dev.sekisho.operator.kube.Labels.Component;
import dev.sekisho.operator.kube.Names;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The identity provider's runtime. */
public final class RuntimeResources {
    /** Annotation of the ConfigMap: the migration that the database has been through, by {@link MigrateJob#hash}. */
    public static final String MIGRATED = "sekisho.dev/migrated";

    private RuntimeResources() {}

    /** The ConfigMap: the environment of the runtime, but for what is secret. */
    public static ConfigMap configMap(Blueprint plan, String migrated) {
        var meta = plan.meta(Names.runtime(plan.name()), Component.RUNTIME);
        if (!migrated.isEmpty()) {
            meta.setAnnotations(Map.of(MIGRATED, migrated));
        }
        return new ConfigMapBuilder()
                .withMetadata(meta)
                .withData(environment(plan))
                .build();
    }

    private static Map<String, String> environment(Blueprint plan) {
        var env = new LinkedHashMap<String, String>();
        env.put("SEKISHO_PUBLIC_URL", plan.spec().publicUrl());
        env.put("SEKISHO_PUBLIC_PORT", "8080");
        env.put("SEKISHO_MANAGEMENT_PORT", "8443");
        env.put("SEKISHO_METRICS_PORT", "9090");
        env.put("SEKISHO_MANAGEMENT_TOKEN_FILE", secret("management-token"));
        env.put("SEKISHO_MANAGEMENT_TLS_CERT_FILE", Pods.TLS_DIR + "/tls.crt");
        env.put("SEKISHO_MANAGEMENT_TLS_KEY_FILE", Pods.TLS_DIR + "/tls.key");
        env.put("SEKISHO_KEY_ENCRYPTION_KEY_FILE", secret("kek"));
        env.put("SEKISHO_DATABASE_URL", databaseUrl(plan, "sekisho"));
        env.put("SEKISHO_DATABASE_USERNAME", "sekisho_runtime");
        env.put("SEKISHO_DATABASE_PASSWORD_FILE", secret("database-password"));
        env.put(
                "SEKISHO_DATABASE_POOL_SIZE",
                plan.spec().runtime().databasePool().maximumPoolSize().toString());
        env.put("SEKISHO_REDIS_URL", "rediss://" + Names.redis(plan.name()) + ":6379");
        env.put("SEKISHO_REDIS_PASSWORD_FILE", secret("redis-password"));
        env.put("SEKISHO_REDIS_CA_FILE", Pods.CA_DIR + "/" + Names.CA_CRT);
        env.put("SEKISHO_DRAIN_DELAY", "5s");
        env.put("SEKISHO_DRAIN_TIMEOUT", "20s");
        var jvm = plan.spec().runtime().jvmOptions();
        if (!jvm.isEmpty()) {
            env.put(
                    "JDK_JAVA_OPTIONS",
                    jvm.stream().map(RuntimeResources::quoted).collect(Collectors.joining(" ")));
        }
        return env;
    }

    static String databaseUrl(Blueprint plan, String database) {
        return "jdbc:postgresql://" + Names.postgresReadWrite(plan.name()) + ":5432/" + database
                + "?sslmode=verify-full&sslrootcert=" + Pods.CA_DIR + "/" + Names.CA_CRT;
    }

    private static String secret(String file) {
        return Pods.SECRETS_DIR + "/" + file;
    }

    /** As the launcher reads it: white space only within quotes. */
    private static String quoted(String option) {
        return option.chars().anyMatch(Character::isWhitespace) ? '"' + option + '"' : option;
    }

    /**
     * The Deployment. While it rolls one copy is added before another is taken away.
     *
     * @param image what to run; not the wanted one as long as the database is not ready for it
     * @param checksum of what the runtime reads at its start
     * @param replicas how many may run; not the wanted number when the database has no connections for so many
     */
    public static Deployment deployment(Blueprint plan, String image, String checksum, int replicas) {
        var name = Names.runtime(plan.name());
        return new DeploymentBuilder()
                .withMetadata(plan.meta(name, Component.RUNTIME))
                .withNewSpec()
                .withReplicas(replicas)
                .withRevisionHistoryLimit(3)
                .withProgressDeadlineSeconds(300)
                .withNewSelector()
                .withMatchLabels(plan.selector(Component.RUNTIME))
                .endSelector()
                .withNewStrategy()
                .withType("RollingUpdate")
                .withNewRollingUpdate()
                .withMaxSurge(new IntOrString(1))
                .withMaxUnavailable(new IntOrString(0))
                .endRollingUpdate()
                .endStrategy()
                .withNewTemplate()
                .withMetadata(plan.restartablePodMeta(Component.RUNTIME, image, checksum))
                .withNewSpec()
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                .withTerminationGracePeriodSeconds(45L)
                .withSecurityContext(Pods.podSecurity())
                .withTopologySpreadConstraints(Pods.spread(plan.selector(Component.RUNTIME)))
                .withContainers(container(plan, name, image))
                .withVolumes(
                        Pods.tmp(),
                        Pods.configMap("ca", Names.caBundle(plan.name())),
                        Pods.secret("tls", Names.tls(plan.name(), "runtime")),
                        Pods.secrets(
                                "secrets",
                                Pods.file(Names.management(plan.name()), Credentials.TOKEN, "management-token"),
                                Pods.file(Names.keyEncryption(plan.name()), Credentials.KEK, "kek"),
                                Pods.file(
                                        Names.postgresCredentials(plan.name()),
                                        Credentials.RUNTIME,
                                        "database-password"),
                                Pods.file(Names.redisCredentials(plan.name()), Credentials.PASSWORD, "redis-password")))
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    private static Container container(Blueprint plan, String configMap, String image) {
        return new ContainerBuilder()
                .withName("runtime")
                .withImage(image)
                .withImagePullPolicy(plan.config().imagePullPolicy())
                .withArgs("serve")
                .addNewEnvFrom()
                .withNewConfigMapRef()
                .withName(configMap)
                .endConfigMapRef()
                .endEnvFrom()
                .addNewPort()
                .withName("http")
                .withContainerPort(8080)
                .withProtocol("TCP")
                .endPort()
                .addNewPort()
                .withName("management")
                .withContainerPort(8443)
                .withProtocol("TCP")
                .endPort()
                .addNewPort()
                .withName("metrics")
                .withContainerPort(9090)
                .withProtocol("TCP")
                .endPort()
                .withStartupProbe(Pods.http("/health/startup", "metrics", 1, 3, 120))
                .withReadinessProbe(Pods.http("/health/ready", "metrics", 2, 3, 2))
                .withLivenessProbe(Pods.http("/health/live", "metrics", 10, 5, 3))
                .withResources(Pods.resources(plan.spec().runtime().resources(), "100m", "256Mi", "512Mi"))
                .withSecurityContext(Pods.containerSecurity())
                .withVolumeMounts(
                        Pods.tmpMount(),
                        Pods.mount("ca", Pods.CA_DIR, true),
                        Pods.mount("tls", Pods.TLS_DIR, true),
                        Pods.mount("secrets", Pods.SECRETS_DIR, true))
                .build();
    }
}
