package dev.sekisho.operator.idpcluster.resources;

import dev.sekisho.operator.kube.Names;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The names that certificates are good for. */
public final class SubjectNames {
    private static final List<String> LOOPBACK = List.of("localhost", "127.0.0.1");

    private SubjectNames() {}

    /** Of the gateway: its Service, the host of the public URL, and loopback for port forwarding. */
    public static Set<String> gateway(Blueprint plan) {
        var names = service(plan, Names.gateway(plan.name()));
        names.add(plan.publicHost());
        names.addAll(LOOPBACK);
        return names;
    }

    /** Of the runtime's management listener: its Services, and loopback for port forwarding. */
    public static Set<String> runtime(Blueprint plan) {
        var names = service(plan, Names.runtimeManagement(plan.name()));
        names.addAll(service(plan, Names.runtime(plan.name())));
        names.addAll(LOOPBACK);
        return names;
    }

    /** Of PostgreSQL: its Services and its members. */
    public static Set<String> postgres(Blueprint plan) {
        var names = service(plan, Names.postgresReadWrite(plan.name()));
        names.addAll(service(plan, Names.postgresReadOnly(plan.name())));
        names.addAll(service(plan, Names.postgres(plan.name())));
        names.add("*." + Names.postgres(plan.name()) + "." + plan.namespace() + ".svc");
        names.add("*." + Names.postgres(plan.name()) + "." + plan.namespace() + ".svc.cluster.local");
        names.addAll(LOOPBACK);
        return names;
    }

    /** Of Redis: its Service. */
    public static Set<String> redis(Blueprint plan) {
        var names = service(plan, Names.redis(plan.name()));
        names.addAll(LOOPBACK);
        return names;
    }

    private static Set<String> service(Blueprint plan, String name) {
        var names = new LinkedHashSet<String>();
        names.add(name);
        names.add(name + "." + plan.namespace());
        names.add(name + "." + plan.namespace() + ".svc");
        names.add(name + "." + plan.namespace() + ".svc.cluster.local");
        return names;
    }
}
