package dev.sekisho.operator.idpcluster.resources;

import dev.sekisho.operator.kube.Labels.Component;
import dev.sekisho.operator.kube.Names;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ServiceAccountBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import java.util.List;

/** What Patroni may do: it keeps its state in ConfigMaps and marks its pods. The operator must hold the same rights. */
public final class PostgresAccess {
    private PostgresAccess() {}

    /** ServiceAccount, Role and RoleBinding. */
    public static List<HasMetadata> desired(Blueprint plan) {
        var name = Names.postgres(plan.name());
        var meta = plan.meta(name, Component.POSTGRES);
        return List.of(
                new ServiceAccountBuilder()
                        .withMetadata(meta)
                        .withAutomountServiceAccountToken(false)
                        .build(),
                new RoleBuilder()
                        .withMetadata(meta)
                        .withRules(
                                rule("configmaps", "create", "get", "list", "patch", "update", "watch"),
                                rule("pods", "get", "list", "patch", "update", "watch"))
                        .build(),
                new RoleBindingBuilder()
                        .withMetadata(meta)
                        .withNewRoleRef("rbac.authorization.k8s.io", "Role", name)
                        .addNewSubject()
                        .withKind("ServiceAccount")
                        .withName(name)
                        .withNamespace(plan.namespace())
                        .endSubject()
                        .build());
    }

    private static PolicyRule rule(String resource, String... verbs) {
        return new PolicyRuleBuilder()
                .withApiGroups("")
                .withResources(resource)
                .withVerbs(verbs)
                .build();
    }
}
