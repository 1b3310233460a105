package dev.sekisho.idp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * A secret that stands in a file, read each time it is asked for, so that a rotated one is picked up.
 *
 * @param path the file
 */
public record SecretFile(Path path) implements Supplier<String> {
    private static final int LARGEST = 64 * 1024;

    /**
     * The secret as text, without the newline that editors put at the end.
     *
     * @throws UncheckedIOException when the file cannot be read
     */
    @Override
    public String get() {
        return new String(bytes(), StandardCharsets.UTF_8).stripTrailing();
    }

    /**
     * The file as it is.
     *
     * @throws UncheckedIOException when the file cannot be read
     */
    public byte[] bytes() {
        try {
            if (Files.size(path) > LARGEST) {
                throw new IOException("the file is larger than " + LARGEST + " bytes");
            }
            return Files.readAllBytes(path);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the secret file " + path, e);
        }
    }
}
