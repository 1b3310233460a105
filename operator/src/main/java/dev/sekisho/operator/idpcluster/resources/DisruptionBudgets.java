package dev.sekisho.operator.idpcluster.resources;

import dev.sekisho.operator.kube.Labels.Component;
import dev.sekisho.operator.kube.Names;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import java.util.ArrayList;
import java.util.List;

/** At most one copy at a time is taken away by drains; only where there are two, for a budget of one blocks drains. */
public final class DisruptionBudgets {
    private DisruptionBudgets() {}

    /** Those that should exist. */
    public static List<PodDisruptionBudget> desired(Blueprint plan) {
        var budgets = new ArrayList<PodDisruptionBudget>();
        if (plan.spec().replicas() >= 2) {
            budgets.add(budget(plan, Names.runtime(plan.name()), Component.RUNTIME));
        }
        if (plan.spec().gateway().replicas() >= 2) {
            budgets.add(budget(plan, Names.gateway(plan.name()), Component.GATEWAY));
        }
        if (plan.spec().postgres().replicas() >= 2) {
            budgets.add(budget(plan, Names.postgres(plan.name()), Component.POSTGRES));
        }
        return budgets;
    }

    private static PodDisruptionBudget budget(Blueprint plan, String name, Component component) {
        return new PodDisruptionBudgetBuilder()
                .withMetadata(plan.meta(name, component))
                .withNewSpec()
                .withMaxUnavailable(new IntOrString(1))
                .withNewSelector()
                .withMatchLabels(plan.selector(component))
                .endSelector()
                .endSpec()
                .build();
    }
}
