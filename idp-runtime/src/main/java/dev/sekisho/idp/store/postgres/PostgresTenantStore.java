package dev.sekisho.idp.store.postgres;

import dev.sekisho.idp.keys.Algorithm;
import dev.sekisho.idp.keys.StoredKey;
import dev.sekisho.idp.tenant.CanonicalJson;
import dev.sekisho.idp.tenant.TenantRecord;
import dev.sekisho.idp.tenant.TenantStore;
import dev.sekisho.idp.tenant.TenantVersion;
import dev.sekisho.idp.tenant.Versioned;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Tenants in PostgreSQL under row-level security.
 *
 * <p>Each call starts with {@code set_config('app.tenant_id', …, true)} in the same round trip as what follows: pgjdbc
 * sends several statements of one prepared statement as a pipeline, which in autocommit mode is one transaction, so the
 * setting ends with it and the connection's next borrower starts with none. Reads do not name the tenant: the policy
 * does. Writes name it too.
 */
public final class PostgresTenantStore implements TenantStore {
    private static final String AS_TENANT = "select set_config('app.tenant_id', ?, true); ";

    private static final String READ = "select tenant_id, tenant_name, owner, display_name, state,"
            + " access_token_lifetime_seconds, signing_algorithm, version, revision from sekisho.tenant;"
            + " select client_id, name, grants, redirect_uris, scopes, auth_method, secret_sha256, jwks"
            + " from sekisho.client order by client_id;"
            + " select kid, algorithm, state, public_jwk, sealed_private_key from sekisho.signing_key order by kid";

    private static final String LOAD = AS_TENANT + READ;

    /** The lock serialises changes of one tenant, before its row exists too. Its number may collide, which only waits. */
    private static final String LOAD_LOCKED =
            AS_TENANT + "select pg_advisory_xact_lock(hashtextextended('sekisho.tenant/' || ?, 0)); " + READ;

    private static final String VERSION = AS_TENANT + "select version, revision from sekisho.tenant";

    private static final String DELETE = "delete from sekisho.tenant where tenant_id = ?";

    private static final String READY =
            "select not pg_is_in_recovery() as is_primary, rolsuper or rolbypassrls as mighty"
                    + " from pg_roles where rolname = current_user";

    private final Pool pool;

    public PostgresTenantStore(Pool pool) {
        this.pool = pool;
    }

    @Override
    public Optional<Versioned> load(UUID key) {
        return pool.read(connection -> {
            try (var statement = connection.prepareStatement(LOAD)) {
                statement.setString(1, key.toString());
                return read(statement, 1);
            }
        });
    }

    @Override
    public Optional<TenantVersion> version(UUID key) {
        return pool.read(connection -> {
            try (var statement = connection.prepareStatement(VERSION)) {
                statement.setString(1, key.toString());
                statement.execute();
                var rows = results(statement, 1);
                return rows.next()
                        ? Optional.of(new TenantVersion(rows.getLong(1), rows.getObject(2, UUID.class)))
                        : Optional.empty();
            }
        });
    }

    @Override
    public Change put(UUID key, Function<Optional<Versioned>, TenantRecord> desired) {
        return pool.transaction(connection -> {
            var stored = loadLocked(connection, key);
            var wanted = desired.apply(stored);
            if (!wanted.settings().key().equals(key)) {
                throw new IllegalArgumentException("the record is another tenant's");
            }
            if (stored.isPresent() && stored.get().record().equals(wanted)) {
                return new Change(stored.get(), false);
            }
            var version = TenantWrites.write(connection, stored.map(Versioned::record), wanted);
            return new Change(new Versioned(wanted, version), true);
        });
    }

    @Override
    public boolean delete(UUID key, Consumer<Versioned> check) {
        return pool.transaction(connection -> {
            var stored = loadLocked(connection, key);
            if (stored.isEmpty()) {
                return false;
            }
            check.accept(stored.get());
            try (var statement = connection.prepareStatement(DELETE)) {
                statement.setObject(1, key);
                return statement.executeUpdate() > 0;
            }
        });
    }

    /**
     * Whether the database answers, has the tables that this version needs and takes writes.
     *
     * @throws dev.sekisho.idp.tenant.StoreUnavailableException when it is away
     * @throws IllegalStateException when it is not migrated, or this role could see through row-level security
     */
    public boolean ready() {
        load(new UUID(0, 0));
        return pool.read(connection -> {
            try (var statement = connection.prepareStatement(READY);
                    var rows = statement.executeQuery()) {
                if (!rows.next() || rows.getBoolean("mighty")) {
                    throw new IllegalStateException("the runtime's role is exempt from row-level security");
                }
                return rows.getBoolean("is_primary");
            }
        });
    }

    private static Optional<Versioned> loadLocked(Connection connection, UUID key) throws SQLException {
        try (var statement = connection.prepareStatement(LOAD_LOCKED)) {
            statement.setString(1, key.toString());
            statement.setString(2, key.toString());
            return read(statement, 2);
        }
    }

    /** Runs the statement, skips the results before what {@link #READ} gives, and reads that. */
    private static Optional<Versioned> read(PreparedStatement statement, int skip) throws SQLException {
        statement.execute();
        var rows = results(statement, skip);
        if (!rows.next()) {
            return Optional.empty();
        }
        var settings = new TenantRecord.Settings(
                rows.getObject("tenant_id", UUID.class),
                rows.getString("tenant_name"),
                rows.getString("owner"),
                rows.getString("display_name"),
                TenantRecord.State.valueOf(rows.getString("state")),
                Duration.ofSeconds(rows.getLong("access_token_lifetime_seconds")),
                Algorithm.valueOf(rows.getString("signing_algorithm")));
        var version = new TenantVersion(rows.getLong("version"), rows.getObject("revision", UUID.class));
        var clients = clients(results(statement, 1));
        var keys = keys(results(statement, 1));
        return Optional.of(new Versioned(new TenantRecord(settings, clients, keys), version));
    }

    private static List<TenantRecord.ClientRecord> clients(ResultSet rows) throws SQLException {
        var clients = new ArrayList<TenantRecord.ClientRecord>();
        while (rows.next()) {
            clients.add(new TenantRecord.ClientRecord(
                    rows.getString("client_id"),
                    rows.getString("name"),
                    texts(rows, "grants"),
                    texts(rows, "redirect_uris"),
                    texts(rows, "scopes"),
                    rows.getString("auth_method"),
                    Optional.ofNullable(rows.getString("secret_sha256")),
                    Optional.ofNullable(rows.getString("jwks")).map(CanonicalJson::ofText)));
        }
        return clients;
    }

    private static List<StoredKey> keys(ResultSet rows) throws SQLException {
        var keys = new ArrayList<StoredKey>();
        while (rows.next()) {
            keys.add(new StoredKey(
                    rows.getString("kid"),
                    Algorithm.valueOf(rows.getString("algorithm")),
                    StoredKey.State.valueOf(rows.getString("state")),
                    rows.getString("public_jwk"),
                    rows.getString("sealed_private_key")));
        }
        return keys;
    }

    private static List<String> texts(ResultSet rows, String column) throws SQLException {
        return Arrays.stream((String[]) rows.getArray(column).getArray())
                .map(text -> Objects.requireNonNullElse(text, ""))
                .toList();
    }

    /** The result set after so many further results; {@code execute} stands on the first. */
    private static ResultSet results(PreparedStatement statement, int skip) throws SQLException {
        for (int i = 0; i < skip; i++) {
            statement.getMoreResults();
        }
        var rows = statement.getResultSet();
        if (rows == null) {
            throw new SQLException("a statement gave no rows where rows were expected");
        }
        return rows;
    }
}
