package dev.sekisho.operator.loadtest;

import dev.sekisho.api.v1alpha1.Durations;
import dev.sekisho.api.v1alpha1.LoadTest;
import dev.sekisho.api.v1alpha1.LoadTestSpec.Step;
import dev.sekisho.operator.kube.Labels;
import dev.sekisho.operator.kube.Names;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** What a load test makes in Kubernetes. Pure: the same input gives the same objects. */
final class LoadTestObjects {
    /** k6's own user in its image. */
    private static final long USER = 12345;

    private static final String SCENARIOS = "/scenarios";
    private static final String AUTHORITY = "/etc/sekisho/ca";
    private static final Duration GRACEFUL_STOP = Duration.ofSeconds(30);
    private static final Duration SLACK = Duration.ofMinutes(3);

    private final LoadTest test;
    private final LoadTestNames names;
    private final String run;
    private final Engine engine;

    /**
     * What the operator gives to each Job.
     *
     * @param image k6's image, unless the LoadTest names one
     * @param pullPolicy Always, IfNotPresent or Never
     * @param version the operator's, for labels
     */
    record Engine(String image, String pullPolicy, String version) {}

    LoadTestObjects(LoadTest test, String run, Engine engine) {
        this.test = test;
        this.names = new LoadTestNames(
                test.getMetadata().getNamespace(), test.getMetadata().getName());
        this.run = run;
        this.engine = engine;
    }

    /**
     * The credentials of the load-test tenants' client.
     *
     * @param secret the client's secret
     * @param tenants how many tenants may exist by now
     */
    Secret credentials(String secret, int tenants) {
        return new SecretBuilder()
                .withMetadata(new ObjectMetaBuilder(meta(names.secret()))
                        .addToAnnotations(LoadTestNames.ANNOTATION_TENANTS, Integer.toString(tenants))
                        .build())
                .withType("Opaque")
                .addToData(
                        LoadTestNames.CLIENT_SECRET,
                        Base64.getEncoder().encodeToString(secret.getBytes(StandardCharsets.UTF_8)))
                .build();
    }

    /** The scripts, as they were when the step started. */
    ConfigMap scenarios(Map<String, String> files) {
        return new ConfigMapBuilder()
                .withMetadata(meta(names.scenarios()))
                .withData(new TreeMap<>(files))
                .build();
    }

    /** The authority that the gateway's certificate comes from: the cluster may be in another namespace. */
    ConfigMap authority(String pem) {
        return new ConfigMapBuilder()
                .withMetadata(meta(names.authority()))
                .addToData(Names.CA_CRT, pem)
                .build();
    }

    ConfigMap report(String markdown) {
        return new ConfigMapBuilder()
                .withMetadata(meta(names.report()))
                .addToData(Report.KEY, markdown)
                .build();
    }

    /**
     * The Job of a step. It has no time to live yet: its result would be lost if it ended while the operator is away. It
     * gets one when its result is in the status.
     *
     * @param index the step's index
     * @param baseUrl where the gateway answers
     */
    Job job(int index, String baseUrl) {
        var step = test.getSpec().steps().get(index);
        var labels = labels();
        labels.put(LoadTestNames.LABEL_UID, test.getMetadata().getUid());
        labels.put(LoadTestNames.LABEL_RUN, run);
        labels.put(LoadTestNames.LABEL_STEP, Integer.toString(index));
        return new JobBuilder()
                .withMetadata(new ObjectMetaBuilder(meta(names.job(run, index)))
                        .withLabels(labels)
                        .build())
                .withNewSpec()
                .withBackoffLimit(0)
                .withCompletions(1)
                .withParallelism(1)
                .withActiveDeadlineSeconds(deadline(step).toSeconds())
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .withRestartPolicy("Never")
                .withAutomountServiceAccountToken(false)
                .withEnableServiceLinks(false)
                .withNewSecurityContext()
                .withRunAsNonRoot(true)
                .withRunAsUser(USER)
                .withRunAsGroup(USER)
                .withFsGroup(USER)
                .withNewSeccompProfile()
                .withType("RuntimeDefault")
                .endSeccompProfile()
                .endSecurityContext()
                .withContainers(container(step, baseUrl))
                .addNewVolume()
                .withName("scenarios")
                .withNewConfigMap()
                .withName(names.scenarios())
                .endConfigMap()
                .endVolume()
                .addNewVolume()
                .withName("ca")
                .withNewConfigMap()
                .withName(names.authority())
                .endConfigMap()
                .endVolume()
                .addNewVolume()
                .withName("tmp")
                .withNewEmptyDir()
                .endEmptyDir()
                .endVolume()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    /** Setup, the step, its graceful stop, and the time that image and scheduler may take. */
    static Duration deadline(Step step) {
        return Durations.parse(step.duration()).plus(GRACEFUL_STOP).plus(SLACK);
    }

    private Container container(Step step, String baseUrl) {
        var spec = test.getSpec();
        return new ContainerBuilder()
                .withName(StepRun.CONTAINER)
                .withImage(Objects.requireNonNullElse(spec.engine().image(), engine.image()))
                .withImagePullPolicy(engine.pullPolicy())
                .withArgs(
                        "run",
                        "--quiet",
                        "--no-color",
                        "--no-usage-report",
                        SCENARIOS + "/" + spec.scenario().name() + ".js")
                .withEnv(
                        env("BASE_URL", baseUrl),
                        env("TENANT_PREFIX", names.tenantPrefix()),
                        env("TENANTS", Integer.toString(spec.data().tenants())),
                        env("CLIENT_ID", LoadTestNames.CLIENT_ID),
                        new EnvVarBuilder()
                                .withName("CLIENT_SECRET")
                                .withNewValueFrom()
                                .withNewSecretKeyRef()
                                .withName(names.secret())
                                .withKey(LoadTestNames.CLIENT_SECRET)
                                .endSecretKeyRef()
                                .endValueFrom()
                                .build(),
                        env("SCOPE", LoadTestNames.SCOPE),
                        env("VUS", Integer.toString(step.vus())),
                        env("DURATION", step.duration()),
                        env("SCENARIO", spec.scenario().name()),
                        env("SSL_CERT_FILE", AUTHORITY + "/" + Names.CA_CRT))
                .withResources(resources(step))
                .withTerminationMessagePath("/dev/termination-log")
                .withTerminationMessagePolicy("File")
                .withNewSecurityContext()
                .withAllowPrivilegeEscalation(false)
                .withReadOnlyRootFilesystem(true)
                .withNewCapabilities()
                .withDrop("ALL")
                .endCapabilities()
                .endSecurityContext()
                .addNewVolumeMount()
                .withName("scenarios")
                .withMountPath(SCENARIOS)
                .withReadOnly(true)
                .endVolumeMount()
                .addNewVolumeMount()
                .withName("ca")
                .withMountPath(AUTHORITY)
                .withReadOnly(true)
                .endVolumeMount()
                .addNewVolumeMount()
                .withName("tmp")
                .withMountPath("/tmp")
                .endVolumeMount()
                .build();
    }

    /** Some memory for the engine and some for each virtual user, unless the LoadTest says otherwise. */
    private ResourceRequirements resources(Step step) {
        var asked = test.getSpec().engine().resources();
        var requests = new TreeMap<String, Quantity>();
        requests.put("cpu", new Quantity("100m"));
        requests.put("memory", new Quantity("256Mi"));
        var limits = new TreeMap<String, Quantity>();
        limits.put("memory", new Quantity((512 + 2 * step.vus()) + "Mi"));
        // A default gives way to what the LoadTest says of the other side: a request above its limit is refused.
        asked.limits()
                .forEach((resource, limit) -> requests.computeIfPresent(
                        resource, (same, request) -> isMore(request, limit) ? limit : request));
        asked.requests()
                .forEach((resource, request) ->
                        limits.computeIfPresent(resource, (same, limit) -> isMore(request, limit) ? request : limit));
        requests.putAll(asked.requests());
        limits.putAll(asked.limits());
        return new ResourceRequirementsBuilder()
                .withRequests(requests)
                .withLimits(limits)
                .build();
    }

    private static boolean isMore(Quantity one, Quantity other) {
        try {
            return one.getNumericalAmount().compareTo(other.getNumericalAmount()) > 0;
        } catch (IllegalArgumentException e) {
            // It is no quantity. The API server will refuse it, and say so better.
            return false;
        }
    }

    private static EnvVar env(String name, String value) {
        return new EnvVarBuilder().withName(name).withValue(value).build();
    }

    private ObjectMeta meta(String name) {
        return new ObjectMetaBuilder()
                .withName(name)
                .withNamespace(names.namespace())
                .withLabels(labels())
                .withOwnerReferences(List.of(new OwnerReferenceBuilder()
                        .withApiVersion(test.getApiVersion())
                        .withKind(test.getKind())
                        .withName(names.name())
                        .withUid(test.getMetadata().getUid())
                        .withController(true)
                        .build()))
                .build();
    }

    private Map<String, String> labels() {
        var labels = new TreeMap<>(
                Labels.of(test.getSpec().clusterRef().name(), Labels.Component.LOADTEST, engine.version()));
        labels.put(LoadTestNames.LABEL_LOADTEST, names.name());
        return labels;
    }
}
