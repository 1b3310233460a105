package dev.sekisho.operator.loadtest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sekisho.api.v1alpha1.IdpCluster;
import dev.sekisho.api.v1alpha1.LoadTest;
import dev.sekisho.api.v1alpha1.LoadTestStatus;
import dev.sekisho.api.v1alpha1.LoadTestStatus.Phase;
import dev.sekisho.api.v1alpha1.LoadTestStatus.Verdict;
import dev.sekisho.operator.KubeApi;
import dev.sekisho.operator.Site;
import dev.sekisho.operator.StandInRuntime;
import dev.sekisho.operator.StandInRuntime.Mood;
import dev.sekisho.operator.loadtest.LoadTestReconciler.Timing;
import dev.sekisho.operator.management.HttpsManagementClient;
import dev.sekisho.operator.status.Events;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoadTestReconcilerIT {
    private static final Map<String, StandInRuntime> RUNTIMES = new ConcurrentHashMap<>();
    private static final KubeApi API = KubeApi.shared();
    private static final String NAME = "smoke";
    private static KubeApi.RunningOperator operator;

    private StandInRuntime runtime;
    private Site site;
    private Kubelet kubelet;

    @BeforeAll
    static void startOperator() {
        var clock = Clock.systemUTC();
        operator = API.start(new LoadTestReconciler(
                API.operator(),
                new HttpsManagementClient(
                        API.operator(),
                        clock,
                        cluster -> Objects.requireNonNull(
                                        RUNTIMES.get(cluster.getMetadata().getNamespace()))
                                .address()),
                namespace -> true,
                new Events(API.operator(), clock, "test"),
                clock,
                "k6:test",
                "IfNotPresent",
                "1.2.3",
                new Timing(Duration.ofSeconds(3), Duration.ofSeconds(10))));
    }

    @AfterAll
    static void stopOperator() {
        operator.close();
    }

    @BeforeEach
    void createSite() throws Exception {
        runtime = new StandInRuntime();
        site = new Site(API, "loadtest", runtime);
        kubelet = new Kubelet(site);
        RUNTIMES.put(site.namespace(), runtime);
    }

    @AfterEach
    void removeSite() {
        runtime.become(Mood.WELL);
        site.list(Pod.class)
                .forEach(pod -> site.admin().resource(pod).withGracePeriod(0).delete());
        site.delete(LoadTest.class, NAME);
        site.awaitGone(LoadTest.class, NAME);
        runtime.close();
    }

    @Test
    void aRunGoesStepByStepAndIsJudgedAndCleanedUp() {
        site.createCluster("loadTests: Allow");
        site.apply(loadTest(2));

        var first = awaitJob(0);
        var pod = kubelet.createPod(first);
        kubelet.runs(pod);
        var running = awaitPhase(Phase.Running);
        assertThat(running.getStatus().verdict()).isNull();
        assertThat(runtime.tenants().values())
                .hasSize(2)
                .allSatisfy(held -> assertThat(held.owner()).isEqualTo("loadtest/" + site.namespace() + "/" + NAME));
        assertThat(site.list(Job.class)).hasSize(1);
        assertThat(site.get(ConfigMap.class, NAME + "-scenarios").getData()).containsOnlyKeys("jwks.js", "lib.js");
        assertThat(site.get(ConfigMap.class, NAME + "-loadtest-ca").getData())
                .containsEntry("ca.crt", runtime.authority());
        assertThat(site.find(Secret.class, NAME + "-loadtest")).isNotNull();
        assertThat(first.getSpec().getTtlSecondsAfterFinished()).isNull();

        kubelet.ends(first, pod, 0, "Completed", Samples.SUMMARY);
        var second = awaitJob(1);
        assertThat(status().results()).hasSize(1);
        var secondPod = kubelet.createPod(second);
        kubelet.runs(secondPod);
        kubelet.ends(second, secondPod, 0, "Completed", Samples.SUMMARY);

        var ended = awaitCleanedUp();
        assertThat(ended.phase()).isEqualTo(Phase.Completed);
        assertThat(ended.verdict()).isEqualTo(Verdict.Passed);
        assertThat(ended.reason()).isEqualTo("ObjectivesMet");
        assertThat(ended.results()).hasSize(2);
        assertThat(ended.results().getFirst().requests()).isEqualTo(3000);
        assertThat(ended.results().getFirst().p95()).isEqualTo(7.25);
        assertThat(ended.objectives())
                .singleElement()
                .satisfies(o -> assertThat(o.met()).isTrue());
        assertThat(ended.startTime()).isNotEmpty();
        assertThat(ended.completionTime()).isNotEmpty();
        assertThat(runtime.tenants()).isEmpty();
        assertThat(site.find(Secret.class, NAME + "-loadtest")).isNull();
        assertThat(site.get(ConfigMap.class, NAME + "-report").getData().get("report.md"))
                .contains("**Verdict: Passed**");
        site.await(
                Job.class,
                second.getMetadata().getName(),
                "expires",
                j -> Objects.equals(j.getSpec().getTtlSecondsAfterFinished(), 3600));
        site.await(
                Job.class,
                first.getMetadata().getName(),
                "expires",
                j -> Objects.equals(j.getSpec().getTtlSecondsAfterFinished(), 3600));
        site.awaitTrue(
                "Events tell",
                () -> site.eventReasons(NAME).containsAll(List.of("Preparing", "Running", "ObjectivesMet")));
        assertThat(site.eventReasons(NAME)).doesNotHaveDuplicates();
    }

    @Test
    void anEndedRunCausesNoWrites() {
        site.createCluster("loadTests: Allow");
        site.apply(loadTest(1));
        endStep(0, 0, "Completed", Samples.SUMMARY);
        awaitCleanedUp();
        site.await(Job.class, job(0), "expires", j -> j.getSpec().getTtlSecondsAfterFinished() != null);
        var before = site.writes();

        // Each wakes it: its objects are looked at and left alone.
        for (int i = 0; i < 3; i++) {
            site.clusterReady(i % 2 == 1);
        }
        touchReport();
        site.awaitTrue(
                "the report is mended",
                () -> !site.get(ConfigMap.class, NAME + "-report").getData().containsValue("edited"));

        assertThat(site.writes().subList(before.size(), site.writes().size()))
                .containsExactly("patch configmaps smoke-report");
    }

    @Test
    void aDeniedLoadTestStartsAndMakesNothing() {
        site.createCluster("loadTests: Deny");
        site.apply(loadTest(1));

        var ended = awaitPhase(Phase.Failed).getStatus();
        assertThat(ended.reason()).isEqualTo("LoadTestsDenied");
        assertThat(ended.verdict()).isEqualTo(Verdict.Inconclusive);
        assertThat(ended.startTime()).isNull();
        awaitCleanedUp();
        assertThat(site.list(Job.class)).isEmpty();
        assertThat(site.list(ConfigMap.class))
                .extracting(map -> map.getMetadata().getName())
                .noneMatch(name -> name.startsWith(NAME));
        assertThat(site.list(Secret.class))
                .extracting(secret -> secret.getMetadata().getName())
                .noneMatch(name -> name.startsWith(NAME));
        assertThat(runtime.puts()).isZero();
    }

    @Test
    void aClusterThatIsScaledToZeroCannotPass() {
        site.createCluster("loadTests: Allow\n  gateway: {replicas: 0}");
        site.apply(loadTest(1));

        assertThat(awaitPhase(Phase.Failed).getStatus().reason()).isEqualTo("ClusterOffline");
    }

    @Test
    void whatIsMissingIsWaitedFor() {
        site.apply(loadTest(1).replace("{name: jwks}", "{name: mine, configMapRef: {name: scripts, key: mine.js}}"));
        awaitReason("ClusterNotFound");
        site.createCluster("loadTests: Allow");
        site.clusterReady(false);
        awaitReason("ClusterNotReady");
        site.clusterReady(true);
        awaitReason("ScriptNotFound");
        runtime.become(Mood.BROKEN);
        site.admin()
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("scripts")
                        .withNamespace(site.namespace())
                        .endMetadata()
                        .addToData("mine.js", "// mine")
                        .build())
                .create();
        awaitReason("RuntimeUnreachable");
        assertThat(status().phase()).isEqualTo(Phase.Preparing);
        runtime.become(Mood.WELL);

        var job = awaitJob(0);
        assertThat(job.getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers()
                        .getFirst()
                        .getArgs())
                .endsWith("/scenarios/mine.js");
        assertThat(site.get(ConfigMap.class, NAME + "-scenarios").getData()).containsEntry("mine.js", "// mine");
    }

    @ParameterizedTest(name = "{0} {1} {2}")
    @CsvSource({
        "107, Error, '', Failed, Inconclusive, ScriptFailed",
        "99, Error, SUMMARY, Completed, Failed, ThresholdFailed",
        "0, Completed, '', Failed, Inconclusive, ResultMissing",
        "0, Completed, garbage, Failed, Inconclusive, ResultUnreadable",
        "137, OOMKilled, '', Failed, Inconclusive, OOMKilled",
    })
    void aPodThatEndsBadlyNeverPasses(
            int exitCode, String cause, String message, Phase phase, Verdict verdict, String reason) {
        site.createCluster("loadTests: Allow");
        site.apply(loadTest(2));
        endStep(0, exitCode, cause, message.equals("SUMMARY") ? Samples.SUMMARY : message);

        var ended = awaitCleanedUp();
        assertThat(ended.phase()).isEqualTo(phase);
        assertThat(ended.verdict()).isEqualTo(verdict);
        assertThat(ended.reason()).isEqualTo(reason);
        assertThat(site.list(Job.class)).hasSize(1);
        assertThat(runtime.tenants()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"ErrImagePull, ImagePullFailed", "InvalidImageName, ImagePullFailed", "Unschedulable, Unschedulable"})
    void aPodThatCannotStartEndsTheRunAndItsJobIsRemoved(String obstacle, String reason) {
        site.createCluster("loadTests: Allow");
        site.apply(loadTest(1));
        var pod = kubelet.createPod(awaitJob(0));
        if (obstacle.equals("Unschedulable")) {
            kubelet.isUnschedulable(pod);
        } else {
            kubelet.waits(pod, obstacle);
        }

        var ended = awaitCleanedUp();
        assertThat(ended.phase()).isEqualTo(Phase.Failed);
        assertThat(ended.reason()).isEqualTo(reason);
        site.awaitGone(Job.class, job(0));
    }

    @Test
    void aJobThatRunsForTooLongEndsTheRun() {
        site.createCluster("loadTests: Allow");
        site.apply(loadTest(1));
        var job = awaitJob(0);
        kubelet.runs(kubelet.createPod(job));
        kubelet.ends(job, "Failed", "DeadlineExceeded");

        assertThat(awaitCleanedUp().reason()).isEqualTo("DeadlineExceeded");
    }

    @Test
    void anotherOperatorGoesOnWhereOneEnded() {
        site.createCluster("loadTests: Allow");
        site.apply(loadTest(2));
        endStep(0, 0, "Completed", Samples.SUMMARY);
        var second = awaitJob(1);
        var pod = kubelet.createPod(second);
        kubelet.runs(pod);
        operator.close();
        kubelet.ends(second, pod, 0, "Completed", Samples.SUMMARY);
        startOperator();

        var ended = awaitCleanedUp();
        assertThat(ended.verdict()).isEqualTo(Verdict.Passed);
        assertThat(ended.results()).hasSize(2);
        assertThat(site.list(Job.class)).hasSize(2);
    }

    @Test
    void anotherRunTokenRunsItAgain() {
        site.createCluster("loadTests: Allow");
        site.apply(loadTest(1));
        endStep(0, 0, "Completed", Samples.SUMMARY.replace("\"p95\":7.25", "\"p95\":900"));
        var first = awaitCleanedUp();
        assertThat(first.verdict()).isEqualTo(Verdict.Failed);
        site.list(Pod.class)
                .forEach(pod -> site.admin().resource(pod).withGracePeriod(0).delete());

        site.apply(loadTest(1) + "  runToken: again\n");
        site.await(
                LoadTest.class,
                NAME,
                "runs again",
                test -> !Objects.equals(test.getStatus().run(), first.run())
                        && test.getStatus().phase() == Phase.Running);
        assertThat(status().results()).isEmpty();
        assertThat(status().verdict()).isNull();
        assertThat(status().completionTime()).isNull();
        endStep(0, 0, "Completed", Samples.SUMMARY);
        assertThat(awaitCleanedUp().verdict()).isEqualTo(Verdict.Passed);
        assertThat(runtime.tenants()).isEmpty();
    }

    @Test
    void aJobThatSomebodyDeletesIsStartedAgain() {
        site.createCluster("loadTests: Allow");
        site.apply(loadTest(1));
        var job = awaitJob(0);
        site.delete(Job.class, job(0));

        site.await(
                Job.class,
                job(0),
                "is started again",
                now -> !now.getMetadata().getUid().equals(job.getMetadata().getUid()));
    }

    @Test
    void aTargetThatGoesAwayEndsTheRun() {
        site.createCluster("loadTests: Allow");
        site.apply(loadTest(1));
        kubelet.runs(kubelet.createPod(awaitJob(0)));
        awaitPhase(Phase.Running);
        site.delete(IdpCluster.class, Site.CLUSTER);

        var ended = awaitCleanedUp();
        assertThat(ended.phase()).isEqualTo(Phase.Failed);
        assertThat(ended.reason()).isEqualTo("ClusterGone");
        site.awaitGone(Job.class, job(0));
    }

    @Test
    void aClusterThatForbidsLoadTestsInTheMiddleEndsTheRun() {
        site.createCluster("loadTests: Allow");
        site.apply(loadTest(1));
        kubelet.runs(kubelet.createPod(awaitJob(0)));
        awaitPhase(Phase.Running);
        site.createCluster("loadTests: Deny");

        assertThat(awaitCleanedUp().reason()).isEqualTo("LoadTestsDenied");
        site.awaitGone(Job.class, job(0));
        assertThat(runtime.tenants()).isEmpty();
    }

    @Test
    void aClusterThatIsScaledToZeroInTheMiddleEndsTheRun() {
        site.createCluster("loadTests: Allow");
        site.apply(loadTest(1));
        kubelet.runs(kubelet.createPod(awaitJob(0)));
        awaitPhase(Phase.Running);
        site.createCluster("loadTests: Allow\n  gateway: {replicas: 0}");

        assertThat(awaitCleanedUp().reason()).isEqualTo("ClusterOffline");
        site.awaitGone(Job.class, job(0));
    }

    @Test
    void aDeletedLoadTestTakesItsTenantsAndItsLoadAlong() {
        site.createCluster("loadTests: Allow");
        site.apply(loadTest(1));
        awaitJob(0);
        assertThat(runtime.tenants()).hasSize(2);

        site.delete(LoadTest.class, NAME);
        site.awaitGone(LoadTest.class, NAME);

        assertThat(runtime.tenants()).isEmpty();
        assertThat(site.list(Job.class)).isEmpty();
        assertThat(site.list(ConfigMap.class))
                .extracting(map -> map.getMetadata().getName())
                .noneMatch(name -> name.startsWith(NAME));
        assertThat(site.find(Secret.class, NAME + "-loadtest")).isNull();
    }

    @Test
    void aLoadTestWhoseClusterIsGoneOrSilentCanBeDeleted() {
        site.createCluster("loadTests: Allow");
        site.apply(loadTest(1));
        awaitJob(0);
        runtime.become(Mood.BROKEN);
        site.delete(LoadTest.class, NAME);
        site.awaitGone(LoadTest.class, NAME);
        site.awaitTrue("an Event tells", () -> site.eventReasons(NAME).contains("DeletionAbandoned"));

        runtime.become(Mood.WELL);
        site.apply(loadTest(1));
        site.await(
                LoadTest.class,
                NAME,
                "has its tenants",
                test -> test.getStatus() != null && test.getStatus().phase() == Phase.Running);
        site.delete(IdpCluster.class, Site.CLUSTER);
        site.delete(LoadTest.class, NAME);
        site.awaitGone(LoadTest.class, NAME);
    }

    @Test
    void whatALoadTestOfTheSameNameLeftIsWaitedFor() {
        site.createCluster("loadTests: Allow");
        site.admin()
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName(NAME + "-scenarios")
                        .withNamespace(site.namespace())
                        .addNewOwnerReference()
                        .withApiVersion("sekisho.dev/v1alpha1")
                        .withKind("LoadTest")
                        .withName(NAME)
                        .withUid("6f1c3f0e-6a4b-4d3e-9f39-0d7c6a8f0001")
                        .endOwnerReference()
                        .endMetadata()
                        .build())
                .create();
        site.apply(loadTest(1));
        awaitReason("FormerRunEnding");
        site.delete(ConfigMap.class, NAME + "-scenarios");
        awaitJob(0);
    }

    @Test
    void whatOnlyBearsTheLabelIsNoFormerRun() {
        site.createCluster("loadTests: Allow");
        site.apply("""
                apiVersion: batch/v1
                kind: Job
                metadata: {name: mine, labels: {sekisho.dev/loadtest: %s, sekisho.dev/run: mine}}
                spec:
                  template:
                    metadata: {labels: {sekisho.dev/loadtest: %1$s}}
                    spec:
                      restartPolicy: Never
                      automountServiceAccountToken: false
                      containers: [{name: main, image: "example.test/main:1"}]
                """.formatted(NAME));
        kubelet.runs(kubelet.createPod(site.get(Job.class, "mine")));
        site.apply(loadTest(1));
        awaitJob(0);
        assertThat(site.get(Job.class, "mine").isMarkedForDeletion()).isFalse();
    }

    @Test
    void aDeletedLoadTestGoesWhenItsLoadHasEnded() {
        site.createCluster("loadTests: Allow");
        site.apply(loadTest(1));
        var pod = kubelet.createPod(awaitJob(0));
        kubelet.runs(pod);
        site.delete(LoadTest.class, NAME);
        site.awaitGone(Job.class, job(0));
        assertThat(site.find(LoadTest.class, NAME)).isNotNull();

        site.admin().resource(pod).withGracePeriod(0).delete();
        site.awaitGone(LoadTest.class, NAME);
    }

    @Test
    void whatSomebodyElseMadeIsLeftAlone() {
        site.createCluster("loadTests: Allow");
        site.admin()
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName(NAME + "-scenarios")
                        .withNamespace(site.namespace())
                        .endMetadata()
                        .addToData("mine", "mine")
                        .build())
                .create();
        site.apply(loadTest(1));

        assertThat(awaitCleanedUp().reason()).isEqualTo("NameTaken");
        assertThat(site.get(ConfigMap.class, NAME + "-scenarios").getData()).containsOnlyKeys("mine");
        assertThat(runtime.tenants()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"requests: {memory: 2Gi}, limits: {memory: 1Gi}", "limits: {no-such-thing: 1}"})
    void aJobThatTheApiRefusesEndsTheRun(String resources) {
        site.createCluster("loadTests: Allow");
        site.apply(loadTest(1) + "  engine: {resources: {" + resources + "}}\n");

        var ended = awaitCleanedUp();
        assertThat(ended.reason()).isEqualTo("JobRefused");
        assertThat(ended.message()).contains(resources.contains("no-such-thing") ? "standard resource" : "memory");
    }

    private static String loadTest(int steps) {
        return """
                apiVersion: sekisho.dev/v1alpha1
                kind: LoadTest
                metadata: {name: smoke}
                spec:
                  clusterRef: {name: main}
                  scenario: {name: jwks}
                  data: {tenants: 2}
                  steps: [%s]
                  objectives: [{measure: p95, atMost: 500}]
                """.formatted(String.join(", ", java.util.Collections.nCopies(steps, "{vus: 10, duration: 30s}")));
    }

    /** Plays one step from its Job's creation to its end. */
    private void endStep(int step, int exitCode, String reason, String message) {
        var job = awaitJob(step);
        var pod = kubelet.createPod(job);
        kubelet.runs(pod);
        kubelet.ends(job, pod, exitCode, reason, message);
    }

    private void touchReport() {
        site.admin()
                .resources(ConfigMap.class)
                .inNamespace(site.namespace())
                .withName(NAME + "-report")
                .edit(map -> {
                    map.getData().put("report.md", "edited");
                    return map;
                });
    }

    private String job(int step) {
        var test = site.get(LoadTest.class, NAME);
        return new LoadTestNames(site.namespace(), NAME)
                .job(
                        LoadTestNames.run(
                                test.getMetadata().getUid(), test.getSpec().runToken()),
                        step);
    }

    private Job awaitJob(int step) {
        return site.await(Job.class, job(step), "is started", job -> true);
    }

    private LoadTest awaitPhase(Phase phase) {
        return site.await(
                LoadTest.class,
                NAME,
                "is " + phase,
                test -> test.getStatus() != null && test.getStatus().phase() == phase);
    }

    private void awaitReason(String reason) {
        site.await(
                LoadTest.class,
                NAME,
                "says " + reason,
                test -> test.getStatus() != null
                        && reason.equals(test.getStatus().reason()));
    }

    private LoadTestStatus awaitCleanedUp() {
        return site.await(
                        LoadTest.class,
                        NAME,
                        "has ended and left nothing behind",
                        test -> test.getStatus() != null
                                && test.getStatus().verdict() != null
                                && !LoadTestStatuses.isCleaningUp(test.getStatus()))
                .getStatus();
    }

    private LoadTestStatus status() {
        return site.get(LoadTest.class, NAME).getStatus();
    }
}
