package dev.sekisho.api.v1alpha1;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crdv2.generator.CRDGenerator;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceColumnDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The committed CustomResourceDefinitions are what the records say; {@code -Dcrds.update} rewrites them. */
class CrdYamlTest {
    private static final Path COMMITTED = Path.of("generated");

    static Stream<Class<? extends CustomResource<?, ?>>> kinds() {
        return Stream.of(IdpCluster.class, Tenant.class, LoadTest.class);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void theCommittedDefinitionIsTheGeneratedOne(Class<? extends CustomResource<?, ?>> kind, @TempDir Path dir)
            throws IOException {
        var generated = generate(kind, dir);
        var committed = COMMITTED.resolve(CustomResource.getCRDName(kind) + ".yaml");
        if (System.getProperty("crds.update") != null) {
            Files.createDirectories(COMMITTED);
            Files.writeString(committed, generated);
        }
        assertThat(committed)
                .as("run: mvn -pl crds test -Dcrds.update")
                .exists()
                .content()
                .isEqualTo(generated);
    }

    private static String generate(Class<? extends CustomResource<?, ?>> kind, Path dir) throws IOException {
        new CRDGenerator().customResourceClasses(kind).inOutputDir(dir.toFile()).generate();
        var crd = Serialization.unmarshal(
                Files.readString(dir.resolve(CustomResource.getCRDName(kind) + "-v1.yml")),
                CustomResourceDefinition.class);
        columnsAsDeclared(kind, crd);
        return "# Generated from the records in crds/; do not edit. To renew: mvn -pl crds test -Dcrds.update\n"
                + Serialization.asYaml(crd);
    }

    /** The generator sorts printer columns by path; people read them in the order in which the kind declares them. */
    private static void columnsAsDeclared(Class<?> kind, CustomResourceDefinition crd) {
        var order = Arrays.stream(kind.getAnnotationsByType(AdditionalPrinterColumn.class))
                .map(AdditionalPrinterColumn::name)
                .toList();
        for (var version : crd.getSpec().getVersions()) {
            assertThat(version.getAdditionalPrinterColumns())
                    .extracting(CustomResourceColumnDefinition::getName)
                    .containsExactlyInAnyOrderElementsOf(order);
            version.getAdditionalPrinterColumns().sort(Comparator.comparingInt(c -> order.indexOf(c.getName())));
        }
    }
}
