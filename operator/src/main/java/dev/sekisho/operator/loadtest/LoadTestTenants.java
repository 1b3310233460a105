package dev.sekisho.operator.loadtest;

import dev.sekisho.api.management.TenantDeclaration;
import dev.sekisho.api.v1alpha1.ClientSpec;
import dev.sekisho.api.v1alpha1.ClusterRef;
import dev.sekisho.api.v1alpha1.DeletionPolicy;
import dev.sekisho.api.v1alpha1.IdpCluster;
import dev.sekisho.api.v1alpha1.TenantSpec;
import dev.sekisho.operator.management.ManagementClient;
import dev.sekisho.operator.management.ManagementClient.Answer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Tenants of load tests, which nothing but a load test uses: made before the first step, deleted after the last. */
final class LoadTestTenants {
    /** Calls at once: making signing keys is work, and the runtime has others to serve. */
    private static final int PARALLEL = 8;

    private final ManagementClient management;

    LoadTestTenants(ManagementClient management) {
        this.management = management;
    }

    /**
     * Makes tenants 0 to {@code count - 1}; those that are there already stay as they are.
     *
     * @param secret of the client that each has
     * @return the answer that stood in the way, if one did
     */
    Optional<Answer> provision(IdpCluster cluster, LoadTestNames names, int count, String secret) {
        return all(count, index -> {
            var declaration = new TenantDeclaration(
                    names.owner(), spec(cluster, names, index), Map.of(LoadTestNames.CLIENT_ID, secret));
            var answer = management.put(cluster, declaration);
            return answer instanceof Answer.Applied ? null : answer;
        });
    }

    /**
     * Deletes tenants 0 to {@code count - 1}, data and all.
     *
     * @return the answer that stood in the way, if one did
     */
    Optional<Answer> remove(IdpCluster cluster, LoadTestNames names, int count) {
        return all(count, index -> {
            var answer = management.delete(cluster, names.tenantId(index), names.owner(), DeletionPolicy.Delete);
            return switch (answer) {
                // A conflict: somebody else's tenant bears that id, so none of ours is there.
                case Answer.Applied applied -> null;
                case Answer.Absent absent -> null;
                case Answer.Conflict conflict -> null;
                case Answer.Invalid invalid -> invalid;
                case Answer.Unreachable unreachable -> unreachable;
            };
        });
    }

    private static Optional<Answer> all(int count, IntFunction<@Nullable Answer> call) {
        var problem = new AtomicReference<@Nullable Answer>();
        var permits = new Semaphore(PARALLEL);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            IntStream.range(0, count)
                    .forEach(index -> threads.execute(() -> {
                        permits.acquireUninterruptibly();
                        try {
                            // After the first problem the others would most likely meet the same.
                            if (problem.get() == null) {
                                var answer = call.apply(index);
                                if (answer != null) {
                                    problem.compareAndSet(null, answer);
                                }
                            }
                        } catch (RuntimeException e) {
                            problem.compareAndSet(
                                    null,
                                    new Answer.Unreachable(
                                            "unexpected " + e.getClass().getSimpleName()));
                        } finally {
                            permits.release();
                        }
                    }));
        }
        return Optional.ofNullable(problem.get());
    }

    private static TenantSpec spec(IdpCluster cluster, LoadTestNames names, int index) {
        var meta = cluster.getMetadata();
        return new TenantSpec(
                new ClusterRef(meta.getName(), meta.getNamespace()),
                names.tenantId(index),
                "Load test " + names.namespace() + "/" + names.name(),
                TenantSpec.State.Active,
                new TenantSpec.Tokens("5m"),
                new TenantSpec.Signing(TenantSpec.Signing.Algorithm.ES256),
                List.of(new ClientSpec(
                        LoadTestNames.CLIENT_ID,
                        "Load test",
                        List.of(ClientSpec.Grant.CLIENT_CREDENTIALS),
                        List.of(),
                        List.of(LoadTestNames.SCOPE),
                        ClientSpec.AuthMethod.CLIENT_SECRET_POST,
                        null,
                        null)),
                DeletionPolicy.Delete);
    }
}
