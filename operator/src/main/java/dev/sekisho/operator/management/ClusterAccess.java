package dev.sekisho.operator.management;

import dev.sekisho.api.v1alpha1.ClusterRef;
import dev.sekisho.api.v1alpha1.IdpCluster;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Finds the IdpCluster that a Tenant or LoadTest refers to, and whether it lets itself be referred to. */
public final class ClusterAccess {
    private final Lookup lookup;
    private final Predicate<String> watched;

    /**
     * @param lookup reads an IdpCluster, from a cache or from the API
     * @param watched whether the operator looks after a namespace
     */
    public ClusterAccess(Lookup lookup, Predicate<String> watched) {
        this.lookup = lookup;
        this.watched = watched;
    }

    /** Reads an IdpCluster; null when there is none. */
    @FunctionalInterface
    public interface Lookup {
        @Nullable IdpCluster find(String namespace, String name);
    }

    /** What a reference leads to. Messages are for people. */
    public sealed interface Target {
        /**
         * It may be used; it need not be ready.
         *
         * @param cluster the cluster
         */
        record Granted(IdpCluster cluster) implements Target {}

        /**
         * There is none.
         *
         * @param message which one was looked for
         */
        record NotFound(String message) implements Target {}

        /**
         * There may be one, but not for this namespace.
         *
         * @param message what would allow it
         */
        record Denied(String message) implements Target {}
    }

    /**
     * Follows a reference.
     *
     * @param reference the reference
     * @param from the namespace of the object that holds it
     */
    public Target resolve(ClusterRef reference, String from) {
        var namespace = namespace(reference, from);
        var name = namespace + "/" + reference.name();
        if (!watched.test(namespace)) {
            return new Target.NotFound("the operator does not watch the namespace of IdpCluster " + name);
        }
        var cluster = lookup.find(namespace, reference.name());
        // Existence is not told to those who are not allowed in.
        if (!namespace.equals(from) && (cluster == null || !allows(cluster, from))) {
            return new Target.Denied("there is no IdpCluster " + name + " whose allowedNamespaces lists " + from);
        }
        return cluster == null ? new Target.NotFound("there is no IdpCluster " + name) : new Target.Granted(cluster);
    }

    /** The namespace that a reference points to. */
    public static String namespace(ClusterRef reference, String from) {
        var namespace = reference.namespace();
        return namespace == null ? from : namespace;
    }

    private static boolean allows(IdpCluster cluster, String namespace) {
        var allowed = cluster.getSpec().allowedNamespaces();
        return allowed.contains("*") || allowed.contains(namespace);
    }
}
