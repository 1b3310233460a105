package dev.sekisho.api.v1alpha1;

/** What happens to data when the object that declared it is deleted. */
public enum DeletionPolicy {
    /** Data stays, out of service, and is adopted when the same object is created again. */
    Retain,
    /** Data goes with the object. */
    Delete
}
