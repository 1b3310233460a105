package dev.sekisho.operator.idpcluster.resources;

import dev.sekisho.api.v1alpha1.IdpClusterSpec;
import dev.sekisho.operator.kube.Labels;
import dev.sekisho.operator.kube.Labels.Component;
import dev.sekisho.operator.kube.Names;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyEgressRule;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyEgressRuleBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyIngressRule;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyIngressRuleBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeerBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPort;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPortBuilder;
import java.util.List;
import java.util.Map;

/**
 * Who may talk to whom. Into each part only what needs it; out of Redis nothing, out of the gateway only names and the
 * runtime. PostgreSQL and the runtime may go out: to the API server, and to what tenants configure.
 */
public final class NetworkPolicies {
    private NetworkPolicies() {}

    /** All of them. */
    public static List<NetworkPolicy> desired(Blueprint plan) {
        var runtime = pods(plan.selector(Component.RUNTIME));
        var migrate = pods(plan.migrateSelector());
        var postgres = pods(plan.selector(Component.POSTGRES));
        var gateway = pods(plan.selector(Component.GATEWAY));
        var operator = operator(plan);
        return List.of(
                policy(
                        plan,
                        Names.postgres(plan.name()),
                        Component.POSTGRES,
                        plan.selector(Component.POSTGRES),
                        List.of(from(5432, runtime, migrate, postgres), from(8008, postgres, operator))),
                withEgress(policy(
                        plan,
                        Names.redis(plan.name()),
                        Component.REDIS,
                        plan.selector(Component.REDIS),
                        List.of(from(6379, runtime)))),
                policy(
                        plan,
                        Names.runtime(plan.name()),
                        Component.RUNTIME,
                        plan.selector(Component.RUNTIME),
                        List.of(from(8080, gateway), management(plan, operator), fromAnywhere(9090))),
                policy(plan, plan.name() + "-migrate", Component.RUNTIME, plan.migrateSelector(), List.of()),
                withEgress(
                        policy(
                                plan,
                                Names.gateway(plan.name()),
                                Component.GATEWAY,
                                plan.selector(Component.GATEWAY),
                                List.of(fromAnywhere(8443))),
                        new NetworkPolicyEgressRuleBuilder()
                                .withPorts(port(53, "UDP"), port(53, "TCP"))
                                .build(),
                        new NetworkPolicyEgressRuleBuilder()
                                .withPorts(port(8080, "TCP"))
                                .withTo(runtime)
                                .build()));
    }

    /** Closed but for the operator, unless the user opened it to the outside. */
    private static NetworkPolicyIngressRule management(Blueprint plan, NetworkPolicyPeer operator) {
        return plan.spec().management().service().type() == IdpClusterSpec.Service.Type.ClusterIP
                ? from(8443, operator)
                : fromAnywhere(8443);
    }

    private static NetworkPolicy policy(
            Blueprint plan,
            String name,
            Component component,
            Map<String, String> selector,
            List<NetworkPolicyIngressRule> rules) {
        return new NetworkPolicyBuilder()
                .withMetadata(plan.meta(name, component))
                .withNewSpec()
                .withNewPodSelector()
                .withMatchLabels(selector)
                .endPodSelector()
                .withPolicyTypes("Ingress")
                .withIngress(rules)
                .endSpec()
                .build();
    }

    private static NetworkPolicy withEgress(NetworkPolicy policy, NetworkPolicyEgressRule... rules) {
        policy.getSpec().setPolicyTypes(List.of("Ingress", "Egress"));
        policy.getSpec().setEgress(List.of(rules));
        return policy;
    }

    private static NetworkPolicyIngressRule from(int port, NetworkPolicyPeer... peers) {
        return new NetworkPolicyIngressRuleBuilder()
                .withPorts(port(port, "TCP"))
                .withFrom(peers)
                .build();
    }

    private static NetworkPolicyIngressRule fromAnywhere(int port) {
        return new NetworkPolicyIngressRuleBuilder()
                .withPorts(port(port, "TCP"))
                .build();
    }

    private static NetworkPolicyPort port(int port, String protocol) {
        return new NetworkPolicyPortBuilder()
                .withPort(new IntOrString(port))
                .withProtocol(protocol)
                .build();
    }

    private static NetworkPolicyPeer pods(Map<String, String> selector) {
        return new NetworkPolicyPeerBuilder()
                .withNewPodSelector()
                .withMatchLabels(selector)
                .endPodSelector()
                .build();
    }

    private static NetworkPolicyPeer operator(Blueprint plan) {
        return new NetworkPolicyPeerBuilder()
                .withNewNamespaceSelector()
                .addToMatchLabels("kubernetes.io/metadata.name", plan.config().namespace())
                .endNamespaceSelector()
                .withNewPodSelector()
                .addToMatchLabels(Labels.NAME, Labels.APP)
                .addToMatchLabels(Labels.COMPONENT, Component.OPERATOR.value())
                .endPodSelector()
                .build();
    }
}
