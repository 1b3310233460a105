package dev.sekisho.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.NodeList;

/** Each dependency of the build stands on its page, by its artifact's id, with a reason. */
class DependenciesPageTest {
    private static final Path ROOT = Path.of("..");
    private static final Path PAGE = ROOT.resolve("docs/dependencies.md");

    @ParameterizedTest
    @ValueSource(strings = {".", "crds", "operator", "idp-runtime", "loadtest-jobs", "e2e"})
    void eachDependencyStandsOnThePage(String module) throws Exception {
        var page = Files.readString(PAGE);
        var missing = new TreeSet<String>();
        for (var artifact : artifacts(ROOT.resolve(module).resolve("pom.xml"))) {
            if (!artifact.startsWith("sekisho-") && !page.contains("`" + artifact + "`")) {
                missing.add(artifact);
            }
        }
        assertThat(missing).as("dependencies that %s does not name", PAGE).isEmpty();
    }

    @Test
    void eachModuleIsLookedAt() throws Exception {
        assertThat(texts(ROOT.resolve("pom.xml"), "/project/modules/module"))
                .containsExactlyInAnyOrder("crds", "operator", "idp-runtime", "loadtest-jobs", "e2e");
    }

    /** What is used; a managed version that nobody uses is no dependency. */
    private static Set<String> artifacts(Path pom) throws Exception {
        var artifacts = texts(pom, "/project/dependencies/dependency/artifactId");
        artifacts.addAll(texts(pom, "//annotationProcessorPaths/path/artifactId"));
        assertThat(artifacts).as("%s", pom).isNotEmpty();
        return artifacts;
    }

    private static Set<String> texts(Path pom, String path) throws Exception {
        var document = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(pom.toFile());
        var nodes = (NodeList) XPathFactory.newInstance().newXPath().evaluate(path, document, XPathConstants.NODESET);
        var texts = new TreeSet<String>();
        for (int i = 0; i < nodes.getLength(); i++) {
            texts.add(nodes.item(i).getTextContent().trim());
        }
        return texts;
    }
}
