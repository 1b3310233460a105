package dev.sekisho.operator.idpcluster;

import dev.sekisho.operator.idpcluster.postgres.Member;
import dev.sekisho.operator.idpcluster.postgres.Switchover;
import dev.sekisho.operator.idpcluster.resources.Blueprint;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What there is of an IdpCluster, as far as its status depends on it.
 *
 * @param plan what should be
 * @param images which images it runs, and why
 * @param secretsProblem what is wrong with Secrets that are never reinvented; null when nothing is
 * @param gatewayProblem what is wrong with the certificate that the user brings; null when nothing is
 * @param postgres PostgreSQL's StatefulSet
 * @param redis Redis' StatefulSet
 * @param migrated whether the database is ready for the wanted runtime
 * @param migration the Job that makes it so
 * @param runtime the runtime's Deployment
 * @param gateway the gateway's Deployment
 * @param pods all pods
 * @param members PostgreSQL's members
 * @param switchover the last planned change of the primary
 * @param outdatedMembers how many members must restart
 * @param faults what could not be applied
 */
record Snapshot(
        Blueprint plan,
        ImageChoice images,
        @Nullable String secretsProblem,
        @Nullable String gatewayProblem,
        @Nullable StatefulSet postgres,
        @Nullable StatefulSet redis,
        boolean migrated,
        @Nullable Job migration,
        @Nullable Deployment runtime,
        @Nullable Deployment gateway,
        List<Pod> pods,
        List<Member> members,
        Optional<Switchover> switchover,
        int outdatedMembers,
        Faults faults) {

    /** Whether a member restarts, must, or hands over. */
    boolean membersMove() {
        return outdatedMembers > 0
                || switchover
                        .filter(s -> s.outcome() == Switchover.Outcome.Requested)
                        .isPresent();
    }
}
