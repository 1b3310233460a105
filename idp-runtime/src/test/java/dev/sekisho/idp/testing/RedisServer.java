package dev.sekisho.idp.testing;

import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.awaitility.Awaitility;
import org.redisson.Redisson;
import org.redisson.api.redisnode.RedisNode;
import org.redisson.api.redisnode.RedisNodes;
import org.redisson.config.Config;
import org.redisson.config.SslVerificationMode;

/** A real Redis on a free loopback port, with TLS only and a password: {@code redis-server} from the PATH. */
public final class RedisServer {
    public static final String PASSWORD = "redis-of-tests";

    private final TestCertificates certificates;
    private final Path home;
    private final int port;
    private Process process;

    private RedisServer(TestCertificates certificates, Path home, int port) {
        this.certificates = certificates;
        this.home = home;
        this.port = port;
        this.process = launch();
    }

    /** Starts a server. */
    public static RedisServer start(TestCertificates certificates) {
        var home = Processes.directory("sekisho-redis-");
        return new RedisServer(certificates, home, Processes.freePort());
    }

    private Process launch() {
        var key = certificates.copyKeyTo(home);
        Processes.hand(key);
        Process started;
        try {
            started = Processes.start(
                    List.of(
                            "redis-server",
                            "--port",
                            "0",
                            "--tls-port",
                            Integer.toString(port),
                            "--bind",
                            "127.0.0.1",
                            "--tls-cert-file",
                            certificates.copyCertificateTo(home).toString(),
                            "--tls-key-file",
                            key.toString(),
                            "--tls-auth-clients",
                            "no",
                            "--requirepass",
                            PASSWORD,
                            "--save",
                            "",
                            "--dir",
                            home.toString()),
                    home);
        } catch (java.io.UncheckedIOException e) {
            throw new IllegalStateException(
                    "No redis-server on the PATH (Debian: apt-get install redis-server, then stop its service)", e);
        }
        Awaitility.await("Redis, see " + Processes.log(home))
                .atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(50))
                .ignoreExceptions()
                .until(() -> {
                    try (var _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
                        return true;
                    }
                });
        return started;
    }

    /** Ends the server. */
    public void stop() {
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

    /** How often each command was called, as {@code INFO commandstats} says. */
    public Map<String, Long> commandCalls() {
        var config = new Config();
        config.setSslVerificationMode(SslVerificationMode.NONE);
        config.setPassword(PASSWORD);
        config.setNettyThreads(1);
        config.setThreads(1);
        config.useSingleServer()
                .setAddress(url())
                .setConnectionMinimumIdleSize(1)
                .setConnectionPoolSize(1);
        var redis = Redisson.create(config);
        try {
            var stats = redis.getRedisNodes(RedisNodes.SINGLE).getInstance().info(RedisNode.InfoSection.COMMANDSTATS);
            var calls = new TreeMap<String, Long>();
            stats.forEach((command, text) -> calls.put(
                    command.replace("cmdstat_", ""), Long.parseLong(text.replaceFirst("calls=(\\d+),.*", "$1"))));
            return calls;
        } finally {
            redis.shutdown();
        }
    }

    /** The {@code rediss} URL. */
    public String url() {
        return "rediss://127.0.0.1:" + port;
    }
}
