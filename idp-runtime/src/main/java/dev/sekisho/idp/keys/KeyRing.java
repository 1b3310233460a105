package dev.sekisho.idp.keys;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The keys of one tenant. The private half of the signing key is opened once, when it is first needed. */
public final class KeyRing {
    private static final JOSEObjectType ACCESS_TOKEN = new JOSEObjectType("at+jwt");

    private final UUID tenant;
    private final SigningKeys signingKeys;
    private final List<StoredKey> keys;
    private final Algorithm accessTokenAlgorithm;
    private final ReentrantLock opening = new ReentrantLock();
    private volatile @Nullable Active active;

    private record Active(JWSHeader header, JWSSigner signer) {}

    /** The keys of a tenant, of which the active one of the algorithm signs access tokens. */
    public KeyRing(UUID tenant, List<StoredKey> keys, Algorithm accessTokenAlgorithm, SigningKeys signingKeys) {
        this.tenant = tenant;
        this.keys = keys.stream().sorted(Comparator.comparing(StoredKey::kid)).toList();
        this.accessTokenAlgorithm = accessTokenAlgorithm;
        this.signingKeys = signingKeys;
    }

    /**
     * Signs an access token (RFC 9068).
     *
     * @throws KeyUnusableException when there is no key, or it does not open
     */
    public String signAccessToken(JWTClaimsSet claims) {
        var signing = active();
        try {
            var token = new SignedJWT(signing.header(), claims);
            token.sign(signing.signer());
            return token.serialize();
        } catch (JOSEException e) {
            throw new KeyUnusableException("the key " + signing.header().getKeyID() + " cannot sign", e);
        }
    }

    /**
     * The public halves as a JWK Set (RFC 7517, section 5).
     *
     * @throws KeyUnusableException when a stored public half is no JWK
     */
    public String publicJwks() {
        var all = new ArrayList<JWK>();
        for (var key : keys) {
            all.add(publicHalf(key));
        }
        return new JWKSet(all).toString(true);
    }

    private static JWK publicHalf(StoredKey key) {
        try {
            @Nullable JWK half = JWK.parse(key.publicJwk()).toPublicJWK();
            if (half != null && key.kid().equals(half.getKeyID())) {
                return half;
            }
        } catch (ParseException e) {
            throw new KeyUnusableException("the public half of key " + key.kid() + " is no JWK", e);
        }
        throw new KeyUnusableException("the public half of key " + key.kid() + " is another key's, or none");
    }

    private Active active() {
        var known = active;
        if (known != null) {
            return known;
        }
        opening.lock();
        try {
            var opened = active;
            if (opened == null) {
                opened = open();
                active = opened;
            }
            return opened;
        } finally {
            opening.unlock();
        }
    }

    private Active open() {
        var key = keys.stream()
                .filter(k -> k.algorithm() == accessTokenAlgorithm && k.state() == StoredKey.State.ACTIVE)
                .findFirst()
                .orElseThrow(() -> new KeyUnusableException("there is no active key for " + accessTokenAlgorithm));
        var header = new JWSHeader.Builder(key.algorithm().jws())
                .type(ACCESS_TOKEN)
                .keyID(key.kid())
                .build();
        return new Active(header, signingKeys.signer(tenant, key));
    }
}
