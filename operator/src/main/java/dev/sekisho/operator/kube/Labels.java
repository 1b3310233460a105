package dev.sekisho.operator.kube;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The labels of everything that the operator makes. */
public final class Labels {
    /** Always {@code sekisho}. */
    public static final String NAME = "app.kubernetes.io/name";
    /** Name of the object that the thing was made for. */
    public static final String INSTANCE = "app.kubernetes.io/instance";
    /** Which part: one of {@link Component}. */
    public static final String COMPONENT = "app.kubernetes.io/component";
    /** Always {@link #MANAGER}. */
    public static final String MANAGED_BY = "app.kubernetes.io/managed-by";
    /** On objects the operator's version; on pods what their image's tag says, so that an upgrade restarts nothing. */
    public static final String VERSION = "app.kubernetes.io/version";

    /** The value of {@link #MANAGED_BY}, also the field manager of server-side apply. */
    public static final String MANAGER = "sekisho-operator";
    /** The value of {@link #NAME}. */
    public static final String APP = "sekisho";

    /** Selects all that the operator made, of whatever kind. */
    public static final String MADE_BY_OPERATOR = NAME + "=" + APP + "," + MANAGED_BY + "=" + MANAGER;

    /** Parts of the whole. */
    public enum Component {
        POSTGRES,
        REDIS,
        RUNTIME,
        GATEWAY,
        OPERATOR,
        LOADTEST;

        /** The value of {@link Labels#COMPONENT}. */
        public String value() {
            return switch (this) {
                case POSTGRES -> "postgres";
                case REDIS -> "redis";
                case RUNTIME -> "runtime";
                case GATEWAY -> "gateway";
                case OPERATOR -> "operator";
                case LOADTEST -> "loadtest";
            };
        }
    }

    private Labels() {}

    /** What selectors use: labels that never change. */
    public static Map<String, String> selector(String instance, Component component) {
        var labels = new LinkedHashMap<String, String>();
        labels.put(NAME, APP);
        labels.put(INSTANCE, instance);
        labels.put(COMPONENT, component.value());
        return labels;
    }

    /** All labels; the version is cut and cleaned to what a label's value may be. */
    public static Map<String, String> of(String instance, Component component, String version) {
        var labels = selector(instance, component);
        labels.put(MANAGED_BY, MANAGER);
        labels.put(VERSION, value(version));
        return labels;
    }

    /** The labels as a selector's text. */
    public static String text(Map<String, String> labels) {
        return labels.entrySet().stream()
                .map(label -> label.getKey() + "=" + label.getValue())
                .collect(Collectors.joining(","));
    }

    /** The tag of an image (or the start of its digest), as a label's value; {@code latest} when it has none. */
    public static String imageVersion(String image) {
        var name = image.substring(image.lastIndexOf('/') + 1);
        int digest = name.indexOf('@');
        int tag = name.indexOf(':');
        if (tag >= 0 && (digest < 0 || tag < digest)) {
            return value(name.substring(tag + 1, digest < 0 ? name.length() : digest));
        }
        return digest < 0 ? "latest" : value(name.substring(name.indexOf(':', digest) + 1));
    }

    private static String value(String text) {
        var clean = text.replaceAll("[^A-Za-z0-9._-]", "_");
        clean = clean.substring(0, Math.min(63, clean.length()));
        clean = clean.replaceAll("^[^A-Za-z0-9]+|[^A-Za-z0-9]+$", "");
        return clean.isEmpty() ? "unknown" : clean;
    }
}
