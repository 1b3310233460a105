package dev.sekisho.idp;

import dev.sekisho.api.v1alpha1.Durations;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads settings and collects what is wrong with them, so that one start shows every mistake. */
final class Settings {
    private static final Duration LONGEST = Duration.ofHours(1);

    private final Map<String, String> environment;
    private final List<String> problems = new ArrayList<>();

    Settings(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    String text(Setting setting) {
        var value = environment.getOrDefault(setting.variable(), "").strip();
        if (!value.isEmpty()) {
            return value;
        }
        if (setting.required()) {
            problem(setting, "is required");
            return "";
        }
        return setting.defaultValue();
    }

    String oneOf(Setting setting, Set<String> allowed) {
        var value = text(setting);
        if (!allowed.contains(value)) {
            problem(setting, "must be one of " + setting.syntax());
        }
        return value;
    }

    int number(Setting setting, int least, int most) {
        var value = text(setting);
        try {
            int number = Integer.parseInt(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // The range below says what is expected.
        }
        problem(setting, "must be a number from " + least + " to " + most);
        return least;
    }

    Duration duration(Setting setting) {
        try {
            var duration = Durations.parse(text(setting));
            if (duration.compareTo(LONGEST) <= 0) {
                return duration;
            }
        } catch (IllegalArgumentException e) {
            // Said below.
        }
        problem(setting, "must be a duration of at most 1h, such as 5s");
        return Duration.ZERO;
    }

    /** A URL without query, fragment or trailing slash. */
    String baseUrl(Setting setting, Set<String> schemes) {
        var value = text(setting);
        if (value.isEmpty()) {
            return value;
        }
        try {
            var url = new URI(value);
            if (url.getHost() != null
                    && url.getScheme() != null
                    && schemes.contains(url.getScheme())
                    && url.getUserInfo() == null
                    && url.getQuery() == null
                    && url.getFragment() == null) {
                return value.endsWith("/") ? value.substring(0, value.length() - 1) : value;
            }
        } catch (URISyntaxException e) {
            // Said below.
        }
        problem(setting, "must be an absolute URL without user, query and fragment, with scheme " + schemes);
        return value;
    }

    String jdbcUrl(Setting setting) {
        var value = text(setting);
        if (!value.isEmpty() && !value.startsWith("jdbc:postgresql:")) {
            problem(setting, "must start with jdbc:postgresql:");
        }
        return value;
    }

    Path file(Setting setting) {
        var path = Path.of(text(setting));
        if (!path.toString().isEmpty() && !Files.isReadable(path)) {
            problem(setting, "names a file that cannot be read");
        }
        return path;
    }

    SecretFile secret(Setting setting) {
        return new SecretFile(file(setting));
    }

    Optional<Path> optionalFile(Setting setting) {
        return text(setting).isEmpty() ? Optional.empty() : Optional.of(file(setting));
    }

    private void problem(Setting setting, String what) {
        problems.add(setting.variable() + " " + what);
    }

    /** Throws when anything was wrong. */
    void check() {
        if (!problems.isEmpty()) {
            throw new ConfigurationException(String.join("; ", problems));
        }
    }
}
