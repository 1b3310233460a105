package dev.sekisho.operator.management;

import dev.sekisho.api.management.TenantDeclaration;
import dev.sekisho.api.management.TenantState;
import dev.sekisho.api.v1alpha1.DeletionPolicy;
import dev.sekisho.api.v1alpha1.IdpCluster;

/** The calls of a runtime's management listener. None of them throws for what the other side does: see {@link Answer}. */
public interface ManagementClient {
    /** Makes a tenant what the declaration says; doing it again changes nothing. */
    Answer put(IdpCluster cluster, TenantDeclaration declaration);

    /** What a tenant is. */
    Answer get(IdpCluster cluster, String tenantId);

    /**
     * Ends a tenant; {@link Answer.Absent} also when there was none.
     *
     * @param owner who declared it
     * @param policy what happens to its data
     */
    Answer delete(IdpCluster cluster, String tenantId, String owner, DeletionPolicy policy);

    /** What came of a call. Messages are for people and hold no secret. */
    sealed interface Answer {
        /**
         * The tenant is there.
         *
         * @param state what it is
         */
        record Applied(TenantState state) implements Answer {}

        /** The tenant is not there, or not any more. */
        record Absent() implements Answer {}

        /**
         * Another owner holds the tenant's id.
         *
         * @param message what the runtime says
         */
        record Conflict(String message) implements Answer {}

        /**
         * The runtime refuses the declaration; trying the same again is of no use.
         *
         * @param message what the runtime says, naming the field
         */
        record Invalid(String message) implements Answer {}

        /**
         * The runtime cannot be reached, refuses the operator, or is broken; worth another try.
         *
         * @param message what happened
         */
        record Unreachable(String message) implements Answer {}
    }
}
