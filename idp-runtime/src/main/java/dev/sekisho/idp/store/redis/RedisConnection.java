package dev.sekisho.idp.store.redis;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import javax.net.ssl.TrustManagerFactory;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.Config;
import org.redisson.config.Credentials;

/** Connects to Redis. Nothing here waits for it: commands fail while it is away. */
public final class RedisConnection {
    private static final int TIMEOUT_MILLIS = 1000;

    private RedisConnection() {}

    /**
     * A client that connects when it is first used.
     *
     * @param password asked for each new connection
     * @param certificates PEM certificates that a rediss server is checked against; absent: the JVM's
     */
    public static RedissonClient lazily(
            String url, Optional<? extends Supplier<String>> password, Optional<Path> certificates) {
        var config = new Config();
        config.setLazyInitialization(true);
        config.setCodec(StringCodec.INSTANCE);
        config.setNettyThreads(2);
        config.setThreads(2);
        config.setTcpKeepAlive(true);
        config.setTcpNoDelay(true);
        password.ifPresent(secret -> config.setCredentialsResolver(
                _ -> CompletableFuture.completedFuture(new Credentials(null, secret.get()))));
        certificates.ifPresent(file -> config.setSslTrustManagerFactory(trust(file)));
        config.useSingleServer()
                .setAddress(url)
                .setClientName("sekisho-runtime")
                .setConnectTimeout(TIMEOUT_MILLIS)
                .setTimeout(TIMEOUT_MILLIS)
                .setRetryAttempts(1)
                .setConnectionPoolSize(16)
                .setConnectionMinimumIdleSize(1)
                .setSubscriptionConnectionPoolSize(2)
                .setSubscriptionConnectionMinimumIdleSize(1)
                .setPingConnectionInterval(5000);
        return Redisson.create(config);
    }

    private static TrustManagerFactory trust(Path file) {
        try (var in = Files.newInputStream(file)) {
            var store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int i = 0;
            for (var certificate : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("ca-" + i++, certificate);
            }
            if (i == 0) {
                throw new IllegalArgumentException("no certificate in " + file);
            }
            var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            return factory;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the certificates in " + file, e);
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("the certificates in " + file + " cannot be used", e);
        }
    }
}
