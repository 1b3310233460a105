package dev.sekisho.operator.idpcluster.resources;

import dev.sekisho.operator.kube.Labels.Component;
import dev.sekisho.operator.kube.Names;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigInteger;
import java.util.Map;

/**
 * Patroni's configuration. What names the member, its passwords and Kubernetes comes from the environment, for Patroni
 * does not merge a {@code kubernetes} section with it.
 */
public final class PostgresConfigMap {
    /** Of the StatefulSet's container; PostgreSQL's buffers take a quarter of it. */
    static final String MEMORY_LIMIT = "512Mi";

    private static final BigInteger MIB = BigInteger.valueOf(1 << 20);

    private PostgresConfigMap() {}

    /** The ConfigMap, with the key {@code patroni.yml}. */
    public static ConfigMap desired(Blueprint plan) {
        return new ConfigMapBuilder()
                .withMetadata(plan.meta(Names.postgres(plan.name()), Component.POSTGRES))
                .withData(Map.of("patroni.yml", patroni(plan)))
                .build();
    }

    private static String patroni(Blueprint plan) {
        var postgres = plan.spec().postgres();
        var limit = postgres.resources().limits().getOrDefault("memory", new Quantity(MEMORY_LIMIT));
        long buffers = between(mib(limit) / 4, 32, 8192);
        long volume = mib(new Quantity(postgres.storage().size()));
        // A replica that stays away, or a burst of writes, must not fill the volume.
        long wal = between(volume / 8, 32, 4096);
        return """
                # Limits of write-ahead log are shares of the volume, buffers a share of the memory limit.
                bootstrap:
                  dcs:
                    ttl: 20
                    loop_wait: 2
                    retry_timeout: 5
                    maximum_lag_on_failover: 1048576
                    failsafe_mode: true
                    # Not strict: alone, the primary still takes writes.
                    synchronous_mode: true
                    postgresql:
                      use_pg_rewind: true
                      use_slots: true
                      parameters:
                        max_connections: 200
                        max_wal_senders: 10
                        max_replication_slots: 10
                        wal_level: replica
                        hot_standby: "on"
                        wal_log_hints: "on"
                  initdb:
                    - encoding: UTF8
                    - locale: C.UTF-8
                    - data-checksums
                restapi:
                  listen: 0.0.0.0:8008
                postgresql:
                  listen: "*:5432"
                  data_dir: /var/lib/sekisho/postgres/data
                  pgpass: /tmp/pgpass
                  use_unix_socket: true
                  use_unix_socket_repl: true
                  remove_data_directory_on_rewind_failure: true
                  pg_hba:
                    - local all all scram-sha-256
                    - local replication all scram-sha-256
                    - hostssl replication replicator all scram-sha-256
                    - hostssl all all all scram-sha-256
                  parameters:
                    unix_socket_directories: /tmp
                    password_encryption: scram-sha-256
                    ssl: "on"
                    ssl_cert_file: /etc/sekisho/tls/tls.crt
                    ssl_key_file: /etc/sekisho/tls/tls.key
                    ssl_min_protocol_version: TLSv1.2
                    shared_buffers: %1$dMB
                    wal_keep_size: 32MB
                    min_wal_size: 32MB
                    max_wal_size: %2$dMB
                    max_slot_wal_keep_size: %2$dMB
                    tcp_keepalives_idle: 5
                    tcp_keepalives_interval: 3
                    tcp_keepalives_count: 3
                    idle_in_transaction_session_timeout: 60s
                    log_parameter_max_length: 0
                    log_parameter_max_length_on_error: 0
                """.formatted(buffers, wal);
    }

    private static long mib(Quantity quantity) {
        return Pods.amount(quantity)
                .map(bytes -> bytes.toBigInteger().divide(MIB).longValue())
                .orElse(0L);
    }

    private static long between(long value, long min, long max) {
        return Math.clamp(value, min, max);
    }
}
