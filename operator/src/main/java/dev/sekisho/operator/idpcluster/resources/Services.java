package dev.sekisho.operator.idpcluster.resources;

import dev.sekisho.api.v1alpha1.IdpClusterSpec;
import dev.sekisho.operator.kube.Labels.Component;
import dev.sekisho.operator.kube.Names;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.ServicePortBuilder;
import java.util.LinkedHashMap;
import java.util.List;

/** The Services. */
public final class Services {
    /** The label by which Patroni marks what a member is. */
    public static final String ROLE = "role";
    /** The value of {@link #ROLE} of the member that takes writes. */
    public static final String PRIMARY = "primary";

    private static final String REPLICA = "replica";

    private Services() {}

    /** All of them. */
    public static List<Service> desired(Blueprint plan) {
        return List.of(
                postgresMembers(plan),
                postgres(plan, Names.postgresReadWrite(plan.name()), PRIMARY),
                postgres(plan, Names.postgresReadOnly(plan.name()), REPLICA),
                redis(plan),
                runtime(plan),
                management(plan),
                gateway(plan));
    }

    /** Gives members names; also those that are not ready, for they must find each other first. */
    static Service postgresMembers(Blueprint plan) {
        return new ServiceBuilder()
                .withMetadata(plan.meta(Names.postgres(plan.name()), Component.POSTGRES))
                .withNewSpec()
                .withClusterIP("None")
                .withPublishNotReadyAddresses(true)
                .withSelector(plan.selector(Component.POSTGRES))
                .withPorts(port("postgres", 5432, "postgres"), port("patroni", 8008, "patroni"))
                .endSpec()
                .build();
    }

    static Service postgres(Blueprint plan, String name, String role) {
        var selector = new LinkedHashMap<>(plan.selector(Component.POSTGRES));
        selector.put(ROLE, role);
        return new ServiceBuilder()
                .withMetadata(plan.meta(name, Component.POSTGRES))
                .withNewSpec()
                .withType("ClusterIP")
                .withSelector(selector)
                .withPorts(port("postgres", 5432, "postgres"))
                .endSpec()
                .build();
    }

    static Service redis(Blueprint plan) {
        return inside(plan, Names.redis(plan.name()), Component.REDIS, port("redis", 6379, "redis"));
    }

    static Service runtime(Blueprint plan) {
        return inside(plan, Names.runtime(plan.name()), Component.RUNTIME, port("http", 8080, "http"));
    }

    static Service management(Blueprint plan) {
        return exposed(
                plan,
                Names.runtimeManagement(plan.name()),
                Component.RUNTIME,
                port("management", 8443, "management"),
                plan.spec().management().service());
    }

    static Service gateway(Blueprint plan) {
        return exposed(
                plan,
                Names.gateway(plan.name()),
                Component.GATEWAY,
                port("https", 443, "https"),
                plan.spec().gateway().service());
    }

    private static Service inside(Blueprint plan, String name, Component component, ServicePort port) {
        return new ServiceBuilder()
                .withMetadata(plan.meta(name, component))
                .withNewSpec()
                .withType("ClusterIP")
                .withSelector(plan.selector(component))
                .withPorts(port)
                .endSpec()
                .build();
    }

    private static Service exposed(
            Blueprint plan, String name, Component component, ServicePort port, IdpClusterSpec.Service given) {
        boolean inside = given.type() == IdpClusterSpec.Service.Type.ClusterIP;
        port.setNodePort(inside ? null : given.nodePort());
        var service = inside(plan, name, component, port);
        service.getSpec().setType(given.type().name());
        return service;
    }

    private static ServicePort port(String name, int port, String target) {
        return new ServicePortBuilder()
                .withName(name)
                .withPort(port)
                .withProtocol("TCP")
                .withTargetPort(new IntOrString(target))
                .build();
    }
}
