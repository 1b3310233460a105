package dev.sekisho.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crdv2.generator.v1.SchemaCustomizer;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.model.annotation.SpecReplicas;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a cluster shall be.
 *
 * @param replicas how many copies of the runtime run
 * @param image the runtime's image; absent: the one that the operator was released with
 * @param publicUrl what clients see: {@code https://host[:port]}, the start of every issuer; immutable
 * @param allowedNamespaces other namespaces whose Tenants and LoadTests may refer to this cluster; {@code *} for all
 * @param runtime the identity provider itself
 * @param postgres its database
 * @param redis its short-lived state
 * @param gateway the way in
 * @param management the way in for the operator
 * @param loadTests whether LoadTests may aim at this cluster
 * @param deletionPolicy what happens to volumes and keys when the IdpCluster is deleted
 */
@SchemaCustomizer(value = ListMaps.class, input = "")
@ValidationRule(
        value = "self.publicUrl == oldSelf.publicUrl",
        message = "publicUrl is immutable: it is part of every issuer and every token",
        reason = "FieldValueForbidden",
        fieldPath = ".publicUrl")
public record IdpClusterSpec(
        @JsonPropertyDescription("How many copies of the runtime run.") @SpecReplicas @Default("1") @Min(0) @Max(1000) Integer replicas,

        @JsonPropertyDescription("The runtime's image. Absent: the one this operator was released with.")
        @Size(min = 1, max = 500) @Nullable String image,

        @JsonPropertyDescription("What clients see: https://host[:port], the start of every issuer. Immutable.")
        @Required
        @Size(max = 267) @Pattern(PUBLIC_URL) String publicUrl,

        @JsonPropertyDescription(
                "Other namespaces whose Tenants and LoadTests may refer to this IdpCluster; * allows all.")
        @Default("[]")
        @Size(max = 100) List<@Pattern("^(\\*|[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)$") String> allowedNamespaces,

        @JsonPropertyDescription("The identity provider itself.") @Default("{}")
        Runtime runtime,

        @JsonPropertyDescription("Its database.") @Default("{}")
        Postgres postgres,

        @JsonPropertyDescription("Its short-lived state.") @Default("{}")
        Redis redis,

        @JsonPropertyDescription("The way in for clients.") @Default("{}")
        Gateway gateway,

        @JsonPropertyDescription("The way in for the operator; never through the gateway.") @Default("{}")
        Management management,

        @JsonPropertyDescription("Whether LoadTests may aim at this IdpCluster.") @Default("Deny")
        LoadTests loadTests,

        @JsonPropertyDescription(
                "What happens to volumes, passwords and the key-encryption key when the IdpCluster is deleted.")
        @Default("Retain")
        DeletionPolicy deletionPolicy) {

    /** Names of the settings of PostgreSQL that may be given: none that weakens durability, isolation or the log. */
    public static final String PARAMETERS =
            "^(max_connections|max_locks_per_transaction|shared_buffers|huge_pages|temp_buffers"
                    + "|work_mem|maintenance_work_mem|autovacuum_work_mem|hash_mem_multiplier|effective_cache_size"
                    + "|effective_io_concurrency|maintenance_io_concurrency|temp_file_limit|random_page_cost|seq_page_cost"
                    + "|cpu_[a-z_]+_cost|default_statistics_target|jit|max_parallel_[a-z_]+|max_worker_processes"
                    + "|autovacuum_(max_workers|naptime|vacuum_[a-z_]+|analyze_[a-z_]+)|vacuum_cost_[a-z_]+"
                    + "|bgwriter_[a-z_]+|checkpoint_(timeout|completion_target|flush_after)|max_wal_size|min_wal_size|wal_buffers"
                    + "|wal_compression|wal_writer_[a-z_]+|wal_keep_size|max_slot_wal_keep_size|commit_delay|commit_siblings"
                    + "|max_standby_(archive|streaming)_delay|hot_standby_feedback|statement_timeout|lock_timeout|deadlock_timeout"
                    + "|idle_in_transaction_session_timeout|idle_session_timeout|track_io_timing|log_checkpoints|log_lock_waits"
                    + "|log_temp_files|log_autovacuum_min_duration|log_min_duration_statement)$";

    private static final String LABEL_REST = "([a-z0-9-]{0,61}[a-z0-9])?";
    private static final String BYTE = "(25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])";
    private static final String PORT =
            "([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])";

    /**
     * An https URL of a host and perhaps a port: DNS labels, the last of which begins with a letter (RFC 1123, section
     * 2.1), or an IPv4 address.
     */
    public static final String PUBLIC_URL = "^https://(([a-z0-9]" + LABEL_REST + "\\.)*[a-z]" + LABEL_REST + "|(" + BYTE
            + "\\.){3}" + BYTE + ")(:" + PORT + ")?$";

    public IdpClusterSpec {
        replicas = Defaults.or(replicas, 1);
        allowedNamespaces = Defaults.list(allowedNamespaces);
        runtime = Defaults.or(runtime, new Runtime(null, null, null));
        postgres = Defaults.or(postgres, new Postgres(null, null, null, null, null));
        redis = Defaults.or(redis, new Redis(null, null, null));
        gateway = Defaults.or(gateway, new Gateway(null, null, null, null, null));
        management = Defaults.or(management, new Management(null));
        loadTests = Defaults.or(loadTests, LoadTests.Deny);
        deletionPolicy = Defaults.or(deletionPolicy, DeletionPolicy.Retain);
    }

    /** Whether LoadTests may aim at a cluster. */
    public enum LoadTests {
        Deny,
        Allow
    }

    /**
     * Compute resources of a container; quantities as Kubernetes writes them, none of them negative.
     *
     * @param requests what the scheduler sets aside
     * @param limits what the container may not exceed
     */
    @SchemaCustomizer(Quantities.class)
    public record Resources(
            @Default("{}") Map<String, Quantity> requests,
            @Default("{}") Map<String, Quantity> limits) {
        public Resources {
            requests = Defaults.map(requests);
            limits = Defaults.map(limits);
        }
    }

    /**
     * The runtime.
     *
     * @param resources of each replica; absent entries get the operator's defaults
     * @param databasePool its connections to PostgreSQL
     * @param jvmOptions further options of the JVM
     */
    public record Runtime(
            @JsonPropertyDescription("Of each replica; what is absent gets the operator's defaults.") @Default("{}")
            Resources resources,

            @JsonPropertyDescription("Connections to PostgreSQL.") @Default("{}")
            DatabasePool databasePool,

            @JsonPropertyDescription("Further options of the JVM.") @Default("[]") @Size(max = 50) List<@Size(max = 500) String> jvmOptions) {
        public Runtime(
                @Nullable Resources resources, @Nullable DatabasePool databasePool, @Nullable List<String> jvmOptions) {
            this.resources = Defaults.or(resources, new Resources(Map.of(), Map.of()));
            this.databasePool = Defaults.or(databasePool, new DatabasePool(10));
            this.jvmOptions = Defaults.list(jvmOptions);
        }
    }

    /**
     * Connections to PostgreSQL, per replica.
     *
     * @param maximumPoolSize at most so many, 1 to 200; about twice the database's cores serves best
     */
    public record DatabasePool(
            @JsonPropertyDescription("Connections per replica at most; about twice the database's cores serves best.")
            @Default("10")
            @Min(1) @Max(200) Integer maximumPoolSize) {
        public DatabasePool {
            maximumPoolSize = Defaults.or(maximumPoolSize, 10);
        }
    }

    /**
     * PostgreSQL under Patroni.
     *
     * @param replicas members, the primary among them
     * @param synchronous whether a commit is acknowledged only once a replica has it too, if there is one
     * @param parameters settings of PostgreSQL, by name; a person's, over the operator's
     * @param storage each member's volume
     * @param resources of each member
     */
    @ValidationRule(
            value = "!has(self.parameters) || self.parameters.all(name, name.matches('" + PARAMETERS + "'))",
            message = "there is a setting that is the operator's, or that is not known to be safe to change; see"
                    + " docs/reference for those that may be set",
            fieldPath = ".parameters")
    @ValidationRule(
            value = "!has(self.parameters) || !('max_connections' in self.parameters)"
                    + " || (self.parameters['max_connections'].matches('^[0-9]{2,5}$')"
                    + " && int(self.parameters['max_connections']) >= 30)",
            message = "max_connections must be a number of at least 30",
            fieldPath = ".parameters")
    @ValidationRule(
            value =
                    "[['max_connections', '200'], ['max_worker_processes', '8'], ['max_locks_per_transaction', '64']]"
                            + ".all(p, int(has(self.parameters) && p[0] in self.parameters ? self.parameters[p[0]] : p[1])"
                            + " >= int(has(oldSelf.parameters) && p[0] in oldSelf.parameters ? oldSelf.parameters[p[0]] : p[1]))",
            message =
                    "max_connections, max_worker_processes and max_locks_per_transaction may only grow: a replica does"
                            + " not start with less than its primary had",
            reason = "FieldValueForbidden",
            fieldPath = ".parameters")
    public record Postgres(
            @JsonPropertyDescription("Members, the primary among them.") @Default("1") @Min(1) @Max(9) Integer replicas,

            @JsonPropertyDescription(
                    "Whether a commit is acknowledged only once a replica has it too. While there is no replica, the"
                            + " primary goes on alone.")
            @Default("true")
            Boolean synchronous,

            @JsonPropertyDescription(
                    "Settings of PostgreSQL, by name: memory, planner, autovacuum, checkpoints, timeouts,"
                            + " max_connections. Members restart, one after the other, where a setting needs it.")
            @Default("{}")
            @Size(max = 50) Map<String, @Size(min = 1, max = 64) @Pattern("^[A-Za-z0-9._ ,-]+$") String> parameters,

            @JsonPropertyDescription("Each member's volume.") @Default("{}")
            Storage storage,

            @JsonPropertyDescription("Of each member; what is absent gets the operator's defaults.") @Default("{}")
            Resources resources) {
        public Postgres(
                @Nullable Integer replicas,
                @Nullable Boolean synchronous,
                @Nullable Map<String, String> parameters,
                @Nullable Storage storage,
                @Nullable Resources resources) {
            this.replicas = Defaults.or(replicas, 1);
            this.synchronous = Defaults.or(synchronous, true);
            this.parameters = Defaults.map(parameters);
            this.storage = Defaults.or(storage, new Storage(null, null));
            this.resources = Defaults.or(resources, new Resources(Map.of(), Map.of()));
        }
    }

    /**
     * A volume.
     *
     * @param size how large; set at creation
     * @param storageClassName which class; absent: the cluster's default
     */
    @ValidationRule(
            value = "quantity(self.size).compareTo(quantity('64Mi')) >= 0",
            message = "size must be at least 64Mi",
            fieldPath = ".size")
    @ValidationRule(
            value = "self.size == oldSelf.size",
            message = "size is immutable: volumes are not resized",
            reason = "FieldValueForbidden",
            fieldPath = ".size")
    @ValidationRule(
            value = "has(self.storageClassName) == has(oldSelf.storageClassName)"
                    + " && (!has(self.storageClassName) || self.storageClassName == oldSelf.storageClassName)",
            message = "storageClassName is immutable",
            reason = "FieldValueForbidden",
            fieldPath = ".storageClassName")
    public record Storage(
            @JsonPropertyDescription("How large. Immutable.")
            @Default("1Gi")
            @Size(max = 12) @Pattern("^[1-9][0-9]{0,9}(Ki|Mi|Gi|Ti|Pi)$") String size,

            @JsonPropertyDescription("Which StorageClass; absent: the default one. Immutable.")
            @Size(max = 253) @Nullable String storageClassName) {
        public Storage(@Nullable String size, @Nullable String storageClassName) {
            this.size = Defaults.or(size, "1Gi");
            this.storageClassName = storageClassName;
        }
    }

    /**
     * Redis with an append-only file.
     *
     * @param maxMemory what its data may take, never without a bound; past that writes are refused, nothing is evicted
     * @param storage its volume
     * @param resources of its container
     */
    public record Redis(
            @JsonPropertyDescription("What data may take in memory; past that writes are refused, nothing is evicted.")
            @Default("256Mi")
            @Size(max = 8) @Pattern("^[1-9][0-9]{0,5}(Mi|Gi)$") String maxMemory,

            @JsonPropertyDescription("Its volume.") @Default("{}")
            Storage storage,

            @JsonPropertyDescription("What is absent gets the operator's defaults.") @Default("{}")
            Resources resources) {
        public Redis(@Nullable String maxMemory, @Nullable Storage storage, @Nullable Resources resources) {
            this.maxMemory = Defaults.or(maxMemory, "256Mi");
            this.storage = Defaults.or(storage, new Storage(null, null));
            this.resources = Defaults.or(resources, new Resources(Map.of(), Map.of()));
        }
    }

    /**
     * nginx before the runtime.
     *
     * @param replicas how many; 0 takes the cluster off the net
     * @param keepalive idle connections that each worker keeps to the runtime; 0 closes each after one request
     * @param service how it is reached
     * @param tls its certificate; absent: one from the operator's own authority
     * @param resources of each replica
     */
    public record Gateway(
            @JsonPropertyDescription("How many; 0 takes the identity provider off the net.")
            @Default("1")
            @Min(0) @Max(100) Integer replicas,

            @JsonPropertyDescription(
                    "Idle connections that each worker keeps to the runtime; 0 closes each after one request.")
            @Default("32")
            @Min(0) @Max(10000) Integer keepalive,

            @JsonPropertyDescription("How it is reached.") @Default("{}")
            Service service,

            @JsonPropertyDescription("Its certificate; absent: one from the operator's own authority.") @Nullable Tls tls,

            @JsonPropertyDescription("Of each replica; what is absent gets the operator's defaults.") @Default("{}")
            Resources resources) {
        public Gateway(
                @Nullable Integer replicas,
                @Nullable Integer keepalive,
                @Nullable Service service,
                @Nullable Tls tls,
                @Nullable Resources resources) {
            this.replicas = Defaults.or(replicas, 1);
            this.keepalive = Defaults.or(keepalive, 32);
            this.service = Defaults.or(service, new Service(null, null));
            this.tls = tls;
            this.resources = Defaults.or(resources, new Resources(Map.of(), Map.of()));
        }
    }

    /**
     * A certificate of the user's.
     *
     * @param secretName a Secret of type kubernetes.io/tls in the cluster's namespace
     */
    public record Tls(
            @JsonPropertyDescription("A Secret of type kubernetes.io/tls in this namespace.")
            @Required
            @Size(min = 1, max = 253) String secretName) {}

    /**
     * How a Service is reached.
     *
     * @param type its type
     * @param nodePort which port of the nodes, for NodePort; absent: one that Kubernetes chooses
     */
    @ValidationRule(
            value = "!has(self.nodePort) || self.type != 'ClusterIP'",
            message = "nodePort needs type NodePort or LoadBalancer",
            fieldPath = ".nodePort")
    public record Service(
            @JsonPropertyDescription("Type of the Service.") @Default("ClusterIP")
            Type type,

            @JsonPropertyDescription("Port of the nodes; absent: one that Kubernetes chooses.")
            @Min(1) @Max(65535) @Nullable Integer nodePort) {
        public Service(@Nullable Type type, @Nullable Integer nodePort) {
            this.type = Defaults.or(type, Type.ClusterIP);
            this.nodePort = nodePort;
        }

        /** Types of Service. */
        public enum Type {
            ClusterIP,
            NodePort,
            LoadBalancer
        }
    }

    /**
     * The management listener.
     *
     * @param service how it is reached
     */
    public record Management(
            @JsonPropertyDescription("How it is reached; ClusterIP unless for development.") @Default("{}")
            Service service) {
        public Management(@Nullable Service service) {
            this.service = Defaults.or(service, new Service(null, null));
        }
    }
}
