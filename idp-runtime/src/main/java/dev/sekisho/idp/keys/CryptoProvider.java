package dev.sekisho.idp.keys;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Provider;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who signs: the Amazon Corretto Crypto Provider where its native library loads (about eight times as fast for ES256),
 * else the JDK.
 */
public final class CryptoProvider {
    private static final Logger LOG = LoggerFactory.getLogger(CryptoProvider.class);

    private final Optional<Provider> provider;

    private CryptoProvider(Optional<Provider> provider) {
        this.provider = provider;
    }

    /** The fastest provider that works here. */
    public static CryptoProvider best() {
        try {
            var corretto = AmazonCorrettoCryptoProvider.INSTANCE;
            if (corretto.getLoadingError() == null) {
                return new CryptoProvider(Optional.of(corretto));
            }
            LOG.warn(
                    "Signing with the JDK's provider, for Corretto's does not load: {}",
                    String.valueOf(corretto.getLoadingError()));
        } catch (LinkageError e) {
            LOG.warn("Signing with the JDK's provider, for Corretto's does not load: {}", e.toString());
        }
        return jdk();
    }

    /** The JDK's provider. */
    public static CryptoProvider jdk() {
        return new CryptoProvider(Optional.empty());
    }

    /** Its name. */
    public String name() {
        return provider.map(Provider::getName).orElse("JDK");
    }

    Optional<Provider> provider() {
        return provider;
    }

    /** The key in the provider's own form, which halves the time of each signature. */
    PrivateKey translate(PrivateKey key) throws GeneralSecurityException {
        if (provider.isEmpty()) {
            return key;
        }
        return (PrivateKey)
                KeyFactory.getInstance(key.getAlgorithm(), provider.get()).translateKey(key);
    }
}
