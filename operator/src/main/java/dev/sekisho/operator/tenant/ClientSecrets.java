package dev.sekisho.operator.tenant;

import dev.sekisho.api.v1alpha1.ClientSpec;
import dev.sekisho.api.v1alpha1.Tenant;
import dev.sekisho.api.v1alpha1.TenantStatus.ClientStatus;
import dev.sekisho.operator.kube.Labels;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Where the secret of each client of a Tenant comes from. Pure: looks at Secrets, and says which to make, mend and
 * remove.
 *
 * <p>A {@code secretRef} is only ever read: while its Secret or key is missing the client is not served, and nothing is
 * invented in its place. The others do not wait for it. A client without one gets a Secret of the operator's, which holds
 * all that an application needs. A client that authenticates by its own key has no secret, and what was made for it
 * before goes.
 */
final class ClientSecrets {
    static final String CLIENT_ID = "client-id";
    static final String CLIENT_SECRET = "client-secret";
    static final String ISSUER = "issuer";
    static final String TOKEN_ENDPOINT = "token-endpoint";

    /** Shorter ones could be guessed. */
    static final int MINIMUM_BYTES = 16;

    static final int MAXIMUM_BYTES = 512;

    /**
     * What became of the clients. It prints no secret.
     *
     * @param values by client id; of those that have one
     * @param clients for status; all of them
     * @param make Secrets to create
     * @param mend Secrets to replace
     * @param remove Secrets whose client is gone
     * @param unresolved clients whose secret is missing or unfit
     */
    record Resolution(
            Map<String, String> values,
            List<ClientStatus> clients,
            List<Secret> make,
            List<Secret> mend,
            List<Secret> remove,
            List<Unresolved> unresolved) {
        @Override
        public String toString() {
            return "Resolution[clients=" + values.keySet() + ", unresolved=" + unresolved + "]";
        }
    }

    /** Why a client's secret cannot be used. */
    record Unresolved(String reason, String message) {}

    /** Reads a Secret of the Tenant's namespace. */
    @FunctionalInterface
    interface Lookup {
        Optional<Secret> find(String name);
    }

    private final Tenant tenant;
    private final String issuer;
    private final String version;
    private final Lookup secrets;
    private final Supplier<String> random;

    /**
     * @param tenant whose clients
     * @param issuer the tenant's issuer identifier
     * @param version the operator's, for labels
     * @param secrets reads Secrets
     * @param random makes a new secret
     */
    ClientSecrets(Tenant tenant, String issuer, String version, Lookup secrets, Supplier<String> random) {
        this.tenant = tenant;
        this.issuer = issuer;
        this.version = version;
        this.secrets = secrets;
        this.random = random;
    }

    /**
     * Resolves all clients.
     *
     * @param owned Secrets that name this Tenant as their owner
     */
    Resolution resolve(List<Secret> owned) {
        var values = new LinkedHashMap<String, String>();
        var clients = new ArrayList<ClientStatus>();
        var make = new ArrayList<Secret>();
        var mend = new ArrayList<Secret>();
        var unresolved = new ArrayList<Unresolved>();
        var used = new HashSet<String>();
        for (var client : tenant.getSpec().clients()) {
            if (!hasSecret(client)) {
                clients.add(new ClientStatus(client.clientId(), null, null, null));
                continue;
            }
            var reference = client.secretRef();
            var name = reference == null ? generatedName(client) : reference.name();
            var key = reference == null ? CLIENT_SECRET : reference.key();
            var found = secrets.find(name);
            used.add(name);
            clients.add(new ClientStatus(client.clientId(), name, key, reference == null));
            if (reference == null) {
                if (found.isPresent() && !isOurs(found.get(), client)) {
                    unresolved.add(new Unresolved(
                            "SecretNameTaken",
                            "client " + client.clientId() + ": a Secret " + name
                                    + " exists that the operator did not make for it; it is left alone. Rename it, or"
                                    + " refer to it by secretRef"));
                    continue;
                }
                var value = found.flatMap(secret -> value(secret, key))
                        .filter(text -> complaint(text).isEmpty())
                        .orElseGet(random);
                var desired = generated(client, name, value);
                if (found.isEmpty()) {
                    make.add(desired);
                } else if (!isUpToDate(found.get(), desired)) {
                    mend.add(merged(found.get(), desired));
                }
                values.put(client.clientId(), value);
                continue;
            }
            var value = found.flatMap(secret -> value(secret, key));
            if (value.isEmpty()) {
                unresolved.add(new Unresolved(
                        "SecretNotFound",
                        "client " + client.clientId() + ": "
                                + (found.isEmpty()
                                        ? "there is no Secret " + name
                                        : "Secret " + name + " has no key " + key)));
                continue;
            }
            var complaint = complaint(value.get());
            if (complaint.isPresent()) {
                unresolved.add(new Unresolved(
                        complaint.get().reason(),
                        "client " + client.clientId() + ": key " + key + " of Secret " + name + " "
                                + complaint.get().message()));
                continue;
            }
            values.put(client.clientId(), value.get());
        }
        var remove = owned.stream()
                .filter(ClientSecrets::isMade)
                .filter(secret -> !used.contains(secret.getMetadata().getName()))
                .toList();
        // The list is a map by clientId to the API server, which need not keep another order.
        clients.sort(Comparator.comparing(ClientStatus::clientId));
        return new Resolution(Map.copyOf(values), clients, make, mend, remove, unresolved);
    }

    /** Whether a client authenticates by a secret. */
    static boolean hasSecret(ClientSpec client) {
        return switch (client.tokenEndpointAuthMethod()) {
            case CLIENT_SECRET_BASIC, CLIENT_SECRET_POST -> true;
            case PRIVATE_KEY_JWT -> false;
        };
    }

    private String generatedName(ClientSpec client) {
        return SecretNames.of(tenant.getMetadata().getName(), client.clientId());
    }

    private Secret generated(ClientSpec client, String name, String value) {
        var meta = tenant.getMetadata();
        var data = new LinkedHashMap<String, String>();
        data.put(CLIENT_ID, encode(client.clientId()));
        data.put(CLIENT_SECRET, encode(value));
        data.put(ISSUER, encode(issuer));
        data.put(TOKEN_ENDPOINT, encode(issuer + "/v1/tokens"));
        return new SecretBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(meta.getNamespace())
                .withLabels(Labels.of(tenant.getSpec().clusterRef().name(), Labels.Component.OPERATOR, version))
                .withOwnerReferences(new OwnerReferenceBuilder()
                        .withApiVersion(tenant.getApiVersion())
                        .withKind(tenant.getKind())
                        .withName(meta.getName())
                        .withUid(meta.getUid())
                        .withController(true)
                        .build())
                .endMetadata()
                .withType("Opaque")
                .withData(data)
                .build();
    }

    /** What stands there stays: other labels, annotations and keys are not ours. */
    private static Secret merged(Secret current, Secret desired) {
        return new SecretBuilder(current)
                .editMetadata()
                .addToLabels(desired.getMetadata().getLabels())
                .endMetadata()
                .addToData(desired.getData())
                .build();
    }

    private static boolean isUpToDate(Secret current, Secret desired) {
        return contains(current.getData(), desired.getData())
                && contains(
                        current.getMetadata().getLabels(), desired.getMetadata().getLabels());
    }

    private static boolean contains(Map<String, String> all, Map<String, String> wanted) {
        return all != null && all.entrySet().containsAll(wanted.entrySet());
    }

    private boolean isOurs(Secret secret, ClientSpec client) {
        var claimed = value(secret, CLIENT_ID);
        return isOwnedBy(secret, tenant.getMetadata().getUid())
                && (claimed.isEmpty() || claimed.get().equals(client.clientId()));
    }

    static boolean isOwnedBy(HasMetadata object, String uid) {
        return object.getMetadata().getOwnerReferences().stream().anyMatch(owner -> uid.equals(owner.getUid()));
    }

    private static boolean isMade(Secret secret) {
        var labels = secret.getMetadata().getLabels();
        return labels != null && Labels.MANAGER.equals(labels.get(Labels.MANAGED_BY));
    }

    private record Complaint(String reason, String message) {}

    /** RFC 6749, appendix A.2: a client secret is printable ASCII. */
    private static Optional<Complaint> complaint(String secret) {
        int length = secret.getBytes(StandardCharsets.UTF_8).length;
        if (length < MINIMUM_BYTES) {
            return Optional.of(
                    new Complaint("SecretTooShort", "has fewer than " + MINIMUM_BYTES + " bytes: it could be guessed"));
        }
        if (length > MAXIMUM_BYTES) {
            return Optional.of(new Complaint("SecretTooLong", "has more than " + MAXIMUM_BYTES + " bytes"));
        }
        if (!secret.chars().allMatch(c -> c >= 0x20 && c <= 0x7e)) {
            return Optional.of(
                    new Complaint("SecretInvalid", "holds more than printable ASCII; perhaps it ends in a line break"));
        }
        return Optional.empty();
    }

    private static Optional<String> value(Secret secret, String key) {
        return Optional.ofNullable(secret.getData())
                .map(data -> data.get(key))
                .map(text -> new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8));
    }

    private static String encode(String text) {
        return Base64.getEncoder().encodeToString(Objects.requireNonNull(text).getBytes(StandardCharsets.UTF_8));
    }
}
