package dev.sekisho.api.management;

import dev.sekisho.api.v1alpha1.TenantSpec;
import java.util.Map;

/**
 * Body of {@code PUT /management/v1/tenants/{tenantId}}: the whole of what a tenant shall be.
 *
 * @param owner who declares it, such as {@code tenant/<namespace>/<name>}; a tenant has one owner
 * @param spec its settings
 * @param clientSecrets the secret of each client, by client id; never logged
 */
public record TenantDeclaration(String owner, TenantSpec spec, Map<String, String> clientSecrets) {
    public TenantDeclaration {
        clientSecrets = clientSecrets == null ? Map.of() : Map.copyOf(clientSecrets);
    }

    @Override
    public String toString() {
        return "TenantDeclaration[owner=" + owner + ", tenantId=" + spec.tenantId() + "]";
    }
}
