package dev.sekisho.operator.idpcluster;

import dev.sekisho.operator.idpcluster.Certificates.Issued;
import dev.sekisho.operator.idpcluster.resources.Blueprint;
import dev.sekisho.operator.idpcluster.resources.Credentials;
import dev.sekisho.operator.kube.Labels.Component;
import dev.sekisho.operator.kube.Names;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What Secrets should hold: what they hold already when that is good, else something new. Of those whose loss loses data
 * only {@link #newPostgres} and {@link #newKeyEncryption} make new ones; whoever calls them answers for it.
 */
final class SecretFactory {
    private static final int PASSWORD_BYTES = 32;

    private final Certificates certificates;
    private final SecureRandom random;

    SecretFactory(Certificates certificates, SecureRandom random) {
        this.certificates = certificates;
        this.random = random;
    }

    /**
     * The authority, and under {@code ca.crt} all that are to be trusted.
     *
     * @param leaves what it and those before it issued; they tell of an authority whose own Secret is lost
     */
    Secret authority(Blueprint plan, @Nullable Secret existing, List<Secret> leaves) {
        var issued = issued(existing);
        if (issued == null || !certificates.isGoodAuthority(issued)) {
            issued = certificates.authority("Sekisho CA of " + plan.namespace() + "/" + plan.name());
        }
        var former = Stream.concat(
                        Stream.of(orEmpty(text(existing, "tls.crt")), orEmpty(text(existing, Names.CA_CRT))),
                        leaves.stream().map(leaf -> orEmpty(text(leaf, Names.CA_CRT))))
                .toList();
        return tls(plan.meta(Names.ca(plan.name()), Component.GATEWAY), issued, certificates.bundle(issued, former));
    }

    /**
     * A server's certificate.
     *
     * @param authority the Secret that {@link #authority} made
     * @param component which server
     * @param names what it is good for
     */
    Secret leaf(Blueprint plan, Secret authority, Component component, Set<String> names, @Nullable Secret existing) {
        var ca = issued(authority);
        if (ca == null) {
            throw new IllegalStateException("the authority has no key");
        }
        var issued = issued(existing);
        var bundle = orEmpty(text(authority, Names.CA_CRT));
        if (issued == null || !certificates.isGoodLeaf(issued, ca, bundle, names)) {
            issued = certificates.leaf(ca, plan.name() + "-" + component.value(), names);
        }
        return tls(plan.meta(Names.tls(plan.name(), component.value()), component), issued, bundle);
    }

    /** Redis' password. */
    Secret redis(Blueprint plan, @Nullable Secret existing) {
        var password = text(existing, Credentials.PASSWORD);
        if (password == null || !password.matches("[A-Za-z0-9_-]{16,200}")) {
            password = password();
        }
        return opaque(
                plan.meta(Names.redisCredentials(plan.name()), Component.REDIS),
                Map.of(
                        Credentials.PASSWORD,
                        encoded(password),
                        Credentials.REDIS_CONF,
                        encoded("requirepass " + password + "\n")));
    }

    /** The token of the management listener. */
    Secret management(Blueprint plan, @Nullable Secret existing) {
        var token = text(existing, Credentials.TOKEN);
        if (token == null || token.length() < 16) {
            token = password();
        }
        return opaque(
                plan.meta(Names.management(plan.name()), Component.RUNTIME), Map.of(Credentials.TOKEN, encoded(token)));
    }

    /** New passwords of PostgreSQL. */
    Secret newPostgres(Blueprint plan) {
        var data = new TreeMap<String, String>();
        Credentials.POSTGRES.forEach(key -> data.put(key, encoded(password())));
        return opaque(plan.keptMeta(Names.postgresCredentials(plan.name()), Component.POSTGRES), data);
    }

    /** A new key-encryption key. */
    Secret newKeyEncryption(Blueprint plan) {
        var key = new byte[Credentials.KEK_BYTES];
        random.nextBytes(key);
        return opaque(
                plan.keptMeta(Names.keyEncryption(plan.name()), Component.RUNTIME),
                Map.of(Credentials.KEK, Base64.getEncoder().encodeToString(key)));
    }

    /** The same contents with the labels as they should be. */
    static Secret kept(Blueprint plan, Secret existing, Component component) {
        return opaque(plan.keptMeta(existing.getMetadata().getName(), component), existing.getData());
    }

    /** What is wrong with PostgreSQL's passwords; null when nothing is. */
    static @Nullable String problemOfPostgres(Secret secret) {
        for (var key : Credentials.POSTGRES) {
            var value = text(secret, key);
            if (value == null || value.isEmpty()) {
                return "has no " + key;
            }
        }
        return null;
    }

    /** What is wrong with the key-encryption key; null when nothing is. */
    static @Nullable String problemOfKeyEncryption(Secret secret) {
        var key = bytes(secret, Credentials.KEK);
        if (key == null) {
            return "has no " + Credentials.KEK;
        }
        return key.length == Credentials.KEK_BYTES ? null : "does not hold a key of 32 bytes";
    }

    /** The certificates to trust that a Secret with a certificate brings along; null when there are none. */
    static @Nullable String trusted(Secret secret) {
        return text(secret, Names.CA_CRT);
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private String password() {
        var bytes = new byte[PASSWORD_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static Secret opaque(ObjectMeta meta, Map<String, String> data) {
        return new SecretBuilder()
                .withMetadata(meta)
                .withType("Opaque")
                .withData(data)
                .build();
    }

    private static Secret tls(ObjectMeta meta, Issued issued, String authority) {
        return new SecretBuilder()
                .withMetadata(meta)
                .withType("kubernetes.io/tls")
                .withData(Map.of(
                        "tls.crt",
                        encoded(issued.certificate()),
                        "tls.key",
                        encoded(issued.key()),
                        Names.CA_CRT,
                        encoded(authority)))
                .build();
    }

    private static @Nullable Issued issued(@Nullable Secret secret) {
        var certificate = text(secret, "tls.crt");
        var key = text(secret, "tls.key");
        return certificate == null || key == null ? null : new Issued(certificate, key);
    }

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static @Nullable String text(@Nullable Secret secret, String key) {
        var bytes = bytes(secret, key);
        return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
    }

    private static byte @Nullable [] bytes(@Nullable Secret secret, String key) {
        var value = secret == null || secret.getData() == null
                ? null
                : secret.getData().get(key);
        try {
            return value == null ? null : Base64.getDecoder().decode(value);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
