package dev.sekisho.operator.idpcluster.resources;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sekisho.api.v1alpha1.IdpClusterSpec.Postgres;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigInteger;
import java.util.Map;
import java.util.TreeMap;

/**
 * What Patroni calls its dynamic configuration: settings that all members share and that change while they run. Members
 * read it when the first of them is born, and afterwards from the annotation {@code config} of a ConfigMap.
 */
public final class PatroniSettings {
    /** The annotation of {@link #configMap} that holds the settings, as JSON. */
    public static final String ANNOTATION = "config";

    /** Of the StatefulSet's container; PostgreSQL's buffers take a quarter of it. */
    static final String MEMORY_LIMIT = "512Mi";

    private static final int MAX_CONNECTIONS = 200;
    private static final String MAX_CONNECTIONS_NAME = "max_connections";
    private static final BigInteger MIB = BigInteger.valueOf(1 << 20);
    private static final JsonMapper JSON = new JsonMapper();

    private PatroniSettings() {}

    /** The ConfigMap in whose annotation Patroni keeps the settings. */
    public static String configMap(String scope) {
        return scope + "-config";
    }

    /** How many connections each member accepts. */
    public static int maxConnections(Postgres postgres) {
        var given = postgres.parameters().get(MAX_CONNECTIONS_NAME);
        return given == null ? MAX_CONNECTIONS : Integer.parseInt(given);
    }

    /** The settings that a plan asks for. */
    static ObjectNode desired(Blueprint plan) {
        var postgres = plan.spec().postgres();
        var settings = JSON.createObjectNode()
                // 20 is the least that Patroni takes: so long a primary that vanished without a word is missed.
                .put("ttl", 20)
                .put("loop_wait", 2)
                .put("retry_timeout", 5)
                .put("maximum_lag_on_failover", 1048576)
                // The primary goes on while the API server is away, as long as it reaches all other members.
                .put("failsafe_mode", true)
                // Not strict: alone, the primary still takes writes.
                .put("synchronous_mode", postgres.synchronous());
        var database =
                settings.putObject("postgresql").put("use_pg_rewind", true).put("use_slots", true);
        parameters(postgres).forEach(database.putObject("parameters")::put);
        return settings;
    }

    private static Map<String, String> parameters(Postgres postgres) {
        var limit = postgres.resources().limits().getOrDefault("memory", new Quantity(MEMORY_LIMIT));
        long buffers = Math.clamp(mib(limit) / 4, 32, 8192);
        // Limits of write-ahead log are shares of the volume: a replica that stays away, or a burst of writes, must not
        // fill it.
        long wal = Math.clamp(mib(new Quantity(postgres.storage().size())) / 8, 32, 4096);
        var parameters = new TreeMap<String, String>();
        parameters.put(MAX_CONNECTIONS_NAME, String.valueOf(MAX_CONNECTIONS));
        parameters.put("max_wal_senders", "10");
        parameters.put("max_replication_slots", "10");
        parameters.put("wal_level", "replica");
        parameters.put("hot_standby", "on");
        parameters.put("wal_log_hints", "on");
        parameters.put("shared_buffers", buffers + "MB");
        parameters.put("wal_keep_size", "32MB");
        parameters.put("min_wal_size", "32MB");
        parameters.put("max_wal_size", wal + "MB");
        parameters.put("max_slot_wal_keep_size", wal + "MB");
        parameters.put("idle_in_transaction_session_timeout", "60s");
        parameters.putAll(postgres.parameters());
        return parameters;
    }

    /**
     * Current settings with the plan's laid over them. What the plan says nothing about stays as somebody set it, but for
     * parameters of PostgreSQL, which are the plan's alone: one that is taken out of the plan must go.
     *
     * @param current the annotation's value
     * @return the same text when there is nothing to change
     */
    public static String overlaid(String current, Blueprint plan) {
        JsonNode known;
        try {
            known = JSON.readTree(current);
        } catch (JsonProcessingException e) {
            known = JSON.createObjectNode();
        }
        var merged = known instanceof ObjectNode object ? object.deepCopy() : JSON.createObjectNode();
        var desired = desired(plan);
        var database = merged.get("postgresql") instanceof ObjectNode object ? object : merged.putObject("postgresql");
        desired.properties().stream()
                .filter(setting -> !setting.getKey().equals("postgresql"))
                .forEach(setting -> merged.set(setting.getKey(), setting.getValue()));
        desired.get("postgresql").properties().forEach(setting -> database.set(setting.getKey(), setting.getValue()));
        return merged.equals(known) ? current : merged.toString();
    }

    private static long mib(Quantity quantity) {
        return Pods.amount(quantity)
                .map(bytes -> bytes.toBigInteger().divide(MIB).longValue())
                .orElse(0L);
    }
}
