package dev.sekisho.e2e;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Commits numbered rows, one after the other, and remembers which were acknowledged and when. A number is tried once:
 * what becomes of a commit whose answer is lost, nobody knows.
 */
final class NumberedRows implements AutoCloseable {
    private static final long PAUSE_NANOS = 1_000_000;

    /**
     * Where they go.
     *
     * @param url of the primary
     * @param password of the superuser
     */
    record Database(String url, String password) {
        Connection connect() throws SQLException {
            var properties = new Properties();
            properties.setProperty("user", "postgres");
            properties.setProperty("password", password);
            // A client that finds the next primary must not hang on to the last one.
            properties.setProperty("connectTimeout", "2");
            properties.setProperty("loginTimeout", "2");
            properties.setProperty("socketTimeout", "2");
            properties.setProperty("cancelSignalTimeout", "1");
            return DriverManager.getConnection(url, properties);
        }

        @Override
        public String toString() {
            return "Database[url=" + url + "]";
        }
    }

    private final Database database;
    private final String run;
    private final Thread writer;
    private final Object lock = new Object();
    private final List<Long> acknowledged = new ArrayList<>();
    private long lastAt = System.nanoTime();
    private long longestGap;
    private volatile boolean stopped;

    private NumberedRows(Database database, String run) {
        this.database = database;
        this.run = run;
        this.writer = Thread.ofPlatform().daemon().name("rows").unstarted(this::write);
    }

    /** Begins, under a name that tells these rows from others'. */
    static NumberedRows start(Database database, String run) throws SQLException {
        try (var connection = database.connect();
                var statement = connection.createStatement()) {
            statement.execute("create table if not exists numbered_rows (run text, n bigint, primary key (run, n))");
        }
        var rows = new NumberedRows(database, run);
        rows.writer.start();
        return rows;
    }

    private void write() {
        long number = 0;
        while (!stopped) {
            try (var connection = database.connect();
                    var insert = connection.prepareStatement("insert into numbered_rows values (?, ?)")) {
                while (!stopped) {
                    number++;
                    insert.setString(1, run);
                    insert.setLong(2, number);
                    insert.executeUpdate();
                    acknowledge(number);
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            } catch (SQLException e) {
                LockSupport.parkNanos(20 * PAUSE_NANOS);
            }
        }
    }

    private void acknowledge(long number) {
        synchronized (lock) {
            long now = System.nanoTime();
            longestGap = Math.max(longestGap, now - lastAt);
            lastAt = now;
            acknowledged.add(number);
        }
    }

    /** How many commits were acknowledged. */
    int count() {
        synchronized (lock) {
            return acknowledged.size();
        }
    }

    /** The longest time between two acknowledgements since this was asked last. */
    Duration outage() {
        synchronized (lock) {
            long gap = Math.max(longestGap, System.nanoTime() - lastAt);
            longestGap = 0;
            return Duration.ofNanos(gap);
        }
    }

    /** Acknowledged rows that the database does not have. */
    List<Long> lost() throws SQLException {
        var kept = kept();
        synchronized (lock) {
            return acknowledged.stream().filter(n -> !kept.contains(n)).toList();
        }
    }

    private Set<Long> kept() throws SQLException {
        try (var connection = database.connect();
                var query = connection.prepareStatement("select n from numbered_rows where run = ?")) {
            query.setString(1, run);
            try (var rows = query.executeQuery()) {
                var kept = new HashSet<Long>();
                while (rows.next()) {
                    kept.add(rows.getLong(1));
                }
                return kept;
            }
        }
    }

    /** Ends the writing; what it wrote stays. */
    void stop() {
        stopped = true;
        try {
            writer.join(Duration.ofSeconds(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        stop();
    }

    /** One value of a query, or null. */
    static @Nullable String ask(Database database, String sql) throws SQLException {
        try (var connection = database.connect();
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            return rows.next() ? rows.getString(1) : null;
        }
    }
}
