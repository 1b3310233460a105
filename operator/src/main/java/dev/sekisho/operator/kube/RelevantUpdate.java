package dev.sekisho.operator.kube;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.processing.event.source.filter.OnUpdateFilter;
import java.util.Objects;

/**
 * Lets updates through that a user made: to the spec, to annotations (pausing is one), to finalizers, or a deletion. Not
 * those of the status, which are the operator's own.
 */
public final class RelevantUpdate implements OnUpdateFilter<HasMetadata> {
    @Override
    public boolean accept(HasMetadata now, HasMetadata before) {
        var after = now.getMetadata();
        var old = before.getMetadata();
        return !Objects.equals(after.getGeneration(), old.getGeneration())
                || !Objects.equals(after.getAnnotations(), old.getAnnotations())
                || !Objects.equals(after.getFinalizers(), old.getFinalizers())
                || !Objects.equals(after.getDeletionTimestamp(), old.getDeletionTimestamp());
    }
}
