/**
 * Tenants: their clients' secrets, and the declarative PUT that makes the runtime what the Tenant says.
 *
 * <p>What should be is computed by pure functions ({@link dev.sekisho.operator.tenant.ClientSecrets},
 * {@link dev.sekisho.operator.tenant.TenantStatuses}); {@link dev.sekisho.operator.tenant.TenantReconciler} observes, acts
 * and writes the status.
 */
@NullMarked
package dev.sekisho.operator.tenant;

import org.jspecify.annotations.NullMarked;
