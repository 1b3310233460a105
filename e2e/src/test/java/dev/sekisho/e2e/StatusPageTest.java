package dev.sekisho.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each reason that the operator can give stands on the page about statuses. */
class StatusPageTest {
    private static final Path PAGE = Path.of("../docs/reference/status.md");
    private static final Path OPERATOR = Path.of("../operator/src/main/java/dev/sekisho/operator");
    private static final Pattern WORD = Pattern.compile("\"([A-Z][A-Za-z]*[a-z][A-Za-z]*)\"");

    /**
     * Words of the same shape that are no reasons of ours: Kubernetes', actions and types of Events, headings of reports.
     * A new word has to be put on the page, or here.
     */
    private static final Set<String> OTHERS = Set.of(
            "Accept",
            "Always",
            "Apply",
            "Authorization",
            "Cluster",
            "Complete",
            "Completed",
            "ContainerCreating",
            "CreateContainerConfigError",
            "CreateContainerError",
            "Delete",
            "Ended",
            "ErrImageNeverPull",
            "ErrImagePull",
            "FailureTarget",
            "File",
            "IfNotPresent",
            "InvalidImageName",
            "Job",
            "Mi",
            "NamespaceTerminating",
            "NetworkPolicies",
            "Never",
            "Normal",
            "Observe",
            "Opaque",
            "PodInitializing",
            "PodScheduled",
            "Reconcile",
            "RegistryUnavailable",
            "Run",
            "RunContainerError",
            "RuntimeDefault",
            "Scenario",
            "Services",
            "Started",
            "Stopped",
            "Stopping",
            "Switchover",
            "Tenants",
            "True",
            "VUs",
            "Warning");

    @Test
    void eachReasonStandsOnThePage() throws IOException {
        var page = Set.copyOf(List.of(Files.readString(PAGE).split("[^A-Za-z]+")));
        var missing = words();
        missing.removeAll(page);
        missing.removeAll(OTHERS);
        assertThat(missing).as("reasons that %s does not explain", PAGE).isEmpty();
    }

    @Test
    void theReasonsAreFoundWhereTheOperatorHasThem() throws IOException {
        assertThat(words()).contains("RolloutStuck", "TenantIdConflict", "ObjectiveMissed", "DriftCorrected");
    }

    private static Set<String> words() throws IOException {
        var words = new TreeSet<String>();
        try (Stream<Path> files = Files.walk(OPERATOR)) {
            files.filter(file -> file.toString().endsWith(".java"))
                    // What is made of Kubernetes' objects has Kubernetes' words.
                    .filter(file -> !file.toString().contains("/resources/"))
                    .forEach(file -> WORD.matcher(read(file)).results().forEach(match -> words.add(match.group(1))));
        }
        return words;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
