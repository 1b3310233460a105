package dev.sekisho.operator.idpcluster.resources;

import dev.sekisho.operator.kube.Labels.Component;
import dev.sekisho.operator.kube.Names;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import java.math.BigDecimal;
import java.util.Map;

/** One Redis with an append-only file: at most the last second is lost. TLS only. */
public final class RedisResources {
    private static final String DATA = "/var/lib/sekisho/redis";
    private static final String AUTH_DIR = "/etc/sekisho/redis-auth";

    /** 64 TiB. */
    private static final BigDecimal MOST_MEMORY = BigDecimal.valueOf(1L << 46);

    private RedisResources() {}

    /** The ConfigMap, with the key {@code redis.conf}. The password comes from the Secret, by an include. */
    public static ConfigMap configMap(Blueprint plan) {
        var conf = """
                bind * -::*
                port 0
                tls-port 6379
                tls-cert-file %1$s/tls.crt
                tls-key-file %1$s/tls.key
                tls-ca-cert-file %1$s/ca.crt
                tls-auth-clients no
                tls-protocols "TLSv1.2 TLSv1.3"
                protected-mode yes
                include %2$s/%3$s
                dir %4$s
                appendonly yes
                appendfsync everysec
                save ""
                maxmemory %5$d
                maxmemory-policy noeviction
                tcp-keepalive 60
                timeout 0
                daemonize no
                logfile ""
                """.formatted(Pods.TLS_DIR, AUTH_DIR, Credentials.REDIS_CONF, DATA, maxMemory(plan));
        return new ConfigMapBuilder()
                .withMetadata(plan.meta(Names.redis(plan.name()), Component.REDIS))
                .withData(Map.of("redis.conf", conf))
                .build();
    }

    /**
     * The StatefulSet.
     *
     * @param checksum of what Redis reads at its start
     * @param claimVersion version label of the volume claim, see {@link PostgresStatefulSet#desired}
     */
    public static StatefulSet statefulSet(Blueprint plan, String checksum, String claimVersion) {
        var name = Names.redis(plan.name());
        var image = plan.config().images().redis();
        var storage = plan.spec().redis().storage();
        return new StatefulSetBuilder()
                .withMetadata(plan.meta(name, Component.REDIS))
                .withNewSpec()
                .withReplicas(1)
                .withServiceName(name)
                .withPodManagementPolicy("OrderedReady")
                .withNewSelector()
                .withMatchLabels(plan.selector(Component.REDIS))
                .endSelector()
                .withNewUpdateStrategy()
                .withType("RollingUpdate")
                .endUpdateStrategy()
                .withRevisionHistoryLimit(3)
                .withPersistentVolumeClaimRetentionPolicy(Volumes.retention(plan))
                .withNewTemplate()
                .withMetadata(plan.podMeta(Component.REDIS, image, checksum))
                .withNewSpec()
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                .withTerminationGracePeriodSeconds(30L)
                .withSecurityContext(Pods.podSecurity())
                .withContainers(container(plan, image))
                .withVolumes(
                        Pods.tmp(),
                        Pods.configMap("config", name),
                        Pods.secret("tls", Names.tls(plan.name(), "redis")),
                        Pods.secrets(
                                "auth",
                                Pods.file(
                                        Names.redisCredentials(plan.name()),
                                        Credentials.REDIS_CONF,
                                        Credentials.REDIS_CONF),
                                Pods.file(
                                        Names.redisCredentials(plan.name()),
                                        Credentials.PASSWORD,
                                        Credentials.PASSWORD)))
                .endSpec()
                .endTemplate()
                .withVolumeClaimTemplates(Volumes.claim(plan, Component.REDIS, storage, claimVersion))
                .endSpec()
                .build();
    }

    private static Container container(Blueprint plan, String image) {
        long mib = maxMemory(plan) >> 20;
        // A rewrite of the append-only file may copy all pages that change meanwhile.
        var limit = (mib * 2 + 64) + "Mi";
        return new ContainerBuilder()
                .withName("redis")
                .withImage(image)
                .withImagePullPolicy(plan.config().imagePullPolicy())
                .withCommand("redis-server", "/etc/redis/redis.conf")
                .addNewPort()
                .withName("redis")
                .withContainerPort(6379)
                .withProtocol("TCP")
                .endPort()
                .withStartupProbe(ping(2, 150))
                .withReadinessProbe(ping(5, 2))
                .withLivenessProbe(ping(10, 6))
                .withResources(Pods.resources(plan.spec().redis().resources(), "50m", "64Mi", limit))
                .withSecurityContext(Pods.containerSecurity())
                .withVolumeMounts(
                        Pods.mount("data", DATA, false),
                        Pods.tmpMount(),
                        Pods.mount("config", "/etc/redis", true),
                        Pods.mount("tls", Pods.TLS_DIR, true),
                        Pods.mount("auth", AUTH_DIR, true))
                .build();
    }

    /** Succeeds once Redis has loaded its data and answers. */
    private static Probe ping(int period, int failures) {
        return Pods.exec(
                period,
                5,
                failures,
                "sh",
                "-c",
                "REDISCLI_AUTH=\"$(cat " + AUTH_DIR + "/" + Credentials.PASSWORD + ")\" redis-cli --tls --cacert "
                        + Pods.TLS_DIR + "/ca.crt ping 2>/dev/null | grep -q PONG");
    }

    private static long maxMemory(Blueprint plan) {
        var amount = new Quantity(plan.spec().redis().maxMemory()).getNumericalAmount();
        if (amount.compareTo(MOST_MEMORY) > 0) {
            throw new UnusableSpecException("spec.redis.maxMemory is more than any machine has");
        }
        return amount.longValueExact();
    }
}
