package dev.sekisho.idp.keys;

import com.nimbusds.jose.JWSAlgorithm;

/** JWS algorithms (RFC 7518, section 3.1) for which every tenant has a key. */
public enum Algorithm {
    ES256,
    RS256;

    JWSAlgorithm jws() {
        return switch (this) {
            case ES256 -> JWSAlgorithm.ES256;
            case RS256 -> JWSAlgorithm.RS256;
        };
    }
}
