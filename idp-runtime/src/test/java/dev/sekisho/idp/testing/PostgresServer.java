package dev.sekisho.idp.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * A real PostgreSQL on a free loopback port, from {@code SEKISHO_TEST_PG_BIN} or {@code /usr/lib/postgresql/<newest>/bin}.
 */
public final class PostgresServer {
    /** The superuser. */
    public static final String ADMIN = "postgres";

    public static final String ADMIN_PASSWORD = "admin-of-tests";

    private final Path bin;
    private final Path home;
    private final Path data;
    private final int port;
    private Process process;

    private PostgresServer(Path bin, Path home, int port) {
        this.bin = bin;
        this.home = home;
        this.data = home.resolve("data");
        this.port = port;
        this.process = launch();
    }

    /** Starts a server with an empty cluster. */
    public static PostgresServer start() {
        var bin = bin();
        var home = Processes.directory("sekisho-pg-");
        var data = home.resolve("data");
        var password = home.resolve("password");
        try {
            Files.writeString(password, ADMIN_PASSWORD);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Processes.hand(password);
        Processes.run(
                List.of(
                        bin.resolve("initdb").toString(),
                        "-D",
                        data.toString(),
                        "-U",
                        ADMIN,
                        "--pwfile",
                        password.toString(),
                        "--auth=scram-sha-256",
                        "--encoding=UTF8",
                        "--no-sync"),
                home,
                true);
        return new PostgresServer(bin, home, Processes.freePort());
    }

    private static Path bin() {
        var configured = System.getenv("SEKISHO_TEST_PG_BIN");
        if (configured != null) {
            return Path.of(configured);
        }
        var versions = Path.of("/usr/lib/postgresql");
        if (Files.isDirectory(versions)) {
            try (Stream<Path> found = Files.list(versions)) {
                var newest = found.map(v -> v.resolve("bin"))
                        .filter(b -> Files.isExecutable(b.resolve("initdb")))
                        .max(Comparator.comparingInt(b ->
                                Integer.parseInt(b.getName(b.getNameCount() - 2).toString())));
                if (newest.isPresent()) {
                    return newest.get();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        throw new IllegalStateException("No PostgreSQL server for the tests. Install one (Debian: apt-get install"
                + " postgresql-15), or set SEKISHO_TEST_PG_BIN to the folder that holds initdb and postgres.");
    }

    private Process launch() {
        var started = Processes.start(
                List.of(
                        bin.resolve("postgres").toString(),
                        "-D",
                        data.toString(),
                        "-p",
                        Integer.toString(port),
                        "-c",
                        "listen_addresses=127.0.0.1",
                        "-c",
                        "unix_socket_directories=",
                        "-c",
                        "fsync=off",
                        "-c",
                        "max_connections=200",
                        "-c",
                        "shared_preload_libraries=pg_stat_statements"),
                home);
        Awaitility.await("PostgreSQL, see " + Processes.log(home))
                .atMost(java.time.Duration.ofSeconds(60))
                .pollInterval(java.time.Duration.ofMillis(50))
                .ignoreExceptions()
                .until(() -> {
                    try (var _ = admin("postgres")) {
                        return true;
                    }
                });
        return started;
    }

    /** Ends the server; its data stays. */
    public void stop() {
        // SIGINT (fast shutdown) would be kinder; SIGTERM waits for clients to leave.
        Processes.run(
                List.of(bin.resolve("pg_ctl").toString(), "-D", data.toString(), "-m", "fast", "-w", "stop"),
                Path.of("/"),
                true);
        Processes.stop(process);
    }

    /** Starts it again, on the same port. */
    public void restart() {
        process = launch();
    }

    /** Where it listens. */
    public int port() {
        return port;
    }

    /** The JDBC URL of a database. */
    public String url(String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
    }

    /** A connection as superuser. */
    public Connection admin(String database) throws SQLException {
        return DriverManager.getConnection(url(database), ADMIN, ADMIN_PASSWORD);
    }
}
