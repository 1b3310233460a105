package dev.sekisho.idp.tenant;

import java.util.UUID;

/**
 * Which state of a tenant something was made from.
 *
 * @param incarnation made anew when a deleted tenant is created again
 * @param number counts changes within an incarnation, from 1
 */
public record TenantVersion(UUID incarnation, long number) {
    /** Whether what was made from this state knows the change to {@code other}. */
    public boolean includes(TenantVersion other) {
        return incarnation.equals(other.incarnation) && number >= other.number;
    }
}
