package dev.sekisho.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sekisho.api.v1alpha1.IdpCluster;
import dev.sekisho.api.v1alpha1.Tenant;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

/** Who may do what, what pods may do, and who is trusted. */
@OnSite
class SecurityE2E {
    private static final List<String> LABELS = Stream.of("name", "instance", "component", "managed-by", "version")
            .map(l -> "app.kubernetes.io/" + l)
            .toList();

    private final Site site;

    SecurityE2E(Site site) {
        this.site = site;
    }

    @Test
    void theGatewaysCertificateIsVerifiedAndAnotherAuthorityIsRefused() throws Exception {
        assertThat(site.gateway().get("/nobody/v1/jwks").status()).isEqualTo(404);

        var others = new Gateway(Site.PUBLIC_URL, site.ca(QuickstartE2E.NAMESPACE));
        assertThatThrownBy(() -> others.get("/nobody/v1/jwks")).isInstanceOf(SSLHandshakeException.class);
    }

    @Test
    void managementNeedsItsTokenAndIsNotReachedThroughTheGateway() throws Exception {
        var path = "/management/v1/tenants/nobody";
        var token = site.secret(Site.NAMESPACE, Site.CLUSTER + "-management", "token");
        var management = new Gateway(Site.MANAGEMENT_URL, site.ca(Site.NAMESPACE));
        var bearer = java.util.Map.of("Authorization", "Bearer " + token);

        assertThat(management.get(path).status()).isEqualTo(401);
        assertThat(management
                        .get(path, java.util.Map.of("Authorization", "Bearer wrong"))
                        .status())
                .isEqualTo(401);
        assertThat(management.get(path, bearer).status()).isEqualTo(404);
        var throughTheGateway = site.gateway().get(path, bearer);
        assertThat(throughTheGateway.status()).isEqualTo(404);
        assertThat(throughTheGateway.body())
                .isNotEqualTo(management.get(path, bearer).body());
        for (var internal : List.of("/metrics", "/health/ready")) {
            assertThat(site.gateway().get(internal).status()).as(internal).isEqualTo(404);
        }
    }

    @Test
    void everyObjectCarriesTheLabels() {
        site.apply("""
            apiVersion: sekisho.dev/v1alpha1
            kind: Tenant
            metadata: {name: labelled}
            spec:
              clusterRef: {name: demo}
              tenantId: labelled
              clients: [{clientId: app, scopes: [a]}]
            """);
        site.awaitTenantReady("labelled");

        var missing = new ArrayList<String>();
        var types = List.of(
                Secret.class,
                ConfigMap.class,
                Service.class,
                ServiceAccount.class,
                Role.class,
                RoleBinding.class,
                PersistentVolumeClaim.class,
                Deployment.class,
                StatefulSet.class,
                Job.class,
                Pod.class);
        int seen = 0;
        for (Class<? extends HasMetadata> type : types) {
            for (var object : site.client()
                    .resources(type)
                    .inNamespace(Site.NAMESPACE)
                    .list()
                    .getItems()) {
                if (isNotOurs(object)) {
                    continue;
                }
                seen++;
                var labels = object.getMetadata().getLabels();
                for (var label : LABELS) {
                    if (labels == null || !labels.containsKey(label)) {
                        missing.add(type.getSimpleName() + " "
                                + object.getMetadata().getName() + " lacks " + label);
                    }
                }
            }
        }
        assertThat(missing).isEmpty();
        assertThat(seen).isGreaterThan(20);
    }

    /** What Kubernetes puts into each namespace, and what the tests put there. */
    private static boolean isNotOurs(HasMetadata object) {
        var name = object.getMetadata().getName();
        return name.equals("kube-root-ca.crt")
                || (object instanceof ServiceAccount && name.equals("default"))
                || object.getMetadata().getManagedFields().stream()
                        .anyMatch(f -> f.getManager().equals("e2e"));
    }

    @Test
    void everyPodRunsWithoutRootOrPrivilegesOnAReadOnlyRoot() {
        var wrong = new ArrayList<String>();
        var pods = Stream.of(Site.NAMESPACE, Site.OPERATOR_NAMESPACE)
                .flatMap(n -> site.client().pods().inNamespace(n).list().getItems().stream())
                .toList();
        assertThat(pods).hasSizeGreaterThanOrEqualTo(5);
        for (var pod : pods) {
            var name = pod.getMetadata().getName();
            var context = pod.getSpec().getSecurityContext();
            if (!Boolean.TRUE.equals(context.getRunAsNonRoot())
                    || context.getRunAsUser() == null
                    || context.getRunAsUser() < 1000) {
                wrong.add(name + " may run as root");
            }
            if (context.getSeccompProfile() == null
                    || !"RuntimeDefault".equals(context.getSeccompProfile().getType())) {
                wrong.add(name + " has no seccomp profile");
            }
            if (Boolean.TRUE.equals(pod.getSpec().getHostNetwork())
                    || Boolean.TRUE.equals(pod.getSpec().getHostPID())) {
                wrong.add(name + " shares the host's namespaces");
            }
            for (var container : containers(pod)) {
                var security = container.getSecurityContext();
                if (security == null
                        || !Boolean.TRUE.equals(security.getReadOnlyRootFilesystem())
                        || !Boolean.FALSE.equals(security.getAllowPrivilegeEscalation())
                        || security.getCapabilities() == null
                        || !security.getCapabilities().getDrop().contains("ALL")
                        || !security.getCapabilities().getAdd().isEmpty()) {
                    wrong.add(name + "/" + container.getName() + " has more than it needs");
                }
                if (container.getResources().getRequests().isEmpty()
                        || !container.getResources().getLimits().containsKey("memory")) {
                    wrong.add(name + "/" + container.getName() + " has no requests or no memory limit");
                }
            }
            boolean mountsToken = !Boolean.FALSE.equals(pod.getSpec().getAutomountServiceAccountToken());
            var component = pod.getMetadata().getLabels().get("app.kubernetes.io/component");
            if (mountsToken && !List.of("postgres", "operator").contains(component)) {
                wrong.add(name + " has a token of the API server");
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static List<Container> containers(Pod pod) {
        return Stream.concat(pod.getSpec().getInitContainers().stream(), pod.getSpec().getContainers().stream())
                .toList();
    }

    @Test
    void aTenantTeamMayEditTenantsAndSeeTheClusterButNotChangeIt() {
        bind("team-lead", "edit");
        try (var team = as("team-lead")) {
            var tenants = team.resources(Tenant.class).inNamespace(Site.NAMESPACE);
            for (var object : site.parse("""
                apiVersion: sekisho.dev/v1alpha1
                kind: Tenant
                metadata: {name: by-the-team}
                spec:
                  clusterRef: {name: demo}
                  tenantId: by-the-team
                """)) {
                team.resource(object).inNamespace(Site.NAMESPACE).create();
            }
            assertThat(tenants.withName("by-the-team").get()).isNotNull();
            tenants.withName("by-the-team").delete();

            var clusters = team.resources(IdpCluster.class).inNamespace(Site.NAMESPACE);
            assertThat(clusters.withName(Site.CLUSTER).get()).isNotNull();
            assertForbidden(() -> clusters.withName(Site.CLUSTER).edit(c -> {
                c.getMetadata().getAnnotations().put("sekisho.dev/restart", "now");
                return c;
            }));
            assertForbidden(() -> team.secrets()
                    .inNamespace(QuickstartE2E.NAMESPACE)
                    .withName(Site.CLUSTER + "-key-encryption")
                    .get());
        }
    }

    @Test
    void aViewerSeesTheKindsButNoSecretAndChangesNothing() {
        bind("viewer", "view");
        try (var viewer = as("viewer")) {
            assertThat(viewer.resources(IdpCluster.class)
                            .inNamespace(Site.NAMESPACE)
                            .withName(Site.CLUSTER)
                            .get())
                    .isNotNull();
            viewer.resources(Tenant.class).inNamespace(Site.NAMESPACE).list();
            assertForbidden(() -> viewer.secrets().inNamespace(Site.NAMESPACE).list());
            assertForbidden(() -> viewer.secrets()
                    .inNamespace(Site.NAMESPACE)
                    .withName(Site.CLUSTER + "-management")
                    .get());
            assertForbidden(() ->
                    viewer.resources(Tenant.class).inNamespace(Site.NAMESPACE).delete());
        }
    }

    private void bind(String user, String role) {
        site.apply("""
            apiVersion: rbac.authorization.k8s.io/v1
            kind: RoleBinding
            metadata: {name: %1$s}
            roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: %2$s}
            subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: %1$s}]
            """.formatted(user, role));
    }

    private static KubernetesClient as(String user) {
        var config = new ConfigBuilder(Config.autoConfigure(null))
                .withImpersonateUsername(user)
                .build();
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    private static void assertForbidden(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        e -> assertThat(e.getCode()).isEqualTo(403));
    }
}
