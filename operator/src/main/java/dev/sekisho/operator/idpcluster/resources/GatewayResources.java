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
import java.util.Map;

/** nginx before the runtime. */
public final class GatewayResources {
    private static final String CONFIG_DIR = "/etc/sekisho";

    private GatewayResources() {}

    /** The ConfigMap, with the key {@code nginx.conf}. */
    public static ConfigMap configMap(Blueprint plan) {
        return new ConfigMapBuilder()
                .withMetadata(plan.meta(Names.gateway(plan.name()), Component.GATEWAY))
                .withData(Map.of(
                        "nginx.conf",
                        NginxConfig.text(
                                Names.runtime(plan.name()),
                                plan.spec().gateway().keepalive())))
                .build();
    }

    /**
     * The Deployment.
     *
     * @param checksum of what nginx reads at its start
     */
    public static Deployment deployment(Blueprint plan, String checksum) {
        var name = Names.gateway(plan.name());
        var image = plan.config().images().gateway();
        return new DeploymentBuilder()
                .withMetadata(plan.meta(name, Component.GATEWAY))
                .withNewSpec()
                .withReplicas(plan.spec().gateway().replicas())
                .withRevisionHistoryLimit(3)
                .withProgressDeadlineSeconds(300)
                .withNewSelector()
                .withMatchLabels(plan.selector(Component.GATEWAY))
                .endSelector()
                .withNewStrategy()
                .withType("RollingUpdate")
                .withNewRollingUpdate()
                .withMaxSurge(new IntOrString(1))
                .withMaxUnavailable(new IntOrString(0))
                .endRollingUpdate()
                .endStrategy()
                .withNewTemplate()
                .withMetadata(plan.restartablePodMeta(Component.GATEWAY, image, checksum))
                .withNewSpec()
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                .withTerminationGracePeriodSeconds(45L)
                .withSecurityContext(Pods.podSecurity())
                .withTopologySpreadConstraints(Pods.spread(plan.selector(Component.GATEWAY)))
                .withContainers(container(plan, image))
                .withVolumes(Pods.tmp(), Pods.configMap("config", name), Pods.secret("tls", plan.gatewayTlsSecret()))
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    private static Container container(Blueprint plan, String image) {
        return new ContainerBuilder()
                .withName("gateway")
                .withImage(image)
                .withImagePullPolicy(plan.config().imagePullPolicy())
                .withCommand("sh", "-c", START)
                .addNewPort()
                .withName("https")
                .withContainerPort(8443)
                .withProtocol("TCP")
                .endPort()
                .addNewPort()
                .withName("health")
                .withContainerPort(8081)
                .withProtocol("TCP")
                .endPort()
                .withNewLifecycle()
                .withNewPreStop()
                .withNewExec()
                .withCommand("sh", "-c", STOP)
                .endExec()
                .endPreStop()
                .endLifecycle()
                .withStartupProbe(Pods.http("/healthz", "health", 1, 2, 60))
                .withReadinessProbe(Pods.http("/healthz", "health", 2, 2, 2))
                .withLivenessProbe(Pods.http("/healthz", "health", 10, 3, 3))
                .withResources(Pods.resources(plan.spec().gateway().resources(), "50m", "32Mi", "256Mi"))
                .withSecurityContext(Pods.containerSecurity())
                .withVolumeMounts(
                        Pods.tmpMount(),
                        Pods.mount("config", CONFIG_DIR + "/gateway", true),
                        Pods.mount("tls", Pods.TLS_DIR, true))
                .build();
    }

    /** -e: else nginx first opens a log file on the read-only root. */
    private static final String NGINX = "nginx -e stderr -c " + CONFIG_DIR + "/gateway/nginx.conf";

    /** A container that a failed liveness probe has stopped starts again with the same files. */
    private static final String START = "rm -f " + NginxConfig.DRAINING + " && exec " + NGINX + " -g 'daemon off;'";

    /**
     * First the endpoints learn that this one goes, and clients by the answers to what they ask meanwhile; then requests in
     * flight end, for 25 seconds at most.
     */
    private static final String STOP = "touch " + NginxConfig.DRAINING + "; sleep 5; " + NGINX + " -s quit;"
            + " i=0; while [ -e /tmp/nginx.pid ] && [ $i -lt 125 ]; do sleep 0.2; i=$((i+1)); done";
}
