package dev.sekisho.operator.kube;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Names of what belongs to an IdpCluster {@code c}. A cluster's name has at most 40 characters, so each fits. */
public final class Names {
    /** Key of the public certificate in Secrets and the bundle. */
    public static final String CA_CRT = "ca.crt";

    private Names() {}

    /** Secret: the certificate authority and its private key. */
    public static String ca(String cluster) {
        return cluster + "-ca";
    }

    /** ConfigMap: the public certificate to trust, under {@link #CA_CRT}. */
    public static String caBundle(String cluster) {
        return cluster + "-ca-bundle";
    }

    /** Secret: a component's certificate; component such as {@code gateway}. */
    public static String tls(String cluster, String component) {
        return cluster + "-" + component + "-tls";
    }

    /** Secret: PostgreSQL's passwords. */
    public static String postgresCredentials(String cluster) {
        return cluster + "-postgres-credentials";
    }

    /** Secret: Redis' password. */
    public static String redisCredentials(String cluster) {
        return cluster + "-redis-credentials";
    }

    /** Secret: the bearer token of the management listener, under {@code token}. */
    public static String management(String cluster) {
        return cluster + "-management";
    }

    /** Secret: the key that encrypts signing keys, under {@code kek}. */
    public static String keyEncryption(String cluster) {
        return cluster + "-key-encryption";
    }

    /** ConfigMap: tenants whose end the runtime has not heard of yet. */
    public static String departures(String cluster) {
        return cluster + "-departures";
    }

    /** PostgreSQL: StatefulSet, headless Service, ServiceAccount, ConfigMap, Patroni's scope. */
    public static String postgres(String cluster) {
        return cluster + "-postgres";
    }

    /** Service that leads to the primary. */
    public static String postgresReadWrite(String cluster) {
        return cluster + "-postgres-rw";
    }

    /** Service that leads to replicas. */
    public static String postgresReadOnly(String cluster) {
        return cluster + "-postgres-ro";
    }

    /** Redis: StatefulSet, Service, ConfigMap. */
    public static String redis(String cluster) {
        return cluster + "-redis";
    }

    /** The runtime: Deployment, public Service, ConfigMap. */
    public static String runtime(String cluster) {
        return cluster + "-runtime";
    }

    /** Service of the management listener. */
    public static String runtimeManagement(String cluster) {
        return cluster + "-runtime-management";
    }

    /** The gateway: Deployment, Service, ConfigMap. */
    public static String gateway(String cluster) {
        return cluster + "-gateway";
    }

    /** Job that prepares the database; the hash is of all that it depends on. */
    public static String migrate(String cluster, String hash) {
        return cluster + "-migrate-" + hash;
    }

    /** The first {@code digits} hexadecimal digits of SHA-256 over the text. */
    public static String hash(String text, int digits) {
        return hash(text.getBytes(StandardCharsets.UTF_8), digits);
    }

    /** The first {@code digits} hexadecimal digits of SHA-256 over the bytes. */
    public static String hash(byte[] bytes, int digits) {
        try {
            var hash = MessageDigest.getInstance("SHA-256").digest(bytes);
            return HexFormat.of().formatHex(hash).substring(0, digits);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }
}
