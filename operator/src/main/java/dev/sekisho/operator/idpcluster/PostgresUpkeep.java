package dev.sekisho.operator.idpcluster;

import dev.sekisho.operator.idpcluster.postgres.Member;
import dev.sekisho.operator.idpcluster.postgres.MemberRestarts;
import dev.sekisho.operator.idpcluster.postgres.Switchover;
import dev.sekisho.operator.idpcluster.resources.Blueprint;
import dev.sekisho.operator.idpcluster.resources.PatroniSettings;
import dev.sekisho.operator.idpcluster.resources.PostgresStatefulSet;
import dev.sekisho.operator.kube.Labels;
import dev.sekisho.operator.kube.Labels.Component;
import dev.sekisho.operator.kube.Names;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What PostgreSQL needs while it runs: its shared settings, restarts in good order, planned changes of the primary. All
 * of it goes through what Patroni reads in Kubernetes; members themselves are never called.
 */
final class PostgresUpkeep {
    private final Blueprint plan;
    private final Children children;
    private final String scope;
    private final List<Pod> pods;
    private final List<Member> members;

    PostgresUpkeep(Blueprint plan, Children children, List<Pod> pods) {
        this.plan = plan;
        this.children = children;
        this.scope = Names.postgres(plan.name());
        this.pods = pods.stream()
                .filter(pod -> scope.equals(pod.getMetadata().getLabels().get(PostgresStatefulSet.SCOPE)))
                .toList();
        this.members = this.pods.stream().map(Member::of).toList();
    }

    List<Member> members() {
        return members;
    }

    /**
     * The ConfigMaps in which Patroni keeps its state, as they should be: with all labels, of which one has a value that
     * Patroni must not know; and with the settings and the switchover that Patroni is to follow.
     */
    List<ConfigMap> configMaps(Instant now) {
        var known = new LinkedHashMap<String, Map<String, String>>();
        children.cached(ConfigMap.class).stream()
                .filter(Sources::isPatronis)
                .forEach(found -> known.put(
                        found.getMetadata().getName(),
                        Optional.ofNullable(found.getMetadata().getAnnotations())
                                .orElse(Map.of())));
        var wanted = new LinkedHashMap<String, Map<String, String>>();
        known.keySet().forEach(name -> wanted.put(name, Map.of()));

        var settings = known.getOrDefault(PatroniSettings.configMap(scope), Map.of());
        if (settings.containsKey(PatroniSettings.ANNOTATION)) {
            // Before Patroni has written it there is no database that it could be applied to.
            wanted.put(
                    PatroniSettings.configMap(scope),
                    Map.of(
                            PatroniSettings.ANNOTATION,
                            PatroniSettings.overlaid(settings.get(PatroniSettings.ANNOTATION), plan)));
        }
        switchover(now).ifPresent(s -> wanted.put(Switchover.configMap(scope), s.annotations()));
        return wanted.entrySet().stream()
                .map(entry -> configMap(entry.getKey(), entry.getValue()))
                .toList();
    }

    /** The last switchover, as it stands now. */
    Optional<Switchover> switchover(Instant now) {
        var annotations = children.cached(ConfigMap.class, Switchover.configMap(scope))
                .map(found -> found.getMetadata().getAnnotations())
                .orElse(Map.of());
        var given = plan.cluster().getMetadata().getAnnotations();
        var wanted = given == null ? null : given.get(Switchover.ANNOTATION);
        return Switchover.next(wanted, Switchover.of(annotations), members, now);
    }

    private ConfigMap configMap(String name, Map<String, String> annotations) {
        var labels = new LinkedHashMap<>(
                Labels.of(plan.name(), Component.POSTGRES, plan.config().version()));
        labels.put(PostgresStatefulSet.SCOPE, scope);
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(plan.namespace())
                .withLabels(labels)
                .withAnnotations(annotations.isEmpty() ? null : annotations)
                .endMetadata()
                .build();
    }

    /** Which member is to restart, and how many are. */
    MemberRestarts.Step restarts(Instant now) {
        return children.cached(StatefulSet.class, scope)
                .map(set -> MemberRestarts.next(set, members, now))
                .orElse(new MemberRestarts.Step(Optional.empty(), 0));
    }

    /** Restarts the member whose turn it is. */
    void restart(Instant now) {
        restarts(now)
                .restart()
                .ifPresent(member -> pods.stream()
                        .filter(pod -> pod.getMetadata().getName().equals(member.name()))
                        .forEach(children::deleteAsSeen));
    }
}
