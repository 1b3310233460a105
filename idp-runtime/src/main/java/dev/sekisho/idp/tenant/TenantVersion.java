package dev.sekisho.idp.tenant;

import java.util.UUID;

/**
 * Which state of a tenant something was made from.
 *
 * @param number counts changes since the tenant was created, from 1. After a failover that lost a commit it counts
 *     again from what was left, so it says nothing about content
 * @param revision random, of one write: whatever has the same revision has the same content
 */
public record TenantVersion(long number, UUID revision) {
    /** Of no write, so that no snapshot was made from it. */
    public static final UUID NO_REVISION = new UUID(0, 0);

    /** Whether something made from this state has the same content as something made from the other. */
    public boolean isSameAs(TenantVersion other) {
        return revision.equals(other.revision) && !revision.equals(NO_REVISION);
    }
}
