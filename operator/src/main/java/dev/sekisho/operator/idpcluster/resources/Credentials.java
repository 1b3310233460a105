package dev.sekisho.operator.idpcluster.resources;

import java.util.List;

/** Keys of the Secrets that the operator makes. */
public final class Credentials {
    /** PostgreSQL's superuser, {@code postgres}. */
    public static final String SUPERUSER = "superuser";
    /** PostgreSQL's {@code replicator}. */
    public static final String REPLICATION = "replication";
    /** PostgreSQL's {@code rewinder}. */
    public static final String REWIND = "rewind";
    /** PostgreSQL's {@code sekisho_migrator}. */
    public static final String MIGRATOR = "migrator";
    /** PostgreSQL's {@code sekisho_runtime}. */
    public static final String RUNTIME = "runtime";
    /** Patroni's own REST interface, for calls that change something. */
    public static final String RESTAPI = "restapi";
    /** Redis' password. */
    public static final String PASSWORD = "password";
    /** Redis' password once more, as the line of configuration that sets it. */
    public static final String REDIS_CONF = "auth.conf";
    /** The bearer token of the management listener. */
    public static final String TOKEN = "token";
    /** The key that encrypts signing keys: 32 bytes. */
    public static final String KEK = "kek";
    /** Its length. */
    public static final int KEK_BYTES = 32;

    /** All keys of PostgreSQL's Secret. */
    public static final List<String> POSTGRES = List.of(SUPERUSER, REPLICATION, REWIND, MIGRATOR, RUNTIME, RESTAPI);

    private Credentials() {}
}
