package dev.sekisho.loadtest.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/** Whom TLS connections trust. Immutable and shared by all virtual users. */
public final class TlsSettings {
    private final SSLSocketFactory sockets;
    private final boolean verify;

    private TlsSettings(TrustManager[] trust, boolean verify) throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust, null);
        this.sockets = context.getSocketFactory();
        this.verify = verify;
    }

    /**
     * Trust in the certificates of a PEM file, or in the JDK's.
     *
     * @param certificates what SSL_CERT_FILE names; its certificates are trusted in place of the JDK's
     * @throws IOException if it cannot be read, or has no certificate
     */
    public static TlsSettings trusting(Optional<Path> certificates) throws IOException {
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(certificates.isPresent() ? keyStore(certificates.get()) : null);
            return new TlsSettings(factory.getTrustManagers(), true);
        } catch (GeneralSecurityException e) {
            throw new IOException("cannot use the trusted certificates: " + e.getMessage(), e);
        }
    }

    /** Trust in everybody: the option insecureSkipTLSVerify. */
    public static TlsSettings insecure() {
        try {
            return new TlsSettings(new TrustManager[] {new TrustAll()}, false);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has TLS", e);
        }
    }

    private static KeyStore keyStore(Path file) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream in = Files.newInputStream(file)) {
            int number = 0;
            for (Certificate certificate :
                    CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("ca-" + number++, certificate);
            }
            if (number == 0) {
                throw new IOException("no certificate in " + file);
            }
        }
        return store;
    }

    /** Shakes hands over a connected socket; the certificate must be the host's. */
    SSLSocket handshake(Socket socket, String host, int port) throws IOException {
        SSLSocket tls = (SSLSocket) sockets.createSocket(socket, host, port, true);
        SSLParameters parameters = tls.getSSLParameters();
        if (verify) {
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
        }
        parameters.setApplicationProtocols(new String[] {"http/1.1"});
        tls.setSSLParameters(parameters);
        tls.startHandshake();
        return tls;
    }

    private static final class TrustAll extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
