package dev.sekisho.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Links between pages lead somewhere, and every page can be reached. */
class DocsTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");

    static Stream<Path> pages() throws IOException {
        try (var top = Files.list(ROOT);
                var docs = Files.walk(ROOT.resolve("docs"));
                var examples = Files.walk(ROOT.resolve("examples"))) {
            return Stream.of(top, docs, examples)
                    .flatMap(s -> s)
                    .filter(f -> f.toString().endsWith(".md"))
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyRelativeLinkOfAPageLeadsSomewhere(Path page) throws IOException {
        var broken = new ArrayList<String>();
        var links = LINK.matcher(Files.readString(page).replaceAll("`[^`]*`", ""));
        while (links.find()) {
            var link = links.group(1);
            if (link.matches("[a-z]+:.*")) {
                continue;
            }
            int hash = link.indexOf('#');
            var file = hash < 0 ? link : link.substring(0, hash);
            var target = file.isEmpty() ? page : page.resolveSibling(file).normalize();
            if (!Files.exists(target)) {
                broken.add(link);
            } else if (hash >= 0 && !hasHeading(target, link.substring(hash + 1))) {
                broken.add(link + " (no such heading)");
            }
        }
        assertThat(broken).isEmpty();
    }

    @Test
    void everyPageIsLinkedFromAnother() throws IOException {
        var texts = new ArrayList<String>();
        for (var page : pages().toList()) {
            texts.add(Files.readString(page));
        }
        var unreachable = pages().map(p -> p.getFileName().toString())
                .filter(name -> !name.equals("README.md"))
                .filter(name -> texts.stream().noneMatch(t -> t.contains(name + ")") || t.contains(name + "#")))
                .toList();
        assertThat(unreachable).isEmpty();
    }

    /** As GitHub makes anchors: lower case, no punctuation, hyphens for blanks. */
    private static boolean hasHeading(Path page, String anchor) throws IOException {
        return Files.readString(page)
                .lines()
                .filter(l -> l.startsWith("#"))
                .map(l -> l.replaceFirst("^#+ ", "")
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^a-z0-9 _-]", "")
                        .replace(' ', '-'))
                .anyMatch(anchor::equals);
    }
}
