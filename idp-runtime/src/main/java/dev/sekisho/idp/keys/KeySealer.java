package dev.sekisho.idp.keys;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.UUID;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts private keys with AES-256-GCM under the key-encryption key. The tenant's key and the kid are authenticated
 * too, so that a row copied to another tenant does not open.
 *
 * <p>Layout: version (1 byte), nonce (12 bytes), ciphertext with tag (16 bytes).
 */
public final class KeySealer {
    private static final byte VERSION = 1;
    private static final int NONCE = 12;
    private static final int TAG_BITS = 128;
    private static final int KEY_BYTES = 32;

    private final SecretKey key;
    private final SecureRandom random = new SecureRandom();

    /**
     * A sealer.
     *
     * @throws IllegalArgumentException when the key-encryption key is not 32 bytes long
     */
    public KeySealer(byte[] keyEncryptionKey) {
        if (keyEncryptionKey.length != KEY_BYTES) {
            throw new IllegalArgumentException("the key-encryption key must be exactly 32 bytes long");
        }
        this.key = new SecretKeySpec(keyEncryptionKey, "AES");
    }

    String seal(byte[] plain, UUID tenant, String kid) {
        var nonce = new byte[NONCE];
        random.nextBytes(nonce);
        try {
            var sealed = cipher(Cipher.ENCRYPT_MODE, nonce, tenant, kid).doFinal(plain);
            var all = ByteBuffer.allocate(1 + NONCE + sealed.length);
            all.put(VERSION).put(nonce).put(sealed);
            return Base64.getEncoder().encodeToString(all.array());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("cannot encrypt", e);
        }
    }

    /**
     * Opens what was sealed.
     *
     * @throws KeyUnusableException when it was sealed under another key, for another tenant, or was changed
     */
    byte[] open(String sealed, UUID tenant, String kid) {
        try {
            var all = ByteBuffer.wrap(Base64.getDecoder().decode(sealed));
            if (all.remaining() < 1 + NONCE + TAG_BITS / 8 || all.get() != VERSION) {
                throw new KeyUnusableException("the stored key " + kid + " has an unknown layout");
            }
            var nonce = new byte[NONCE];
            all.get(nonce);
            var ciphertext = new byte[all.remaining()];
            all.get(ciphertext);
            return cipher(Cipher.DECRYPT_MODE, nonce, tenant, kid).doFinal(ciphertext);
        } catch (AEADBadTagException e) {
            throw new KeyUnusableException("the stored key " + kid + " does not open under this key-encryption key", e);
        } catch (IllegalArgumentException e) {
            throw new KeyUnusableException("the stored key " + kid + " is not Base64", e);
        } catch (GeneralSecurityException e) {
            throw new KeyUnusableException("the stored key " + kid + " cannot be decrypted", e);
        }
    }

    private Cipher cipher(int mode, byte[] nonce, UUID tenant, String kid) throws GeneralSecurityException {
        var cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD((tenant + "/" + kid).getBytes(StandardCharsets.UTF_8));
        return cipher;
    }
}
