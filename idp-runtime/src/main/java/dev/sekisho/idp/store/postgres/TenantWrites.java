package dev.sekisho.idp.store.postgres;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.util.RawValue;
import dev.sekisho.idp.keys.StoredKey;
import dev.sekisho.idp.tenant.TenantRecord;
import dev.sekisho.idp.tenant.TenantVersion;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/** Writes the difference between what is stored of a tenant and what shall be, in one round trip. */
final class TenantWrites {
    private static final JsonMapper JSON = new JsonMapper();

    private static final String TENANT =
            "insert into sekisho.tenant as t (tenant_id, tenant_name, owner, display_name, state,"
                    + " access_token_lifetime_seconds, signing_algorithm, version) values (?, ?, ?, ?, ?, ?, ?, 1)"
                    + " on conflict (tenant_id) do update set tenant_name = excluded.tenant_name,"
                    + " owner = excluded.owner, display_name = excluded.display_name, state = excluded.state,"
                    + " access_token_lifetime_seconds = excluded.access_token_lifetime_seconds,"
                    + " signing_algorithm = excluded.signing_algorithm, version = t.version + 1, updated_at = now()"
                    + " returning version, revision; ";

    private static final String CLIENTS = "delete from sekisho.client where tenant_id = ? and client_id = any (?);"
            + " insert into sekisho.client (tenant_id, client_id, name, grants, redirect_uris, scopes, auth_method,"
            + " secret_sha256, jwks) select ?, c.* from jsonb_to_recordset(?::jsonb) as c(client_id text, name text,"
            + " grants text[], redirect_uris text[], scopes text[], auth_method text, secret_sha256 text,"
            + " jwks jsonb); ";

    private static final String KEYS = "delete from sekisho.signing_key where tenant_id = ? and kid = any (?);"
            + " insert into sekisho.signing_key (tenant_id, kid, algorithm, state, public_jwk, sealed_private_key)"
            + " select ?, k.* from jsonb_to_recordset(?::jsonb) as k(kid text, algorithm text, state text,"
            + " public_jwk text, sealed_private_key text)";

    private TenantWrites() {}

    static TenantVersion write(Connection connection, Optional<TenantRecord> stored, TenantRecord wanted)
            throws SQLException {
        var settings = wanted.settings();
        var oldClients = stored.map(TenantRecord::clients).orElse(List.of());
        var oldKeys = stored.map(TenantRecord::keys).orElse(List.of());
        try (var statement = connection.prepareStatement(TENANT + CLIENTS + KEYS)) {
            int i = 1;
            statement.setObject(i++, settings.key());
            statement.setString(i++, settings.tenantId());
            statement.setString(i++, settings.owner());
            statement.setString(i++, settings.displayName());
            statement.setString(i++, settings.state().name());
            statement.setInt(i++, Math.toIntExact(settings.accessTokenLifetime().toSeconds()));
            statement.setString(i++, settings.signingAlgorithm().name());
            var goneClients = minus(oldClients, wanted.clients()).stream()
                    .map(TenantRecord.ClientRecord::clientId)
                    .toArray();
            statement.setObject(i++, settings.key());
            statement.setArray(i++, connection.createArrayOf("text", goneClients));
            statement.setObject(i++, settings.key());
            statement.setString(i++, clients(minus(wanted.clients(), oldClients)));
            var goneKeys =
                    minus(oldKeys, wanted.keys()).stream().map(StoredKey::kid).toArray();
            statement.setObject(i++, settings.key());
            statement.setArray(i++, connection.createArrayOf("text", goneKeys));
            statement.setObject(i++, settings.key());
            statement.setString(i, keys(minus(wanted.keys(), oldKeys)));
            statement.execute();
            try (var rows = Objects.requireNonNull(statement.getResultSet(), "returning gives rows")) {
                if (!rows.next()) {
                    throw new SQLException("the tenant was not written");
                }
                return new TenantVersion(rows.getLong(1), rows.getObject(2, UUID.class));
            }
        }
    }

    /** What is in the first and not, exactly the same, in the second. */
    private static <T> List<T> minus(Collection<T> first, Collection<T> second) {
        var known = new HashSet<>(second);
        return first.stream().filter(x -> !known.contains(x)).toList();
    }

    private static String clients(List<TenantRecord.ClientRecord> clients) {
        var array = JSON.createArrayNode();
        for (var client : clients) {
            var row = array.addObject()
                    .put("client_id", client.clientId())
                    .put("name", client.name())
                    .put("auth_method", client.method())
                    .put("secret_sha256", client.secretSha256().orElse(null));
            client.jwks().ifPresent(jwks -> row.putRawValue("jwks", new RawValue(jwks)));
            texts(row.putArray("grants"), client.grants());
            texts(row.putArray("redirect_uris"), client.redirectUris());
            texts(row.putArray("scopes"), client.scopes());
        }
        return json(array);
    }

    private static String keys(List<StoredKey> keys) {
        var array = JSON.createArrayNode();
        for (var key : keys) {
            array.addObject()
                    .put("kid", key.kid())
                    .put("algorithm", key.algorithm().name())
                    .put("state", key.state().name())
                    .put("public_jwk", key.publicJwk())
                    .put("sealed_private_key", key.sealed());
        }
        return json(array);
    }

    private static void texts(ArrayNode array, List<String> texts) {
        texts.forEach(array::add);
    }

    private static String json(ArrayNode array) {
        try {
            return JSON.writeValueAsString(array);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("cannot write rows as JSON", e);
        }
    }
}
