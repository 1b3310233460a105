package dev.sekisho.idp.tenant;

import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Where tenants are kept. Each method acts as the one tenant of its key and sees and changes no other.
 *
 * <p>All throw {@link StoreUnavailableException} when the database cannot be reached, and its subclass
 * {@link StoreBusyException} when it is there but has no connection free in time or cannot run the statement now.
 */
public interface TenantStore {
    /** A tenant, in any state. One round trip. */
    Optional<Versioned> load(UUID key);

    /** A tenant's version. One round trip. */
    Optional<TenantVersion> version(UUID key);

    /**
     * Makes a tenant what {@code desired} says, in a transaction that holds the tenant's lock.
     *
     * @param desired gets what is stored, and returns what shall be; may throw to leave all as it is
     */
    Change put(UUID key, Function<Optional<Versioned>, TenantRecord> desired);

    /**
     * Removes a tenant with all that belongs to it, if the check lets it.
     *
     * @param check gets what is stored; may throw to leave all as it is
     * @return whether there was anything to remove
     */
    boolean delete(UUID key, Consumer<Versioned> check);

    /**
     * What a {@code put} did.
     *
     * @param changed whether anything was written
     */
    record Change(Versioned stored, boolean changed) {}
}
