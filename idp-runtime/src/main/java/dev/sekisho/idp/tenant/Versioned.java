package dev.sekisho.idp.tenant;

/** A record and its version. */
public record Versioned(TenantRecord record, TenantVersion version) {}
