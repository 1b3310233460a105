package dev.sekisho.idp.tenant;

import java.util.UUID;

/** Tells the other replicas that a tenant changed. */
public interface Invalidations {
    /**
     * Says that a tenant has a new version. Never throws and never waits: what cannot be sent now is sent later.
     */
    void publish(UUID key, TenantVersion version);

    /** What a replica does with what it hears. */
    interface Listener {
        /** A tenant has a new version. */
        void changed(UUID key, TenantVersion version);

        /** Messages may have been lost: whatever is known may be old. */
        void doubt();

        /** Every message sent before now has been heard. */
        void inTouch();
    }
}
