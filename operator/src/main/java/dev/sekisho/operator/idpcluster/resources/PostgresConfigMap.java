package dev.sekisho.operator.idpcluster.resources;

import dev.sekisho.operator.kube.Labels.Component;
import dev.sekisho.operator.kube.Names;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.Map;

/**
 * Patroni's configuration. What names the member, its passwords and Kubernetes comes from the environment, for Patroni
 * does not merge a {@code kubernetes} section with it.
 */
public final class PostgresConfigMap {
    private PostgresConfigMap() {}

    /** The ConfigMap, with the key {@code patroni.yml}. */
    public static ConfigMap desired(Blueprint plan) {
        return new ConfigMapBuilder()
                .withMetadata(plan.meta(Names.postgres(plan.name()), Component.POSTGRES))
                .withData(Map.of("patroni.yml", patroni(plan)))
                .build();
    }

    /** What members read at each start; the rest of the configuration only when the first of them is born. */
    public static String local() {
        return LOCAL;
    }

    private static String patroni(Blueprint plan) {
        return BOOTSTRAP.formatted(
                        PatroniSettings.desired(plan).toPrettyString().indent(4).strip())
                + LOCAL;
    }

    private static final String BOOTSTRAP = """
            bootstrap:
              # JSON is YAML too. Afterwards members share these settings through Kubernetes.
              dcs: %s
              initdb:
                - encoding: UTF8
                - locale: C.UTF-8
                - data-checksums
            """;

    private static final String LOCAL = """
            restapi:
              listen: 0.0.0.0:8008
            postgresql:
              listen: "*:5432"
              data_dir: /var/lib/sekisho/postgres/data
              pgpass: /tmp/pgpass
              use_unix_socket: true
              use_unix_socket_repl: true
              remove_data_directory_on_rewind_failure: true
              # A replica is made at once, not with the primary's next checkpoint.
              basebackup:
                - checkpoint: fast
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
                tcp_keepalives_idle: 5
                tcp_keepalives_interval: 3
                tcp_keepalives_count: 3
                log_parameter_max_length: 0
                log_parameter_max_length_on_error: 0
            """;
}
