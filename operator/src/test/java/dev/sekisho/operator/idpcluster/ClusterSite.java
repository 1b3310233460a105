package dev.sekisho.operator.idpcluster;

import dev.sekisho.api.v1alpha1.Condition;
import dev.sekisho.api.v1alpha1.IdpCluster;
import dev.sekisho.operator.KubeApi;
import dev.sekisho.operator.OperatorConfig;
import dev.sekisho.operator.idpcluster.resources.Services;
import dev.sekisho.operator.kube.Labels;
import dev.sekisho.operator.kube.Names;
import dev.sekisho.operator.management.Departures;
import dev.sekisho.operator.management.HttpsManagementClient;
import dev.sekisho.operator.status.Conditions;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatusBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetStatusBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import io.fabric8.kubernetes.api.model.batch.v1.JobConditionBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.jspecify.annotations.Nullable;

/** A namespace with an IdpCluster, and the parts of Kubernetes that make pods of its children, played by hand. */
final class ClusterSite {
    /** Name of the IdpCluster. */
    static final String NAME = "main";

    static final OperatorConfig CONFIG = OperatorConfig.from(Map.of(
            "POD_NAMESPACE", "sekisho-system",
            "OPERATOR_VERSION", "1.2.3",
            "RELATED_IMAGE_RUNTIME", "example.test/idp-runtime:1",
            "RELATED_IMAGE_POSTGRES", "example.test/postgres:17",
            "RELATED_IMAGE_REDIS", "example.test/redis:7",
            "RELATED_IMAGE_GATEWAY", "example.test/nginx:1",
            "RELATED_IMAGE_K6", "example.test/k6:1"));

    private static final Duration SOON = Duration.ofSeconds(30);

    private final KubeApi api;
    private final String namespace;

    /** For a reconciler whose clusters have no runtime that could be called. */
    static Departures departures(KubeApi api) {
        return new Departures(api.operator(), new HttpsManagementClient(api.operator(), Clock.systemUTC()), "1.2.3");
    }

    ClusterSite(KubeApi api) {
        this.api = api;
        this.namespace = api.namespace("idpcluster");
    }

    String namespace() {
        return namespace;
    }

    KubernetesClient admin() {
        return api.admin();
    }

    /** Applies the IdpCluster with what is given beside the public URL, as YAML at the level of spec. */
    void applyCluster(String spec) {
        apply("""
            apiVersion: sekisho.dev/v1alpha1
            kind: IdpCluster
            metadata: {name: %s}
            spec:
              publicUrl: https://idp.example:8443
            """.formatted(NAME) + spec.indent(2));
    }

    void apply(String yaml) {
        admin().load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)))
                .inNamespace(namespace)
                .fieldManager("user")
                .forceConflicts()
                .serverSideApply();
    }

    void annotate(String key, String value) {
        admin().resources(IdpCluster.class)
                .inNamespace(namespace)
                .withName(NAME)
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"annotations\":{\"" + key + "\":\"" + value + "\"}}}");
    }

    /** What the API server refuses until it is closed. */
    @FunctionalInterface
    interface Refusal extends AutoCloseable {
        @Override
        void close();
    }

    /** Refuses to create a Secret of that name here, by an admission policy; returns once it does. */
    Refusal refuseSecret(String name) {
        var policy = namespace + "-refuses-" + name;
        var yaml = """
                        apiVersion: admissionregistration.k8s.io/v1
                        kind: ValidatingAdmissionPolicy
                        metadata: {name: %1$s}
                        spec:
                          matchConstraints:
                            resourceRules: [{apiGroups: ["*"], apiVersions: ["*"], operations: [CREATE], resources: [secrets]}]
                            namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: %2$s}}
                          validations: [{expression: "object.metadata.name != '%3$s'", message: refused for a test}]
                        ---
                        apiVersion: admissionregistration.k8s.io/v1
                        kind: ValidatingAdmissionPolicyBinding
                        metadata: {name: %1$s}
                        spec: {policyName: %1$s, validationActions: [Deny]}
                        """.formatted(policy, namespace, name);
        var objects = admin().load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)));
        objects.serverSideApply();
        var probe = new SecretBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(namespace)
                .endMetadata()
                .build();
        Awaitility.await("it is refused")
                .atMost(SOON)
                .pollInterval(Duration.ofMillis(100))
                .until(() -> {
                    try {
                        admin().resource(probe).dryRun().create();
                        return false;
                    } catch (KubernetesClientException e) {
                        return true;
                    }
                });
        return objects::delete;
    }

    // --- Reading

    <T extends HasMetadata> @Nullable T find(Class<T> type, String name) {
        return admin().resources(type).inNamespace(namespace).withName(name).get();
    }

    <T extends HasMetadata> T get(Class<T> type, String name) {
        return Objects.requireNonNull(find(type, name), type.getSimpleName() + " " + name);
    }

    <T extends HasMetadata> List<T> list(Class<T> type) {
        return admin().resources(type).inNamespace(namespace).list().getItems();
    }

    IdpCluster cluster() {
        return get(IdpCluster.class, NAME);
    }

    List<String> eventReasons() {
        return list(Event.class).stream()
                .filter(event -> NAME.equals(event.getRegarding().getName()))
                .map(Event::getReason)
                .toList();
    }

    List<String> writes() {
        return api.writes(namespace);
    }

    // --- Waiting, within a bound

    <T extends HasMetadata> T await(Class<T> type, String name) {
        return await(type, name, "exists", found -> true);
    }

    <T extends HasMetadata> T await(Class<T> type, String name, String what, Predicate<T> condition) {
        var last = new AtomicReference<@Nullable T>();
        try {
            Awaitility.await(type.getSimpleName() + " " + name + " " + what)
                    .atMost(SOON)
                    .pollInterval(Duration.ofMillis(50))
                    .until(() -> {
                        var found = find(type, name);
                        last.set(found);
                        return found != null && condition.test(found);
                    });
        } catch (ConditionTimeoutException e) {
            var found = last.get();
            var text = found == null
                    ? "absent"
                    : admin().getKubernetesSerialization().asYaml(found);
            throw new AssertionError(e.getMessage() + "\n" + text, e);
        }
        return Objects.requireNonNull(last.get());
    }

    <T extends HasMetadata> void awaitGone(Class<T> type, String name) {
        Awaitility.await(type.getSimpleName() + " " + name + " is gone")
                .atMost(SOON)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> find(type, name) == null);
    }

    /** Waits until something holds. */
    void awaitTrue(String what, Callable<Boolean> condition) {
        Awaitility.await(what).atMost(SOON).pollInterval(Duration.ofMillis(50)).until(condition);
    }

    /** Waits until a condition has a status and a reason. */
    Condition awaitCondition(String type, Condition.Status status, String reason) {
        var cluster = await(
                IdpCluster.class,
                NAME,
                "says " + type + "=" + status + " " + reason,
                found -> found.getStatus() != null
                        && Conditions.find(found.getStatus().conditions(), type)
                                .filter(condition -> condition.status() == status
                                        && condition.reason().equals(reason))
                                .isPresent());
        return Conditions.find(cluster.getStatus().conditions(), type).orElseThrow();
    }

    // --- Playing Kubernetes

    /** All that it takes to become Ready. */
    void playAll() {
        playPostgres();
        playRedis();
        playMigration();
        playDeployment(Names.runtime(NAME));
        playDeployment(Names.gateway(NAME));
        awaitCondition("Ready", Condition.Status.True, "AllPartsReady");
    }

    /** A ready primary, and its volume claim. */
    void playPostgres() {
        var name = Names.postgres(NAME);
        var set = await(StatefulSet.class, name);
        var claim = set.getSpec().getVolumeClaimTemplates().getFirst();
        claim.getMetadata().setName("data-" + name + "-0");
        claim.getMetadata().setNamespace(namespace);
        claim.setStatus(null);
        if (find(io.fabric8.kubernetes.api.model.PersistentVolumeClaim.class, "data-" + name + "-0") == null) {
            admin().resource(claim).create();
        }
        var template = set.getSpec().getTemplate();
        var spec = template.getSpec();
        // The API server looks for the account before it lets a pod in, and for its token.
        var pod = new PodBuilder()
                .withNewMetadata()
                .withName(name + "-0")
                .withNamespace(namespace)
                .withLabels(template.getMetadata().getLabels())
                .addToLabels(Services.ROLE, Services.PRIMARY)
                .endMetadata()
                .withSpec(spec)
                .build();
        pod.getSpec().setServiceAccountName(null);
        pod.getSpec().setAutomountServiceAccountToken(false);
        pod.getSpec()
                .getVolumes()
                .add(new io.fabric8.kubernetes.api.model.VolumeBuilder()
                        .withName("data")
                        .withNewEmptyDir()
                        .endEmptyDir()
                        .build());
        if (find(io.fabric8.kubernetes.api.model.Pod.class, name + "-0") == null) {
            admin().resource(pod).create();
        }
        status(new PodBuilder()
                .withNewMetadata()
                .withName(name + "-0")
                .withNamespace(namespace)
                .endMetadata()
                .withNewStatus()
                .withPhase("Running")
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .endCondition()
                .endStatus()
                .build());
        playStatefulSet(name);
    }

    void playRedis() {
        playStatefulSet(Names.redis(NAME));
    }

    private void playStatefulSet(String name) {
        var set = await(StatefulSet.class, name);
        int replicas = set.getSpec().getReplicas();
        set.setStatus(new StatefulSetStatusBuilder()
                .withReplicas(replicas)
                .withReadyReplicas(replicas)
                .withObservedGeneration(set.getMetadata().getGeneration())
                .build());
        status(set);
    }

    /** A pod of Redis' StatefulSet, of some revision, whose container waits for a reason; or which is ready, without. */
    void playRedisPod(String name, String revision, @Nullable String waiting) {
        var set = await(StatefulSet.class, Names.redis(NAME));
        playPod(set, set.getSpec().getTemplate(), name, revision, waiting);
    }

    /** A ready pod of PostgreSQL's StatefulSet, of some revision. */
    void playMember(String name, String revision) {
        var set = await(StatefulSet.class, Names.postgres(NAME));
        playPod(set, set.getSpec().getTemplate(), name, revision, null);
    }

    /** A Deployment's rollout whose new pod waits for a reason, while the old ones serve. */
    void playRollout(String name, String waiting) {
        var deployment = await(Deployment.class, name);
        playPod(deployment, deployment.getSpec().getTemplate(), name + "-new", "new", waiting);
        int replicas = deployment.getSpec().getReplicas();
        deployment.setStatus(new DeploymentStatusBuilder()
                .withReplicas(replicas + 1)
                .withReadyReplicas(replicas)
                .withUpdatedReplicas(1)
                .withAvailableReplicas(replicas)
                .withUnavailableReplicas(1)
                .withObservedGeneration(deployment.getMetadata().getGeneration())
                .build());
        status(deployment);
    }

    private void playPod(
            HasMetadata owner, PodTemplateSpec template, String name, String revision, @Nullable String waiting) {
        admin().resource(new PodBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace(namespace)
                        .withLabels(template.getMetadata().getLabels())
                        .addToLabels("controller-revision-hash", revision)
                        .addNewOwnerReference()
                        .withApiVersion(owner.getApiVersion())
                        .withKind(owner.getKind())
                        .withName(owner.getMetadata().getName())
                        .withUid(owner.getMetadata().getUid())
                        .withController(true)
                        .endOwnerReference()
                        .endMetadata()
                        .withNewSpec()
                        .withAutomountServiceAccountToken(false)
                        .addNewContainer()
                        .withName("main")
                        .withImage("example.test/main:" + revision)
                        .endContainer()
                        .endSpec()
                        .build())
                .create();
        var container = new ContainerStatusBuilder()
                .withName("main")
                .withReady(waiting == null)
                .withRestartCount(0)
                .withImage("")
                .withImageID("");
        if (waiting != null) {
            container
                    .withNewState()
                    .withNewWaiting()
                    .withReason(waiting)
                    .endWaiting()
                    .endState();
        }
        status(new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace(namespace)
                .endMetadata()
                .withNewStatus()
                .withPhase("Running")
                .addNewCondition()
                .withType("Ready")
                .withStatus(waiting == null ? "True" : "False")
                .endCondition()
                .addToContainerStatuses(container.build())
                .endStatus()
                .build());
    }

    /** Redis' StatefulSet rolls from one revision to another, and none of its pods is ready. */
    void playRedisRollout(String from, String to) {
        var set = await(StatefulSet.class, Names.redis(NAME));
        set.setStatus(new StatefulSetStatusBuilder()
                .withReplicas(1)
                .withReadyReplicas(0)
                .withCurrentRevision(from)
                .withUpdateRevision(to)
                .withObservedGeneration(set.getMetadata().getGeneration())
                .build());
        status(set);
    }

    Job awaitMigration() {
        Awaitility.await("a migration exists")
                .atMost(SOON)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> !list(Job.class).isEmpty());
        return list(Job.class).getFirst();
    }

    void playMigration() {
        play(awaitMigration(), "Complete", "SuccessCriteriaMet", 1, 0);
    }

    /** The migration failed for good. */
    void failMigration() {
        play(awaitMigration(), "Failed", "FailureTarget", 0, 5);
    }

    private void play(Job job, String type, String before, int succeeded, int failed) {
        var time = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        var status = new JobBuilder()
                .withNewMetadata()
                .withName(job.getMetadata().getName())
                .withNamespace(namespace)
                .endMetadata()
                .withNewStatus()
                .withStartTime(time)
                .withSucceeded(succeeded == 0 ? null : succeeded)
                .withFailed(failed == 0 ? null : failed)
                .withCompletionTime(succeeded == 0 ? null : time)
                .addToConditions(condition(before, time), condition(type, time))
                .endStatus()
                .build();
        status(status);
    }

    private static JobCondition condition(String type, String time) {
        return new JobConditionBuilder()
                .withType(type)
                .withStatus("True")
                .withLastTransitionTime(time)
                .build();
    }

    /** As many replicas as are wanted serve. */
    void playDeployment(String name) {
        var deployment = await(Deployment.class, name);
        int replicas = deployment.getSpec().getReplicas();
        deployment.setStatus(new DeploymentStatusBuilder()
                .withReplicas(replicas)
                .withReadyReplicas(replicas)
                .withUpdatedReplicas(replicas)
                .withAvailableReplicas(replicas)
                .withObservedGeneration(deployment.getMetadata().getGeneration())
                .build());
        status(deployment);
    }

    void status(HasMetadata object) {
        object.getMetadata().setManagedFields(null);
        object.getMetadata().setResourceVersion(null);
        admin().resource(object)
                .subresource("status")
                .patch(new PatchContext.Builder()
                        .withPatchType(PatchType.SERVER_SIDE_APPLY)
                        .withFieldManager("kubernetes")
                        .withForce(true)
                        .build());
    }

    /** Labels that all children carry. */
    static List<String> labels() {
        return List.of(Labels.NAME, Labels.INSTANCE, Labels.COMPONENT, Labels.MANAGED_BY, Labels.VERSION);
    }
}
