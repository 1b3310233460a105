package dev.sekisho.operator.idpcluster.postgres;

import dev.sekisho.api.v1alpha1.IdpClusterSpec;
import dev.sekisho.operator.idpcluster.resources.PatroniSettings;

/**
 * Whether PostgreSQL has connections for as many copies of the runtime as are wanted, and one more while they roll.
 *
 * @param maxConnections what each member of PostgreSQL accepts
 * @param pool what each copy of the runtime may take
 * @param wanted copies of the runtime
 */
public record Capacity(int maxConnections, int pool, int wanted) {
    /** For superusers, Patroni, the migration, the load tests' seeder and a person who looks. */
    static final int RESERVE = 15;

    private static final int SURGE = 1;

    /** The capacity that a spec asks for. */
    public static Capacity of(IdpClusterSpec spec) {
        return new Capacity(
                PatroniSettings.maxConnections(spec.postgres()),
                spec.runtime().databasePool().maximumPoolSize(),
                spec.replicas());
    }

    /** Whether all copies get what they may take. */
    public boolean suffices() {
        return wanted == 0 || needed() <= maxConnections;
    }

    /**
     * How many copies may run: as many as are wanted if they fit, else as many as fit, but never fewer than run already,
     * for taking away what serves helps nobody.
     *
     * @param running copies that the Deployment has now
     */
    public int allowed(int running) {
        int fitting = Math.max(1, (maxConnections - RESERVE) / pool - SURGE);
        return Math.min(wanted, Math.max(fitting, running));
    }

    /** The sum, for people. */
    public String sum() {
        return "(%d replicas + %d) × %d connections + %d = %d, and max_connections is %d"
                .formatted(wanted, SURGE, pool, RESERVE, needed(), maxConnections);
    }

    private long needed() {
        return (long) (wanted + SURGE) * pool + RESERVE;
    }
}
