package dev.sekisho.operator.idpcluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sekisho.operator.idpcluster.Certificates.Issued;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.security.cert.CertPathValidator;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CertificatesTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Set<String> NAMES = Set.of("idp.example", "main-gateway", "127.0.0.1");

    private final Certificates certificates = at(NOW);
    private final Issued authority = certificates.authority("Sekisho CA of idp/main");

    private static Certificates at(Instant now) {
        return new Certificates(Clock.fixed(now, ZoneOffset.UTC), new SecureRandom());
    }

    private static X509Certificate parsed(Issued issued) throws Exception {
        return (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(
                        new ByteArrayInputStream(issued.certificate().getBytes(StandardCharsets.US_ASCII)));
    }

    @Test
    void aLeafIsAValidChainUnderItsAuthority() throws Exception {
        var leaf = parsed(certificates.leaf(authority, "main-gateway", NAMES));
        var parameters = new PKIXParameters(Set.of(new TrustAnchor(parsed(authority), null)));
        parameters.setRevocationEnabled(false);
        parameters.setDate(Date.from(NOW));
        var path = CertificateFactory.getInstance("X.509").generateCertPath(List.of(leaf));
        CertPathValidator.getInstance("PKIX").validate(path, parameters);

        assertThat(leaf.getSubjectAlternativeNames())
                .extracting(entry -> String.valueOf(entry.get(1)))
                .containsExactlyInAnyOrderElementsOf(List.copyOf(NAMES));
        assertThat(leaf.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
        assertThat(leaf.getBasicConstraints()).isEqualTo(-1);
        assertThat(((ECPublicKey) leaf.getPublicKey()).getParams().getOrder().bitLength())
                .isEqualTo(256);
        assertThat(parsed(authority).getBasicConstraints()).isZero();
        assertThat(life(leaf)).isEqualTo(Certificates.LEAF_LIFE);
        assertThat(life(parsed(authority))).isEqualTo(Certificates.AUTHORITY_LIFE);
    }

    private static Duration life(X509Certificate certificate) {
        return Duration.between(
                certificate.getNotBefore().toInstant(),
                certificate.getNotAfter().toInstant());
    }

    @Test
    void aLeafIsGoodUntilTwoThirdsOfItsLife() {
        var leaf = certificates.leaf(authority, "main-gateway", NAMES);
        assertThat(at(NOW.plus(Duration.ofDays(240))).isGoodLeaf(leaf, authority, "", NAMES))
                .isTrue();
        assertThat(at(NOW.plus(Duration.ofDays(245))).isGoodLeaf(leaf, authority, "", NAMES))
                .isFalse();
        assertThat(at(NOW.plus(Duration.ofDays(2430))).isGoodAuthority(authority))
                .isTrue();
        assertThat(at(NOW.plus(Duration.ofDays(2440))).isGoodAuthority(authority))
                .isFalse();
    }

    @Test
    void otherNamesAnotherAuthorityOrAForeignKeyMakeALeafBad() {
        var leaf = certificates.leaf(authority, "main-gateway", NAMES);
        var other = certificates.authority("Sekisho CA of idp/main");
        assertThat(certificates.isGoodLeaf(leaf, authority, "", NAMES)).isTrue();
        assertThat(certificates.isGoodLeaf(leaf, authority, "", Set.of("idp.example")))
                .isFalse();
        assertThat(certificates.isGoodLeaf(leaf, other, "", NAMES)).isFalse();
        assertThat(certificates.isGoodLeaf(new Issued(leaf.certificate(), other.key()), authority, "", NAMES))
                .isFalse();
        assertThat(certificates.isGoodLeaf(new Issued("nonsense", "nonsense"), authority, "", NAMES))
                .isFalse();
        assertThat(certificates.isGoodAuthority(leaf))
                .as("a leaf is no authority")
                .isFalse();
    }

    @Test
    void aNewAuthorityIsTrustedForADayBeforeItReplacesWhatTheFormerIssued() {
        var leaf = certificates.leaf(authority, "main-gateway", NAMES);
        var next = certificates.authority("Sekisho CA of idp/main");
        var bundle = certificates.bundle(next, List.of(authority.certificate(), leaf.certificate(), "nonsense"));
        assertThat(bundle).isEqualTo(next.certificate() + authority.certificate());
        assertThat(certificates.isGoodLeaf(leaf, next, bundle, NAMES)).isTrue();
        assertThat(certificates.isGoodLeaf(leaf, next, next.certificate(), NAMES))
                .as("from an authority that is trusted no more")
                .isFalse();
        assertThat(at(NOW.plus(Certificates.DISTRIBUTION)).isGoodLeaf(leaf, next, bundle, NAMES))
                .isFalse();
    }

    @Test
    void aFormerAuthorityIsTrustedForAWhileAndNeverPastItsEnd() {
        var next = certificates.authority("Sekisho CA of idp/main");
        var both = next.certificate() + authority.certificate();
        var former = List.of(both, authority.certificate());
        assertThat(at(NOW.plus(Certificates.OVERLAP).minusSeconds(1)).bundle(next, former))
                .isEqualTo(both);
        assertThat(at(NOW.plus(Certificates.OVERLAP)).bundle(next, former)).isEqualTo(next.certificate());
        var later = at(NOW.plus(Certificates.AUTHORITY_LIFE));
        var last = later.authority("Sekisho CA of idp/main");
        assertThat(later.bundle(last, former)).isEqualTo(last.certificate());
    }

    @Test
    void keysArePkcs8AndNeverPrinted() {
        assertThat(authority.key()).startsWith("-----BEGIN PRIVATE KEY-----");
        assertThat(authority.toString()).isEqualTo("Issued[]");
    }
}
