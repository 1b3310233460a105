package dev.sekisho.operator.idpcluster;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Clock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;
import org.jspecify.annotations.Nullable;

/**
 * The IdpCluster's own authority and the certificates that it issues (RFC 5280), all with EC keys on P-256. Each is
 * renewed when two thirds of its life are over.
 */
final class Certificates {
    /** How long an authority lives. */
    static final Duration AUTHORITY_LIFE = Duration.ofDays(3650);
    /** How long what it issues lives. */
    static final Duration LEAF_LIFE = Duration.ofDays(365);

    /** How long a new authority issues nothing in place of what another issued: first everybody must come to trust it. */
    static final Duration DISTRIBUTION = Duration.ofDays(1);
    /** How long the authorities before a new one stay trusted. */
    static final Duration OVERLAP = Duration.ofDays(30);

    private static final Duration SKEW = Duration.ofMinutes(10);
    private static final Pattern ADDRESS = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");
    private static final Pattern PEM_KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
    private static final int MAX_COMMON_NAME = 64;
    private static final int MOST_FORMER = 5;

    private final Clock clock;
    private final SecureRandom random;

    Certificates(Clock clock, SecureRandom random) {
        this.clock = clock;
        this.random = random;
    }

    /**
     * A certificate and its key.
     *
     * @param certificate as PEM
     * @param key as PEM (PKCS #8); never printed
     */
    record Issued(String certificate, String key) {
        @Override
        public String toString() {
            return "Issued[]";
        }
    }

    /** A new authority. */
    Issued authority(String name) {
        var keys = keyPair();
        return issue(name, keys.getPublic(), name, keys, AUTHORITY_LIFE, Set.of(), keys.getPrivate());
    }

    /** A new certificate for servers of the given names, addresses among them. */
    Issued leaf(Issued authority, String name, Set<String> names) {
        var ca = certificate(authority.certificate());
        var caKey = key(authority.key());
        if (ca == null || caKey == null) {
            throw new IllegalStateException("the authority cannot be read");
        }
        var keys = keyPair();
        return issue(
                name,
                keys.getPublic(),
                commonName(ca),
                new KeyPair(ca.getPublicKey(), caKey),
                LEAF_LIFE,
                names,
                keys.getPrivate());
    }

    /** Whether an authority can go on: readable, key and certificate belong together, and not too old. */
    boolean isGoodAuthority(Issued issued) {
        var certificate = certificate(issued.certificate());
        return certificate != null
                && certificate.getBasicConstraints() >= 0
                && belongTogether(certificate, issued.key())
                && isYoung(certificate);
    }

    /**
     * Whether a certificate can go on: the same, for exactly these names, and from this authority; or, as long as this
     * authority is not known everywhere, from another one that is trusted.
     *
     * @param bundle what {@link #bundle} gave
     */
    boolean isGoodLeaf(Issued issued, Issued authority, String bundle, Set<String> names) {
        var certificate = certificate(issued.certificate());
        var ca = certificate(authority.certificate());
        if (certificate == null || ca == null || !belongTogether(certificate, issued.key()) || !isYoung(certificate)) {
            return false;
        }
        boolean trusted = isFrom(certificate, ca)
                || (age(ca).compareTo(DISTRIBUTION) < 0
                        && certificates(bundle).stream()
                                .anyMatch(other -> isAlive(other) && isFrom(certificate, other)));
        try {
            return trusted && names(certificate).equals(new TreeSet<>(names));
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /**
     * The authorities to trust, as PEM: this one, and for a while those before it, for what they issued is still shown.
     *
     * @param former PEM that may hold those before, in any order and more than once
     */
    String bundle(Issued authority, List<String> former) {
        var ca = certificate(authority.certificate());
        if (ca == null || age(ca).compareTo(OVERLAP) >= 0) {
            return authority.certificate();
        }
        return authority.certificate()
                + former.stream()
                        .flatMap(pem -> certificates(pem).stream())
                        .filter(other -> !other.equals(ca) && other.getBasicConstraints() >= 0 && isAlive(other))
                        .distinct()
                        .sorted(Comparator.comparing(X509Certificate::getNotBefore)
                                .reversed())
                        .limit(MOST_FORMER)
                        .map(Certificates::pem)
                        .collect(Collectors.joining());
    }

    private static boolean isFrom(X509Certificate certificate, X509Certificate authority) {
        try {
            certificate.verify(authority.getPublicKey());
            return true;
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private boolean isAlive(X509Certificate certificate) {
        return clock.instant().isBefore(certificate.getNotAfter().toInstant());
    }

    private Duration age(X509Certificate certificate) {
        return Duration.between(certificate.getNotBefore().toInstant().plus(SKEW), clock.instant());
    }

    private boolean isYoung(X509Certificate certificate) {
        var from = certificate.getNotBefore().toInstant();
        var life = Duration.between(from, certificate.getNotAfter().toInstant());
        return clock.instant().isBefore(from.plus(life.multipliedBy(2).dividedBy(3)));
    }

    private Issued issue(
            String subject,
            PublicKey subjectKey,
            String issuer,
            KeyPair issuerKeys,
            Duration life,
            Set<String> names,
            PrivateKey subjectPrivateKey) {
        boolean authority = names.isEmpty();
        var from = clock.instant().truncatedTo(ChronoUnit.SECONDS).minus(SKEW);
        var to = from.plus(life);
        try {
            var extensions = new JcaX509ExtensionUtils();
            var builder = new JcaX509v3CertificateBuilder(
                            name(issuer), serial(), Date.from(from), Date.from(to), name(subject), subjectKey)
                    .addExtension(
                            Extension.basicConstraints,
                            true,
                            authority ? new BasicConstraints(0) : new BasicConstraints(false))
                    .addExtension(
                            Extension.keyUsage,
                            true,
                            new KeyUsage(
                                    authority ? KeyUsage.keyCertSign | KeyUsage.cRLSign : KeyUsage.digitalSignature))
                    .addExtension(
                            Extension.subjectKeyIdentifier, false, extensions.createSubjectKeyIdentifier(subjectKey))
                    .addExtension(
                            Extension.authorityKeyIdentifier,
                            false,
                            extensions.createAuthorityKeyIdentifier(issuerKeys.getPublic()));
            if (!authority) {
                builder.addExtension(
                                Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth))
                        .addExtension(Extension.subjectAlternativeName, false, alternatives(names));
            }
            var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(issuerKeys.getPrivate());
            var certificate = new JcaX509CertificateConverter().getCertificate(builder.build(signer));
            return new Issued(
                    pem("CERTIFICATE", certificate.getEncoded()), pem("PRIVATE KEY", subjectPrivateKey.getEncoded()));
        } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
            throw new IllegalStateException("a certificate cannot be made", e);
        }
    }

    private BigInteger serial() {
        // 128 random bits, positive (RFC 5280, section 4.1.2.2).
        return new BigInteger(127, random).setBit(126);
    }

    private KeyPair keyPair() {
        try {
            var generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"), random);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new AssertionError("every JDK has P-256", e);
        }
    }

    private static X500Name name(String commonName) {
        var cut = commonName.substring(0, Math.min(MAX_COMMON_NAME, commonName.length()));
        return new X500NameBuilder(BCStyle.INSTANCE).addRDN(BCStyle.CN, cut).build();
    }

    private static String commonName(X509Certificate certificate) {
        return new X500Name(certificate.getSubjectX500Principal().getName())
                .getRDNs(BCStyle.CN)[0]
                .getFirst()
                .getValue()
                .toString();
    }

    private static GeneralNames alternatives(Collection<String> names) {
        return new GeneralNames(new TreeSet<>(names)
                .stream()
                        .map(name -> new GeneralName(
                                ADDRESS.matcher(name).matches() ? GeneralName.iPAddress : GeneralName.dNSName, name))
                        .toArray(GeneralName[]::new));
    }

    private static Set<String> names(X509Certificate certificate) throws GeneralSecurityException {
        var names = new TreeSet<String>();
        var alternatives = certificate.getSubjectAlternativeNames();
        if (alternatives != null) {
            for (var alternative : alternatives) {
                names.add(String.valueOf(alternative.get(1)));
            }
        }
        return names;
    }

    private static boolean belongTogether(X509Certificate certificate, String keyPem) {
        var key = key(keyPem);
        if (key == null) {
            return false;
        }
        try {
            var probe = new byte[] {1, 2, 3};
            var signer = Signature.getInstance("SHA256withECDSA");
            signer.initSign(key);
            signer.update(probe);
            var signature = signer.sign();
            signer.initVerify(certificate.getPublicKey());
            signer.update(probe);
            return signer.verify(signature);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private static @Nullable X509Certificate certificate(String pem) {
        try {
            return (X509Certificate) CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException e) {
            return null;
        }
    }

    /** All certificates of a text; none when it cannot be read. */
    private static List<X509Certificate> certificates(String pem) {
        try {
            return CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)))
                    .stream()
                    .map(X509Certificate.class::cast)
                    .toList();
        } catch (GeneralSecurityException e) {
            return List.of();
        }
    }

    private static @Nullable PrivateKey key(String pem) {
        var body = PEM_KEY.matcher(pem);
        if (!body.find()) {
            return null;
        }
        try {
            var der = Base64.getMimeDecoder().decode(body.group(1));
            return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(der));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            return null;
        }
    }

    private static String pem(X509Certificate certificate) {
        try {
            return pem("CERTIFICATE", certificate.getEncoded());
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("a certificate cannot be written", e);
        }
    }

    private static String pem(String type, byte[] der) throws IOException {
        var text = new StringWriter();
        try (var writer = new PemWriter(text)) {
            writer.writeObject(new PemObject(type, der));
        }
        return text.toString();
    }
}
