package dev.sekisho.operator.kube;

import io.fabric8.kubernetes.api.model.HasMetadata;

/** The annotation by which a user stops the operator from touching what belongs to an object. */
public final class Paused {
    /** {@code sekisho.dev/paused: "true"}. */
    public static final String ANNOTATION = "sekisho.dev/paused";

    private Paused() {}

    /** Whether the object is paused. */
    public static boolean is(HasMetadata object) {
        var annotations = object.getMetadata().getAnnotations();
        return annotations != null && "true".equals(annotations.get(ANNOTATION));
    }
}
