package dev.sekisho.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The reference page cannot drift from the kinds; {@code -Ddocs.update} rewrites it. */
class CrdReferenceTest {
    private static final Path PAGE = Path.of("../docs/reference/custom-resources.md");

    @Test
    void theReferencePageIsWhatTheDefinitionsSay() throws IOException {
        var page = CrdReference.of(Path.of("../crds/generated"));
        if (System.getProperty("docs.update") != null) {
            Files.createDirectories(PAGE.getParent());
            Files.writeString(PAGE, page);
        }
        assertThat(PAGE).exists();
        assertThat(Files.readString(PAGE).equals(page))
                .as("docs/reference/custom-resources.md is stale; to renew: "
                        + "mvn -pl e2e test -Dtest=CrdReferenceTest -Ddocs.update")
                .isTrue();
    }
}
