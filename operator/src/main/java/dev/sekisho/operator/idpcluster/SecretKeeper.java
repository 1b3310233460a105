package dev.sekisho.operator.idpcluster;

import dev.sekisho.operator.idpcluster.resources.Blueprint;
import dev.sekisho.operator.idpcluster.resources.SubjectNames;
import dev.sekisho.operator.kube.Labels;
import dev.sekisho.operator.kube.Labels.Component;
import dev.sekisho.operator.kube.Names;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps an IdpCluster's Secrets. Certificates, Redis' password and the management token are made anew when they are
 * gone. PostgreSQL's passwords and the key-encryption key never are, once there may be data that needs them.
 */
final class SecretKeeper {
    private final Blueprint plan;
    private final Children children;
    private final SecretFactory factory;
    private final Faults faults;
    private final List<String> problems = new ArrayList<>();
    private final Map<Component, Secret> tls = new EnumMap<>(Component.class);
    private @Nullable Secret authority;
    private @Nullable Secret redis;
    private @Nullable Secret management;
    private @Nullable Secret postgres;
    private @Nullable Secret keyEncryption;
    private @Nullable Boolean hasData;

    SecretKeeper(Blueprint plan, Children children, SecretFactory factory, Faults faults) {
        this.plan = plan;
        this.children = children;
        this.factory = factory;
        this.faults = faults;
    }

    /** Makes what is missing, as far as that is right. */
    void keep() {
        var name = plan.name();
        attempt(
                Names.postgresCredentials(name),
                () -> postgres = precious(
                        Names.postgresCredentials(name),
                        Component.POSTGRES,
                        () -> factory.newPostgres(plan),
                        SecretFactory::problemOfPostgres));
        attempt(
                Names.keyEncryption(name),
                () -> keyEncryption = precious(
                        Names.keyEncryption(name),
                        Component.RUNTIME,
                        () -> factory.newKeyEncryption(plan),
                        SecretFactory::problemOfKeyEncryption));
        attempt(
                Names.redisCredentials(name),
                () -> redis = kept(Names.redisCredentials(name), existing -> factory.redis(plan, existing)));
        attempt(
                Names.management(name),
                () -> management = kept(Names.management(name), existing -> factory.management(plan, existing)));
        attempt(
                Names.ca(name),
                () -> authority = kept(Names.ca(name), existing -> factory.authority(plan, existing, leaves())));
        var ca = authority;
        if (ca != null) {
            leaf(ca, Component.GATEWAY, SubjectNames.gateway(plan));
            leaf(ca, Component.RUNTIME, SubjectNames.runtime(plan));
            leaf(ca, Component.POSTGRES, SubjectNames.postgres(plan));
            leaf(ca, Component.REDIS, SubjectNames.redis(plan));
        }
    }

    /** The certificates to trust, as PEM: the authority's, and for a while those before it. */
    Optional<String> trusted() {
        return Optional.ofNullable(authority).map(SecretFactory::trusted);
    }

    private List<Secret> leaves() {
        return Stream.of(Component.GATEWAY, Component.RUNTIME, Component.POSTGRES, Component.REDIS)
                .map(component -> children.cached(Secret.class, Names.tls(plan.name(), component.value())))
                .flatMap(Optional::stream)
                .toList();
    }

    /** A server's certificate. */
    Optional<Secret> tls(Component component) {
        return Optional.ofNullable(tls.get(component));
    }

    Optional<Secret> redis() {
        return Optional.ofNullable(redis);
    }

    Optional<Secret> management() {
        return Optional.ofNullable(management);
    }

    Optional<Secret> postgres() {
        return Optional.ofNullable(postgres);
    }

    Optional<Secret> keyEncryption() {
        return Optional.ofNullable(keyEncryption);
    }

    /** What is wrong with the precious ones, and what to do; null when nothing is. */
    @Nullable String problem() {
        return problems.isEmpty() ? null : String.join("; ", problems);
    }

    private void leaf(Secret ca, Component component, Set<String> names) {
        var name = Names.tls(plan.name(), component.value());
        attempt(
                name,
                () -> tls.put(component, kept(name, existing -> factory.leaf(plan, ca, component, names, existing))));
    }

    private void attempt(String name, Faults.Work work) {
        faults.attempt(Part.SECRETS, "Secret " + name, work);
    }

    private Secret kept(String name, Function<@Nullable Secret, Secret> desired) {
        return children.apply(Secret.class, desired.apply(children.find(Secret.class, name)));
    }

    private @Nullable Secret precious(
            String name, Component component, Supplier<Secret> fresh, Function<Secret, @Nullable String> check) {
        var existing = children.find(Secret.class, name);
        if (existing == null) {
            if (hasData()) {
                problems.add("Secret " + name + " is gone, and the data of PostgreSQL cannot be used without it:"
                        + " restore it from a backup; or, to begin with nothing, delete StatefulSet "
                        + Names.postgres(plan.name()) + " and its PersistentVolumeClaims");
                return null;
            }
            // Not applied: should another have made it meanwhile, its contents stand.
            existing = children.create(Secret.class, fresh.get());
        }
        var wrong = check.apply(existing);
        if (wrong != null) {
            problems.add("Secret " + name + " " + wrong + ": restore it from a backup");
            return null;
        }
        return children.apply(Secret.class, SecretFactory.kept(plan, existing, component));
    }

    /** Whether PostgreSQL has, or may have, data. Asked from the API server: nothing is invented on a guess. */
    private boolean hasData() {
        var known = hasData;
        if (known == null) {
            var name = Names.postgres(plan.name());
            var client = children.client();
            var claims = client.persistentVolumeClaims().inNamespace(plan.namespace());
            known = client.resources(StatefulSet.class)
                                    .inNamespace(plan.namespace())
                                    .withName(name)
                                    .get()
                            != null
                    || claims.withName("data-" + name + "-0").get() != null
                    || !claims.withLabels(Labels.selector(plan.name(), Component.POSTGRES))
                            .list()
                            .getItems()
                            .isEmpty();
            hasData = known;
        }
        return known;
    }
}
