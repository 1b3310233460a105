package dev.sekisho.operator.idpcluster.resources;

import dev.sekisho.operator.kube.Labels;
import dev.sekisho.operator.kube.Labels.Component;
import dev.sekisho.operator.kube.Names;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import java.util.List;

/** Prepares the database for the runtime of one image. */
public final class MigrateJob {
    private static final int HASH_DIGITS = 10;

    private MigrateJob() {}

    /**
     * Names a migration by all that it depends on: a new image, or new passwords, mean a new Job.
     *
     * @param credentials a hash of PostgreSQL's passwords
     */
    public static String hash(Blueprint plan, String credentials) {
        return Names.hash(String.join("\n", "1", plan.runtimeImage(), credentials), HASH_DIGITS);
    }

    /** The Job. Kubernetes tries it five times, with growing pauses, for ten minutes at most. */
    public static Job desired(Blueprint plan, String hash) {
        var image = plan.runtimeImage();
        var labels = Labels.of(plan.name(), Component.RUNTIME, Labels.imageVersion(image));
        // No Service of the runtime may lead here.
        labels.put(Labels.COMPONENT, Blueprint.MIGRATE);
        return new JobBuilder()
                .withMetadata(plan.meta(Names.migrate(plan.name(), hash), Component.RUNTIME))
                .withNewSpec()
                .withBackoffLimit(4)
                .withActiveDeadlineSeconds(600L)
                .withTtlSecondsAfterFinished(3600)
                .withNewTemplate()
                .withMetadata(new ObjectMetaBuilder().withLabels(labels).build())
                .withNewSpec()
                .withRestartPolicy("Never")
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                .withTerminationGracePeriodSeconds(30L)
                .withSecurityContext(Pods.podSecurity())
                .addNewContainer()
                .withName("migrate")
                .withImage(image)
                .withImagePullPolicy(plan.config().imagePullPolicy())
                .withArgs("migrate")
                .withEnv(environment(plan))
                .withTerminationMessagePolicy("FallbackToLogsOnError")
                .withResources(Pods.resources(plan.spec().runtime().resources(), "100m", "256Mi", "512Mi"))
                .withSecurityContext(Pods.containerSecurity())
                .withVolumeMounts(
                        Pods.tmpMount(),
                        Pods.mount("ca", Pods.CA_DIR, true),
                        Pods.mount("secrets", Pods.SECRETS_DIR, true))
                .endContainer()
                .withVolumes(
                        Pods.tmp(),
                        Pods.configMap("ca", Names.caBundle(plan.name())),
                        Pods.secrets(
                                "secrets",
                                password(plan, Credentials.SUPERUSER, "database-admin-password"),
                                password(plan, Credentials.MIGRATOR, "database-migrator-password"),
                                password(plan, Credentials.RUNTIME, "database-password")))
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    private static io.fabric8.kubernetes.api.model.VolumeProjection password(Blueprint plan, String key, String file) {
        return Pods.file(Names.postgresCredentials(plan.name()), key, file);
    }

    private static List<EnvVar> environment(Blueprint plan) {
        return List.of(
                Pods.env("SEKISHO_DATABASE_ADMIN_URL", RuntimeResources.databaseUrl(plan, "postgres")),
                Pods.env("SEKISHO_DATABASE_ADMIN_USERNAME", "postgres"),
                Pods.env("SEKISHO_DATABASE_ADMIN_PASSWORD_FILE", Pods.SECRETS_DIR + "/database-admin-password"),
                Pods.env("SEKISHO_DATABASE_URL", RuntimeResources.databaseUrl(plan, "sekisho")),
                Pods.env("SEKISHO_DATABASE_PASSWORD_FILE", Pods.SECRETS_DIR + "/database-password"),
                Pods.env("SEKISHO_DATABASE_MIGRATOR_PASSWORD_FILE", Pods.SECRETS_DIR + "/database-migrator-password"));
    }
}
