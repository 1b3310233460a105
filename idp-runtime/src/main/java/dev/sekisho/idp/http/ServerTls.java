package dev.sekisho.idp.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** TLS with a certificate from PEM files, which are read again when they change: certificates are renewed under us. */
public final class ServerTls {
    private static final Logger LOG = LoggerFactory.getLogger(ServerTls.class);
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

    private ServerTls() {}

    /**
     * A context that serves the certificate.
     *
     * @throws IllegalArgumentException when the files hold no certificate and PKCS#8 key
     */
    public static SSLContext of(Path certificate, Path key) {
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {new Reloading(certificate, key)}, null, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("TLS is not available", e);
        }
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Identity(X509Certificate[] chain, PrivateKey key, FileTime certificateTime, FileTime keyTime) {
        boolean isStale(Path certificate, Path key) throws IOException {
            return !Files.getLastModifiedTime(certificate).equals(certificateTime)
                    || !Files.getLastModifiedTime(key).equals(keyTime);
        }

        static Identity read(Path certificate, Path key) throws IOException, GeneralSecurityException {
            var certificateTime = Files.getLastModifiedTime(certificate);
            var keyTime = Files.getLastModifiedTime(key);
            var chain = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(certificate)))
                    .toArray(new X509Certificate[0]);
            if (chain.length == 0) {
                throw new GeneralSecurityException("no certificate in " + certificate);
            }
            var pem = KEY.matcher(Files.readString(key, StandardCharsets.US_ASCII));
            if (!pem.find()) {
                throw new GeneralSecurityException("no PKCS#8 private key in " + key);
            }
            var spec = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem.group(1)));
            var algorithm = chain[0].getPublicKey().getAlgorithm();
            return new Identity(
                    chain, KeyFactory.getInstance(algorithm).generatePrivate(spec), certificateTime, keyTime);
        }
    }

    private static final class Reloading extends X509ExtendedKeyManager {
        private static final String ALIAS = "server-";

        private final Path certificate;
        private final Path key;
        private final ReentrantLock lock = new ReentrantLock();
        private volatile Identities identities;

        /** The identity that new handshakes get, and the one before, which handshakes under way still need. */
        private record Identities(long number, Identity current, Identity before) {
            Identity of(String alias) {
                return alias.equals(ALIAS + number) ? current : before;
            }
        }

        Reloading(Path certificate, Path key) {
            this.certificate = certificate;
            this.key = key;
            try {
                var first = Identity.read(certificate, key);
                this.identities = new Identities(1, first, first);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (GeneralSecurityException e) {
                throw new IllegalArgumentException(
                        "the management listener's certificate or key cannot be used: " + e.getMessage(), e);
            }
        }

        private Identities latest() {
            if (lock.tryLock()) {
                try {
                    var known = identities;
                    if (known.current().isStale(certificate, key)) {
                        identities =
                                new Identities(known.number() + 1, Identity.read(certificate, key), known.current());
                        LOG.info("Read the renewed certificate of the management listener");
                    }
                } catch (IOException | GeneralSecurityException e) {
                    // Perhaps half written: the old one serves until the next handshake.
                    LOG.warn("The renewed certificate cannot be used yet: {}", e.toString());
                } finally {
                    lock.unlock();
                }
            }
            return identities;
        }

        private @Nullable String alias(String keyType) {
            var latest = latest();
            var algorithm = latest.current().key().getAlgorithm();
            boolean fits = keyType.equals(algorithm) || (keyType.startsWith("EC") && algorithm.equals("EC"));
            return fits ? ALIAS + latest.number() : null;
        }

        @Override
        public @Nullable String chooseEngineServerAlias(
                String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
            return alias(keyType);
        }

        @Override
        public @Nullable String chooseServerAlias(
                String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return alias(keyType);
        }

        @Override
        public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
            var alias = alias(keyType);
            return alias == null ? null : new String[] {alias};
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return identities.of(alias).chain().clone();
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return identities.of(alias).key();
        }

        @Override
        public @Nullable String chooseClientAlias(
                String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
            return null;
        }

        @Override
        public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
            return null;
        }
    }
}
