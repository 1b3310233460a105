package dev.sekisho.idp.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Texts that are kept in the repository and must be what the code makes of them. With {@code -Dsekisho.golden=write} they
 * are written instead of compared: look at the difference before committing it.
 */
public final class Golden {
    private static final boolean WRITE = "write".equals(System.getProperty("sekisho.golden"));

    private Golden() {}

    /** Compares with {@code src/test/resources/golden/<name>}. */
    public static void check(String name, String actual) {
        checkFile(Path.of("src/test/resources/golden", name), actual);
    }

    /** Compares with a page of the documentation, {@code docs/reference/<name>}. */
    public static void checkPage(String name, String actual) {
        checkFile(Path.of("../docs/reference", name), actual);
    }

    private static void checkFile(Path file, String actual) {
        try {
            if (WRITE) {
                Files.createDirectories(file.toAbsolutePath().resolveSibling("."));
                Files.writeString(file, actual);
            }
            assertThat(actual)
                    .as("%s; if the change is meant, run the test with -Dsekisho.golden=write", file)
                    .isEqualTo(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
