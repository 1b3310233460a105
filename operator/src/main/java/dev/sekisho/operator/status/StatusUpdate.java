package dev.sekisho.operator.status;

import dev.sekisho.operator.kube.Labels;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import java.util.function.Supplier;

/** Writes a status only when it differs from what stands there: at rest the operator writes nothing. */
public final class StatusUpdate {
    private StatusUpdate() {}

    /**
     * The update that makes the status what it should be.
     *
     * @param current the object as it was read
     * @param want the status that it should have
     * @param empty makes an empty object of the kind, such as {@code Tenant::new}
     */
    public static <S, R extends CustomResource<?, S>> UpdateControl<R> of(R current, S want, Supplier<R> empty) {
        return want.equals(current.getStatus())
                ? UpdateControl.noUpdate()
                : UpdateControl.patchStatus(fresh(current, want, empty));
    }

    /**
     * Writes a status where the framework offers no update, as in a cleaner. For a status that differs from what stands.
     */
    public static <S, R extends CustomResource<?, S>> void write(
            KubernetesClient client, R current, S want, Supplier<R> empty) {
        client.resource(fresh(current, want, empty))
                .subresource("status")
                .patch(new PatchContext.Builder()
                        .withPatchType(PatchType.SERVER_SIDE_APPLY)
                        .withFieldManager(Labels.MANAGER)
                        .withForce(true)
                        .build());
    }

    /** An object that carries nothing but its name and the status, as server-side apply wants it. */
    public static <S, R extends CustomResource<?, S>> R fresh(R current, S want, Supplier<R> empty) {
        var fresh = empty.get();
        fresh.setMetadata(new ObjectMetaBuilder()
                .withName(current.getMetadata().getName())
                .withNamespace(current.getMetadata().getNamespace())
                .build());
        fresh.setStatus(want);
        return fresh;
    }
}
