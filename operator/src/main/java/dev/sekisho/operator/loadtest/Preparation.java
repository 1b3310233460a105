package dev.sekisho.operator.loadtest;

import dev.sekisho.api.v1alpha1.IdpCluster;
import dev.sekisho.api.v1alpha1.LoadTest;
import dev.sekisho.operator.kube.Names;
import dev.sekisho.operator.loadtest.LoadTestStore.NameTakenException;
import dev.sekisho.operator.loadtest.LoadTestStore.PredecessorException;
import dev.sekisho.operator.loadtest.Planner.Script;
import dev.sekisho.operator.management.ManagementClient.Answer;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;

/** Makes what a step needs, and removes it after the run. Both may be done again at any time. */
final class Preparation {
    /** Kubernetes lets a ConfigMap hold 1 MiB; the library is in it, too. */
    private static final int MAXIMUM_SCRIPT_BYTES = 900_000;

    private final LoadTestStore store;
    private final LoadTestTenants tenants;
    private final SecureRandom random = new SecureRandom();

    Preparation(LoadTestStore store, LoadTestTenants tenants) {
        this.store = store;
        this.tenants = tenants;
    }

    /** What came of it. */
    sealed interface Readiness {
        /** A step may start. */
        record Ready() implements Readiness {}

        /** Something is in the way that may go. */
        record NotYet(String reason, String message) implements Readiness {}

        /** Something is in the way that stays. */
        record Never(String reason, String message) implements Readiness {}
    }

    /** Whether the script that the spec names can be used. */
    Script script(LoadTest test) {
        var reference = test.getSpec().scenario().configMapRef();
        if (reference == null) {
            return new Script.Found();
        }
        var found = store.configMap(test.getMetadata().getNamespace(), reference.name());
        var text = found.map(ConfigMap::getData).map(data -> data.get(reference.key()));
        if (text.isEmpty()) {
            return new Script.Missing(
                    found.isEmpty()
                            ? "there is no ConfigMap " + reference.name()
                            : "ConfigMap " + reference.name() + " has no key " + reference.key());
        }
        return text.get().getBytes(StandardCharsets.UTF_8).length > MAXIMUM_SCRIPT_BYTES
                ? new Script.TooLarge("the script is larger than " + MAXIMUM_SCRIPT_BYTES + " bytes")
                : new Script.Found();
    }

    /** Makes credentials, scripts and tenants. */
    Readiness prepare(LoadTest test, IdpCluster cluster, LoadTestObjects objects) {
        var names = names(test);
        var cm = cluster.getMetadata();
        var bundle = store.configMap(cm.getNamespace(), authorityName(cluster))
                .map(ConfigMap::getData)
                .map(data -> data.get(Names.CA_CRT));
        if (bundle.isEmpty()) {
            return new Readiness.NotYet(
                    Reasons.AUTHORITY_MISSING,
                    "the IdpCluster's authority (ConfigMap " + authorityName(cluster) + ") is not there");
        }
        var files = files(test);
        if (files.isEmpty()) {
            return new Readiness.NotYet(Reasons.SCRIPT_NOT_FOUND, "the script is gone");
        }
        try {
            int count = test.getSpec().data().tenants();
            var secret = credentials(test, objects, count);
            store.ensure(test, objects.authority(bundle.get()));
            store.ensure(test, objects.scenarios(files.get()));
            return tenants.provision(cluster, names, count, secret)
                    .map(Preparation::obstacle)
                    .orElseGet(Readiness.Ready::new);
        } catch (PredecessorException e) {
            return new Readiness.NotYet(Reasons.FORMER_RUN, String.valueOf(e.getMessage()));
        } catch (NameTakenException e) {
            return new Readiness.Never(Reasons.NAME_TAKEN, String.valueOf(e.getMessage()));
        }
    }

    private static Readiness obstacle(Answer answer) {
        return switch (answer) {
            case Answer.Conflict(var message) ->
                new Readiness.Never(
                        Reasons.TENANT_ID_CONFLICT, "another owner holds a load-test tenant's id: " + message);
            case Answer.Invalid(var message) ->
                new Readiness.Never(Reasons.PREPARATION_REFUSED, "the runtime refuses a load-test tenant: " + message);
            case Answer.Unreachable(var message) -> new Readiness.NotYet(Reasons.RUNTIME_UNREACHABLE, message);
            case Answer.Absent absent ->
                new Readiness.NotYet(Reasons.RUNTIME_UNREACHABLE, "the runtime did not keep a tenant");
            case Answer.Applied applied -> new Readiness.Ready();
        };
    }

    private Optional<Map<String, String>> files(LoadTest test) {
        var scenario = test.getSpec().scenario();
        var reference = scenario.configMapRef();
        return reference == null
                ? Optional.of(Scenarios.shipped(scenario.name()))
                : store.configMap(test.getMetadata().getNamespace(), reference.name())
                        .map(ConfigMap::getData)
                        .map(data -> data.get(reference.key()))
                        .map(script -> Scenarios.own(scenario.name(), script));
    }

    private String credentials(LoadTest test, LoadTestObjects objects, int count) {
        var names = names(test);
        var found = store.secret(names.namespace(), names.secret());
        var known = found.filter(secret -> LoadTestStore.isOwned(secret, test))
                .map(secret -> LoadTestStore.value(secret, LoadTestNames.CLIENT_SECRET))
                .filter(secret -> !secret.isEmpty());
        var value = known.orElseGet(this::newSecret);
        store.ensure(test, objects.credentials(value, Math.max(count, tenantsNoted(test))));
        return value;
    }

    /** Whether the load test has made something outside of Kubernetes that may still be there. */
    boolean hasLeftovers(LoadTest test) {
        var names = names(test);
        return store.secret(names.namespace(), names.secret())
                .filter(secret -> LoadTestStore.isOwned(secret, test))
                .isPresent();
    }

    /**
     * Removes tenants and credentials. Without a cluster its tenants are gone or out of reach, with the credentials.
     *
     * @return what is in the way
     */
    Optional<Answer> remove(LoadTest test, Optional<IdpCluster> cluster) {
        var names = names(test);
        int count = Math.max(test.getSpec().data().tenants(), tenantsNoted(test));
        var problem = cluster.flatMap(there -> tenants.remove(there, names, count));
        if (problem.isEmpty()) {
            forget(test);
        }
        return problem;
    }

    /** Removes the credentials only. */
    void forget(LoadTest test) {
        var names = names(test);
        store.secret(names.namespace(), names.secret())
                .filter(secret -> LoadTestStore.isOwned(secret, test))
                .ifPresent(store::delete);
    }

    private int tenantsNoted(LoadTest test) {
        var names = names(test);
        return store.secret(names.namespace(), names.secret())
                .filter(secret -> LoadTestStore.isOwned(secret, test))
                .map(secret -> secret.getMetadata().getAnnotations())
                .map(annotations -> annotations.get(LoadTestNames.ANNOTATION_TENANTS))
                .filter(text -> text.matches("[0-9]{1,4}"))
                .map(Integer::valueOf)
                .orElse(0);
    }

    /** The ConfigMap that a cluster names in its status, or the one that it is going to name. */
    private static String authorityName(IdpCluster cluster) {
        var status = cluster.getStatus();
        var named = status == null ? null : status.caConfigMap();
        return named == null ? Names.caBundle(cluster.getMetadata().getName()) : named;
    }

    private String newSecret() {
        var bytes = new byte[32];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static LoadTestNames names(LoadTest test) {
        return new LoadTestNames(
                test.getMetadata().getNamespace(), test.getMetadata().getName());
    }
}
