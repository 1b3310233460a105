package dev.sekisho.loadtest.js;

import java.util.Map;
import org.graalvm.polyglot.HostAccess;

/** The environment, for the bootstrap script. */
public final class EnvironmentView {
    private final Map<String, String> environment;

    EnvironmentView(Map<String, String> environment) {
        this.environment = environment;
    }

    @HostAccess.Export
    public String[] names() {
        return environment.keySet().toArray(String[]::new);
    }

    @HostAccess.Export
    public String value(String name) {
        return environment.getOrDefault(name, "");
    }
}
