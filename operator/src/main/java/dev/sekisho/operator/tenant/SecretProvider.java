package dev.sekisho.operator.tenant;

import dev.sekisho.api.v1alpha1.IdpCluster;
import dev.sekisho.api.v1alpha1.Tenant;
import dev.sekisho.operator.tenant.ClientSecrets.Resolution;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Does what {@link ClientSecrets} says: makes, mends and removes Secrets of clients. */
final class SecretProvider {
    private final KubernetesClient client;
    private final TenantSources sources;
    private final String version;
    private final SecureRandom random = new SecureRandom();

    /**
     * @param client the Kubernetes API
     * @param sources what is known of Secrets
     * @param version the operator's, for labels
     */
    SecretProvider(KubernetesClient client, TenantSources sources, String version) {
        this.client = client;
        this.sources = sources;
        this.version = version;
    }

    /** Makes the Secrets that are missing. What exists but is not in the cache yet is looked at once more, live. */
    Resolution provide(Tenant tenant, IdpCluster cluster) {
        var namespace = tenant.getMetadata().getNamespace();
        var live = new HashMap<String, Secret>();
        var issuer = cluster.getSpec().publicUrl() + "/" + tenant.getSpec().tenantId();
        var clientSecrets = new ClientSecrets(
                tenant,
                issuer,
                version,
                name -> Optional.ofNullable(live.get(name)).or(() -> sources.secret(namespace, name)),
                this::newSecret);
        for (int round = 0; ; round++) {
            var resolved = clientSecrets.resolve(sources.ownedSecrets(tenant));
            boolean stale = false;
            for (var secret : resolved.make()) {
                stale |= !create(secret, live);
            }
            if (!stale || round == 2) {
                resolved.mend().forEach(secret -> client.resource(secret).update());
                resolved.remove().forEach(secret -> client.resource(secret).delete());
                return resolved;
            }
        }
    }

    /** Creates, never overwrites: what stands there may be somebody else's. */
    private boolean create(Secret secret, Map<String, Secret> live) {
        try {
            live.put(secret.getMetadata().getName(), client.resource(secret).create());
            return true;
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw e;
            }
            var found = client.resource(secret).get();
            if (found != null) {
                live.put(secret.getMetadata().getName(), found);
            }
            return false;
        }
    }

    /** 256 bits, base64url. */
    private String newSecret() {
        var bytes = new byte[32];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
