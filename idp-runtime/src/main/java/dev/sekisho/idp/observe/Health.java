package dev.sekisho.idp.observe;

/**
 * Whether the process has started, and whether it wants requests.
 *
 * <p>Started: the database was reached once, is migrated and takes writes, and all listeners are open. Ready: started,
 * and not stopping. Losing PostgreSQL or Redis afterwards changes neither: tenants in memory are served without them,
 * and a fault that all replicas share must not take all of them out of service. Alive: the process answers.
 */
public final class Health {
    private volatile boolean started;
    private volatile boolean stopping;

    /** From now on requests are welcome. */
    public void started() {
        started = true;
    }

    /** From now on requests should go elsewhere. */
    public void stopping() {
        stopping = true;
    }

    public boolean isStarted() {
        return started;
    }

    public boolean isStopping() {
        return stopping;
    }

    public boolean isReady() {
        return started && !stopping;
    }
}
