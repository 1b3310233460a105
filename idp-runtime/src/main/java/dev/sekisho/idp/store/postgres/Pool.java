package dev.sekisho.idp.store.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.SQLExceptionOverride;
import com.zaxxer.hikari.metrics.prometheus.PrometheusMetricsTrackerFactory;
import com.zaxxer.hikari.util.Credentials;
import dev.sekisho.idp.tenant.StoreBusyException;
import dev.sekisho.idp.tenant.StoreUnavailableException;
import io.prometheus.client.CollectorRegistry;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Set;
import java.util.function.Supplier;

/** Connections to PostgreSQL. */
public final class Pool implements AutoCloseable {
    /** read_only_sql_transaction: what was the primary is none any more. */
    private static final String READ_ONLY = "25006";

    /** Of a server that is going, coming or full: admin_shutdown and the like, too_many_connections. */
    private static final Set<String> AWAY = Set.of(READ_ONLY, "57P01", "57P02", "57P03", "53300");

    /** The class of what befalls connections. */
    private static final String CONNECTION = "08";

    /** Classes of what may succeed later: rollbacks, resources, operator intervention, system errors. */
    private static final Set<String> BUSY = Set.of("40", "53", "57", "58");

    private static final int CONNECT_SECONDS = 2;

    /** Long for a statement of ours. A server that is silent for so long has gone without a word. */
    private static final int ANSWER_SECONDS = 5;

    private final HikariDataSource source;

    /**
     * A pool. Opening it reaches no database.
     *
     * @param password asked for each new connection
     * @param wait how long a borrower waits
     */
    public Pool(
            String url,
            String username,
            Supplier<String> password,
            int size,
            Duration wait,
            CollectorRegistry metrics) {
        var config = new HikariConfig();
        config.setPoolName("postgres");
        config.setJdbcUrl(url);
        config.setCredentialsProvider(() -> new Credentials(username, password.get()));
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(Math.min(2, size));
        config.setConnectionTimeout(Math.max(250, wait.toMillis()));
        config.setValidationTimeout(Math.max(250, Math.min(1000, wait.toMillis())));
        config.setInitializationFailTimeout(-1);
        config.setMaxLifetime(Duration.ofMinutes(30).toMillis());
        config.setKeepaliveTime(Duration.ofMinutes(2).toMillis());
        config.setExceptionOverride(new LeaveReadOnly());
        config.setMetricsTrackerFactory(new PrometheusMetricsTrackerFactory(metrics));
        config.addDataSourceProperty("ApplicationName", "sekisho-runtime");
        config.addDataSourceProperty("prepareThreshold", "3");
        config.addDataSourceProperty("tcpKeepAlive", "true");
        config.addDataSourceProperty("connectTimeout", Integer.toString(CONNECT_SECONDS));
        config.addDataSourceProperty("socketTimeout", Integer.toString(ANSWER_SECONDS));
        this.source = new HikariDataSource(config);
    }

    /** What is done with a connection. */
    @FunctionalInterface
    interface Work<T> {
        T with(Connection connection) throws SQLException;
    }

    /**
     * Does something with a connection in autocommit mode.
     *
     * @throws StoreUnavailableException when the database is away or busy
     */
    <T> T use(Work<T> work) {
        try (var connection = source.getConnection()) {
            return work.with(connection);
        } catch (SQLException e) {
            throw translated(e);
        }
    }

    /**
     * Reads something in autocommit mode. Where {@link #use} fails because the connection is broken, this tries once more:
     * that a connection broke while it lay in the pool says nothing about the database.
     *
     * @throws StoreUnavailableException when the database is away or busy
     */
    <T> T read(Work<T> work) {
        try (var connection = source.getConnection()) {
            return work.with(connection);
        } catch (SQLException e) {
            boolean broken = !(e instanceof SQLTransientConnectionException)
                    && !(e.getCause() instanceof SocketTimeoutException)
                    && isAway(String.valueOf(e.getSQLState()));
            if (!broken) {
                throw translated(e);
            }
        }
        return use(work);
    }

    /**
     * Does something in one transaction, which is rolled back when it throws.
     *
     * @throws StoreUnavailableException when the database is away or busy
     */
    <T> T transaction(Work<T> work) {
        return use(connection -> {
            connection.setAutoCommit(false);
            T result;
            try {
                result = work.with(connection);
                connection.commit();
            } catch (SQLException | RuntimeException e) {
                rollback(connection, e);
                throw e;
            }
            connection.setAutoCommit(true);
            return result;
        });
    }

    /** What went wrong first is what is thrown: a connection that was dropped for it cannot be rolled back. */
    private static void rollback(Connection connection, Exception reason) {
        try {
            connection.rollback();
            connection.setAutoCommit(true);
        } catch (SQLException e) {
            reason.addSuppressed(e);
        }
    }

    private RuntimeException translated(SQLException e) {
        if (e instanceof SQLTransientConnectionException) {
            // Hikari's, with PostgreSQL's last refusal, unless another waiter got that, as the cause.
            if (e.getCause() != null) {
                return new StoreUnavailableException(
                        "no connection to PostgreSQL: " + e.getCause().getMessage(), e);
            }
            return source.getHikariPoolMXBean().getActiveConnections() < source.getMaximumPoolSize()
                    ? new StoreUnavailableException("no connection to PostgreSQL", e)
                    : new StoreBusyException("no connection to PostgreSQL was free in time", e);
        }
        var state = String.valueOf(e.getSQLState());
        if (isAway(state)) {
            return new StoreUnavailableException("PostgreSQL is not available (SQLSTATE " + state + ")", e);
        }
        if (BUSY.contains(kind(state))) {
            return new StoreBusyException("PostgreSQL cannot do it now (SQLSTATE " + state + ")", e);
        }
        return new IllegalStateException("PostgreSQL refused a statement (SQLSTATE " + state + ")", e);
    }

    private static boolean isAway(String state) {
        return AWAY.contains(state) || CONNECTION.equals(kind(state));
    }

    private static String kind(String state) {
        return state.substring(0, Math.min(2, state.length()));
    }

    @Override
    public void close() {
        source.close();
    }

    /**
     * Drops all connections when one turns out to lead to a server that no longer takes writes, so that whatever comes
     * next finds the new primary.
     */
    private final class LeaveReadOnly implements SQLExceptionOverride {
        @java.lang.Override
        public SQLExceptionOverride.Override adjudicate(SQLException e) {
            if (!READ_ONLY.equals(e.getSQLState())) {
                return SQLExceptionOverride.Override.CONTINUE_EVICT;
            }
            source.getHikariPoolMXBean().softEvictConnections();
            return SQLExceptionOverride.Override.MUST_EVICT;
        }
    }
}
