package dev.sekisho.idp.testing;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A CA and a certificate of it for localhost and 127.0.0.1, as PEM files. */
public final class TestCertificates {
    private final Path directory;
    private final X509Certificate authority;
    private final KeyPair authorityKey;
    private long serial = 1;

    private TestCertificates(Path directory, X509Certificate authority, KeyPair authorityKey) {
        this.directory = directory;
        this.authority = authority;
        this.authorityKey = authorityKey;
    }

    /** Makes them in a directory: {@code ca.crt}, {@code tls.crt}, {@code tls.key}. */
    public static TestCertificates in(Path directory) {
        try {
            var key = keyPair();
            var name = new X500Name("CN=Sekisho test CA");
            var ca = builder(name, 1, name, key)
                    .addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
            var certificates = new TestCertificates(directory, sign(ca, key), key);
            write(directory.resolve("ca.crt"), certificates.authority);
            certificates.renew();
            return certificates;
        } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Replaces the leaf by a new one. */
    public void renew() {
        try {
            var key = keyPair();
            var leaf = builder(new X500Name("CN=Sekisho test CA"), ++serial, new X500Name("CN=localhost"), key)
                    .addExtension(Extension.subjectAlternativeName, false, new GeneralNames(new GeneralName[] {
                        new GeneralName(GeneralName.dNSName, "localhost"),
                        new GeneralName(GeneralName.iPAddress, "127.0.0.1")
                    }));
            write(certificate(), sign(leaf, authorityKey));
            write(key(), key.getPrivate());
        } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static JcaX509v3CertificateBuilder builder(X500Name issuer, long serial, X500Name subject, KeyPair key) {
        var now = Instant.now();
        return new JcaX509v3CertificateBuilder(
                issuer,
                BigInteger.valueOf(serial),
                Date.from(now.minus(Duration.ofHours(1))),
                Date.from(now.plus(Duration.ofDays(1))),
                subject,
                key.getPublic());
    }

    private static X509Certificate sign(org.bouncycastle.cert.X509v3CertificateBuilder builder, KeyPair key)
            throws OperatorCreationException, GeneralSecurityException {
        var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(key.getPrivate());
        return new JcaX509CertificateConverter().getCertificate(builder.build(signer));
    }

    private static KeyPair keyPair() throws GeneralSecurityException {
        var generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    private static void write(Path file, X509Certificate certificate) throws IOException, GeneralSecurityException {
        write(file, "CERTIFICATE", certificate.getEncoded());
    }

    private static void write(Path file, java.security.PrivateKey key) throws IOException {
        write(file, "PRIVATE KEY", key.getEncoded());
    }

    private static void write(Path file, String type, byte[] der) throws IOException {
        var text = new StringWriter();
        var encoder = java.util.Base64.getMimeEncoder(64, "\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        text.write("-----BEGIN " + type + "-----\n" + encoder.encodeToString(der) + "\n-----END " + type + "-----\n");
        var part = file.resolveSibling(file.getFileName() + ".part");
        Files.writeString(part, text.toString());
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    public Path authorityFile() {
        return directory.resolve("ca.crt");
    }

    public Path certificate() {
        return directory.resolve("tls.crt");
    }

    public Path key() {
        return directory.resolve("tls.key");
    }

    Path copyCertificateTo(Path target) {
        return copy(certificate(), target);
    }

    Path copyKeyTo(Path target) {
        return copy(key(), target);
    }

    private static Path copy(Path file, Path target) {
        try {
            return Files.copy(
                    file, target.resolve(String.valueOf(file.getFileName())), StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A context that trusts the CA alone. */
    public SSLContext trusting() {
        try {
            var store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            store.setCertificateEntry("ca", authority);
            var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            var context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
