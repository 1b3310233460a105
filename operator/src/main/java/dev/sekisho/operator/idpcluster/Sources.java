package dev.sekisho.operator.idpcluster;

import dev.sekisho.api.v1alpha1.IdpCluster;
import dev.sekisho.operator.idpcluster.postgres.Member;
import dev.sekisho.operator.kube.Labels;
import dev.sekisho.operator.kube.Labels.Component;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.javaoperatorsdk.operator.api.config.informer.FieldSelectorBuilder;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.filter.OnUpdateFilter;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What wakes the reconciler of IdpClusters: their children, and certificates that users bring. */
final class Sources {
    /** The source of the Secrets that {@code spec.gateway.tls} names. */
    static final String USER_TLS = "user-tls";

    private static final String IDP_CLUSTER = "IdpCluster";
    private static final String USER_TLS_INDEX = "user-tls";

    /** Not Tenants' nor LoadTests' things, although the operator made them too. */
    private static final String SELECTOR =
            Labels.MADE_BY_OPERATOR + "," + Labels.COMPONENT + "!=" + Component.LOADTEST.value();

    /** Kinds of children. Pods are only looked at. */
    private static final List<Class<? extends HasMetadata>> KINDS = List.of(
            Secret.class,
            ConfigMap.class,
            Service.class,
            ServiceAccount.class,
            Role.class,
            RoleBinding.class,
            StatefulSet.class,
            Deployment.class,
            Job.class,
            Pod.class,
            NetworkPolicy.class,
            PodDisruptionBudget.class);

    private Sources() {}

    /** The name of a kind's source. */
    static String name(Class<? extends HasMetadata> type) {
        return "idpcluster-" + type.getSimpleName();
    }

    static List<EventSource<?, IdpCluster>> prepare(EventSourceContext<IdpCluster> context) {
        var sources = new ArrayList<EventSource<?, IdpCluster>>();
        KINDS.forEach(kind -> sources.add(children(kind, context)));
        sources.add(userTls(context));
        return sources;
    }

    private static <R extends HasMetadata> EventSource<R, IdpCluster> children(
            Class<R> type, EventSourceContext<IdpCluster> context) {
        var config = InformerEventSourceConfiguration.from(type, IdpCluster.class)
                .withName(name(type))
                .withNamespacesInheritedFromController()
                .withLabelSelector(SELECTOR)
                .withSecondaryToPrimaryMapper(Sources::cluster)
                .withOnUpdateFilter(filter(type))
                .build();
        return new InformerEventSource<>(config, context);
    }

    /** The owner, or what the instance label names: not all have an owner, and labels can be edited. */
    private static Set<ResourceID> cluster(HasMetadata child) {
        var meta = child.getMetadata();
        var names = meta.getOwnerReferences().stream()
                .filter(owner -> owner.getKind().equals(IDP_CLUSTER))
                .map(OwnerReference::getName);
        var instance = meta.getLabels() == null ? null : meta.getLabels().get(Labels.INSTANCE);
        return Stream.concat(names, Stream.ofNullable(instance))
                .map(name -> new ResourceID(name, meta.getNamespace()))
                .collect(Collectors.toSet());
    }

    private static <R extends HasMetadata> OnUpdateFilter<R> filter(Class<R> type) {
        if (type == ConfigMap.class) {
            return (now, before) -> !isPatronis(now) || !sameLabels(now, before) || !sameSettings(now, before);
        }
        if (type == Pod.class) {
            // Patroni writes its position into an annotation every other second.
            return (now, before) -> !sameLabels(now, before)
                    || !Objects.equals(((Pod) now).getStatus(), ((Pod) before).getStatus())
                    || now.isMarkedForDeletion() != before.isMarkedForDeletion()
                    || !Member.of((Pod) now).resembles(Member.of((Pod) before));
        }
        return (now, before) -> true;
    }

    /** Patroni keeps its state in the annotations of ConfigMaps that nobody owns. */
    static boolean isPatronis(HasMetadata configMap) {
        var meta = configMap.getMetadata();
        return meta.getOwnerReferences().isEmpty()
                && meta.getLabels() != null
                && Component.POSTGRES.value().equals(meta.getLabels().get(Labels.COMPONENT));
    }

    /** Patroni's settings; not the rest of its state, which changes all the time. */
    private static boolean sameSettings(HasMetadata now, HasMetadata before) {
        return !now.getMetadata().getName().endsWith("-config")
                || Objects.equals(
                        now.getMetadata().getAnnotations(), before.getMetadata().getAnnotations());
    }

    private static boolean sameLabels(HasMetadata now, HasMetadata before) {
        return Objects.equals(
                now.getMetadata().getLabels(), before.getMetadata().getLabels());
    }

    private static EventSource<Secret, IdpCluster> userTls(EventSourceContext<IdpCluster> context) {
        context.getPrimaryCache().addIndexer(USER_TLS_INDEX, cluster -> {
            var tls = cluster.getSpec().gateway().tls();
            return tls == null ? List.of() : List.of(key(cluster, tls.secretName()));
        });
        var config = InformerEventSourceConfiguration.from(Secret.class, IdpCluster.class)
                .withName(USER_TLS)
                .withNamespacesInheritedFromController()
                .withFieldSelector(new FieldSelectorBuilder()
                        .withField("type", "kubernetes.io/tls")
                        .build())
                .withSecondaryToPrimaryMapper(secret ->
                        context
                                .getPrimaryCache()
                                .byIndex(
                                        USER_TLS_INDEX,
                                        key(secret, secret.getMetadata().getName()))
                                .stream()
                                .map(ResourceID::fromResource)
                                .collect(Collectors.toSet()))
                .withPrimaryToSecondaryMapper((IdpCluster cluster) -> {
                    var tls = cluster.getSpec().gateway().tls();
                    return tls == null
                            ? Set.of()
                            : Set.of(new ResourceID(
                                    tls.secretName(), cluster.getMetadata().getNamespace()));
                })
                .build();
        return new InformerEventSource<>(config, context);
    }

    private static String key(HasMetadata object, String name) {
        return object.getMetadata().getNamespace() + "/" + name;
    }
}
