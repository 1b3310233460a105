package dev.sekisho.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sekisho.api.v1alpha1.IdpCluster;
import dev.sekisho.api.v1alpha1.LoadTest;
import dev.sekisho.api.v1alpha1.Tenant;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the API server itself refuses, and whether it says which field. */
class CrdValidationIT {
    private static final KubeApi API = KubeApi.shared();
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static String namespace;

    @BeforeAll
    static void createNamespace() {
        namespace = API.namespace("validation");
    }

    // --- Refused at creation: kind, spec, what the message must name

    static Stream<Arguments> refused() {
        return Stream.of(
                // IdpCluster
                refused("IdpCluster", "{}", "spec.publicUrl"),
                refused("IdpCluster", "{publicUrl: 'http://idp.example'}", "spec.publicUrl"),
                refused("IdpCluster", "{publicUrl: 'https://idp.example/'}", "spec.publicUrl"),
                refused("IdpCluster", "{publicUrl: 'https://IDP.example'}", "spec.publicUrl"),
                publicUrl("https://id..example"),
                publicUrl("https://.example"),
                publicUrl("https://id-.example"),
                publicUrl("https://id.example."),
                publicUrl("https://id." + "a".repeat(64)),
                publicUrl("https://id.123"),
                publicUrl("https://1.2.3.256"),
                publicUrl("https://id.example:0"),
                publicUrl("https://id.example:65536"),
                idp("replicas: -1", "spec.replicas"),
                idp("replicas: 1001", "spec.replicas"),
                idp("image: ''", "spec.image"),
                idp("allowedNamespaces: ['Not-A-Label']", "spec.allowedNamespaces[0]"),
                idp("runtime: {databasePool: {maximumPoolSize: 0}}", "spec.runtime.databasePool.maximumPoolSize"),
                idp("postgres: {replicas: 0}", "spec.postgres.replicas"),
                idp("postgres: {storage: {size: 1G}}", "spec.postgres.storage.size"),
                idp("postgres: {storage: {size: 1Mi}}", "spec.postgres.storage.size", "at least 64Mi"),
                idp("postgres: {synchronous: perhaps}", "spec.postgres.synchronous"),
                idp("postgres: {parameters: {fsync: 'off'}}", "spec.postgres.parameters", "is the operator's"),
                idp("postgres: {parameters: {synchronous_commit: 'off'}}", "spec.postgres.parameters"),
                idp("postgres: {parameters: {archive_command: 'rm'}}", "spec.postgres.parameters"),
                idp("postgres: {parameters: {work_mem: \"1'; x\"}}", "spec.postgres.parameters"),
                idp("postgres: {parameters: {max_connections: '7'}}", "spec.postgres.parameters", "at least 30"),
                idp("postgres: {parameters: {max_connections: lots}}", "spec.postgres.parameters", "at least 30"),
                idp("redis: {maxMemory: 1}", "spec.redis.maxMemory"),
                idp("redis: {maxMemory: lots}", "spec.redis.maxMemory"),
                idp("redis: {maxMemory: 0Mi}", "spec.redis.maxMemory"),
                idp("redis: {maxMemory: 99999999999999999999Mi}", "spec.redis.maxMemory"),
                idp("postgres: {storage: {size: 99999999999999999999Mi}}", "spec.postgres.storage.size"),
                idp("runtime: {resources: {requests: {cpu: much}}}", "spec.runtime.resources.requests.cpu"),
                idp("runtime: {resources: {limits: {memory: 1GiB}}}", "spec.runtime.resources.limits.memory"),
                idp("postgres: {resources: {limits: {memory: -1Gi}}}", "spec.postgres.resources.limits.memory"),
                idp("redis: {resources: {limits: {memory: -1}}}", "spec.redis.resources.limits.memory"),
                idp("gateway: {resources: {limits: {memory: 1e999999999}}}", "spec.gateway.resources.limits.memory"),
                idp(
                        "gateway: {resources: {limits: {memory: '" + "9".repeat(33) + "'}}}",
                        "spec.gateway.resources.limits.memory"),
                loadTest("engine: {resources: {requests: {cpu: much}}}", "spec.engine.resources.requests.cpu"),
                idp("gateway: {replicas: -1}", "spec.gateway.replicas"),
                idp("gateway: {keepalive: 10001}", "spec.gateway.keepalive"),
                idp("gateway: {tls: {}}", "spec.gateway.tls.secretName"),
                idp("gateway: {service: {type: Carrier}}", "spec.gateway.service.type"),
                idp(
                        "gateway: {service: {nodePort: 30000}}",
                        "spec.gateway.service.nodePort",
                        "NodePort or LoadBalancer"),
                idp("management: {service: {nodePort: 30000}}", "spec.management.service.nodePort"),
                idp("loadTests: Maybe", "spec.loadTests"),
                idp("deletionPolicy: Forget", "spec.deletionPolicy"),
                // Tenant
                refused("Tenant", "{tenantId: a}", "spec.clusterRef"),
                refused("Tenant", "{clusterRef: {name: c}}", "spec.tenantId"),
                refused("Tenant", "{clusterRef: {name: C}, tenantId: a}", "spec.clusterRef.name"),
                refused("Tenant", "{clusterRef: {name: c}, tenantId: A_b}", "spec.tenantId"),
                refused("Tenant", "{clusterRef: {name: c}, tenantId: lt-mine}", "spec.tenantId", "reserved"),
                tenant("state: Asleep", "spec.state"),
                tenant("tokens: {accessTokenLifetime: 5 minutes}", "spec.tokens.accessTokenLifetime"),
                tenant("tokens: {accessTokenLifetime: 9s}", "spec.tokens.accessTokenLifetime", "between 10s and 24h"),
                tenant("tokens: {accessTokenLifetime: 25h}", "spec.tokens.accessTokenLifetime"),
                tenant("signing: {algorithm: none}", "spec.signing.algorithm"),
                tenant("deletionPolicy: Maybe", "spec.deletionPolicy"),
                tenant("clients: [{}]", "spec.clients[0].clientId"),
                tenant("clients: [{clientId: 'a b'}]", "spec.clients[0].clientId"),
                tenant("clients: [{clientId: a}, {clientId: a}]", "spec.clients[1]", "Duplicate value"),
                tenant("clients: [{clientId: a, grants: [password]}]", "spec.clients[0].grants[0]"),
                tenant("clients: [{clientId: a, grants: []}]", "spec.clients[0].grants"),
                tenant("clients: [{clientId: a, scopes: ['a b']}]", "spec.clients[0].scopes[0]"),
                tenant(
                        "clients: [{clientId: a, tokenEndpointAuthMethod: none}]",
                        "spec.clients[0].tokenEndpointAuthMethod"),
                tenant("clients: [{clientId: a, secretRef: {}}]", "spec.clients[0].secretRef.name"),
                tenant(
                        "clients: [{clientId: a, tokenEndpointAuthMethod: private_key_jwt}]",
                        "spec.clients[0].jwks",
                        "exactly if tokenEndpointAuthMethod is private_key_jwt"),
                tenant(
                        "clients: [{clientId: a, jwks: {keys: [" + OKP + "]}}]",
                        "spec.clients[0].jwks",
                        "exactly if tokenEndpointAuthMethod is private_key_jwt"),
                privateKeyJwt("keys: [" + OKP + "]}, secretRef: {name: s", "spec.clients[0].secretRef"),
                privateKeyJwt("", "spec.clients[0].jwks.keys"),
                privateKeyJwt("keys: []", "spec.clients[0].jwks.keys"),
                privateKeyJwt("keys: [" + (OKP + ",").repeat(20) + OKP + "]", "spec.clients[0].jwks.keys"),
                key("{kid: a}", ".kty"),
                key("{kty: oct}", ".kty"),
                key("{kty: RSA, n: AQAB}", "an RSA key has n and e"),
                key("{kty: RSA, n: AQAB, e: AQAB, crv: P-256}", "an RSA key has n and e"),
                key("{kty: EC, crv: P-256, x: AQAB}", "an EC key crv, x and y"),
                key("{kty: OKP, crv: Ed25519, x: AQAB, y: AQAB}", "an OKP key crv and x"),
                key("{kty: OKP, crv: X25519, x: AQAB}", ".crv"),
                key("{kty: OKP, crv: Ed25519, x: 'AQ=='}", ".x"),
                key("{kty: OKP, crv: Ed25519, x: AQAB, alg: HS256}", ".alg"),
                key("{kty: OKP, crv: Ed25519, x: AQAB, use: enc}", ".use"),
                key("{kty: OKP, crv: Ed25519, x: AQAB, kid: ''}", ".kid"),
                redirect("http://app.example/callback"),
                redirect("https://app.example/callback#fragment"),
                redirect("https://*.example/callback"),
                redirect("https://user@app.example/callback"),
                redirect("javascript:alert(1)"),
                redirect("myapp:/callback"),
                redirect("https://app.example/call back"),
                redirect("https://app.example/\\u0000"),
                redirect("https://app.example/\\u001b[2J"),
                redirect("https://app.example/\\u007f"),
                redirect("https://app.example/\\u202e"),
                redirect("https://app.example\\u0001/"),
                redirect("https://app..example/"),
                redirect("http://localhost/\\u0001"),
                redirect("com.example.app:/\\u0001"),
                // LoadTest
                refused("LoadTest", "{scenario: {name: jwks}, steps: [{vus: 1, duration: 1s}]}", "spec.clusterRef"),
                refused("LoadTest", "{clusterRef: {name: c}, steps: [{vus: 1, duration: 1s}]}", "spec.scenario"),
                refused("LoadTest", "{clusterRef: {name: c}, scenario: {name: jwks}}", "spec.steps"),
                refused("LoadTest", "{clusterRef: {name: c}, scenario: {name: jwks}, steps: []}", "spec.steps"),
                refused(
                        "LoadTest",
                        "{clusterRef: {name: c}, scenario: {name: teapot}, steps: [{vus: 1, duration: 1s}]}",
                        "spec.scenario.name",
                        "no such scenario"),
                loadTest("steps: [{vus: 0, duration: 1s}]", "spec.steps[0].vus"),
                loadTest("steps: [{vus: 1, duration: soon}]", "spec.steps[0].duration"),
                loadTest("steps: [{vus: 1, duration: 1ms}]", "spec.steps[0].duration", "between 1s and 24h"),
                loadTest("steps: [{vus: 1, duration: 25h}]", "spec.steps[0].duration"),
                loadTest("data: {tenants: 0}", "spec.data.tenants"),
                loadTest("objectives: []", "spec.objectives"),
                loadTest("objectives: [{measure: luck, atMost: 1}]", "spec.objectives[0].measure"),
                loadTest("objectives: [{measure: p95}]", "spec.objectives[0]", "exactly one of atMost and atLeast"),
                loadTest("objectives: [{measure: p95, atMost: 1, atLeast: 1}]", "spec.objectives[0]"),
                loadTest("cleanup: {jobsAfter: later}", "spec.cleanup.jobsAfter"));
    }

    private static Arguments refused(String kind, String spec, String... named) {
        return Arguments.of(kind, spec, List.of(named));
    }

    private static Arguments publicUrl(String url) {
        return refused("IdpCluster", "{publicUrl: '" + url + "'}", "spec.publicUrl");
    }

    private static Arguments idp(String part, String... named) {
        return refused("IdpCluster", "{publicUrl: 'https://idp.example', " + part + "}", named);
    }

    private static Arguments tenant(String part, String... named) {
        return refused("Tenant", "{clusterRef: {name: c}, tenantId: a, " + part + "}", named);
    }

    private static final String OKP = "{kty: OKP, crv: Ed25519, x: AQAB}";

    private static Arguments privateKeyJwt(String jwks, String... named) {
        return tenant(
                "clients: [{clientId: a, tokenEndpointAuthMethod: private_key_jwt, jwks: {" + jwks + "}}]", named);
    }

    private static Arguments key(String key, String named) {
        return privateKeyJwt("keys: [" + key + "]", "spec.clients[0].jwks.keys[0]", named);
    }

    private static Arguments redirect(String uri) {
        return tenant("clients: [{clientId: a, redirectUris: [\"" + uri + "\"]}]", "spec.clients[0].redirectUris[0]");
    }

    private static Arguments loadTest(String part, String... named) {
        var steps = part.startsWith("steps") ? "" : ", steps: [{vus: 1, duration: 1s}]";
        return refused("LoadTest", "{clusterRef: {name: c}, scenario: {name: jwks}, " + part + steps + "}", named);
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("refused")
    void badSpecsAreRefusedNamingTheField(String kind, String spec, List<String> named) {
        var refusal = catchThrowableOfType(KubernetesClientException.class, () -> create(kind, name(), spec));
        assertThat(refusal).as("the API server took it").isNotNull();
        assertThat(refusal.getCode()).isEqualTo(422);
        assertThat(refusal.getStatus().getMessage()).contains(named);
    }

    // --- Taken

    static Stream<Arguments> taken() {
        return Stream.of(
                Arguments.of(
                        "IdpCluster",
                        "{publicUrl: 'https://idp.example:8443', replicas: 0, gateway: {replicas: 0, keepalive: 0,"
                                + " service: {type: NodePort, nodePort: 30000}}, allowedNamespaces: ['*']}"),
                Arguments.of("IdpCluster", "{publicUrl: 'https://192.0.2.1:65535'}"),
                Arguments.of("IdpCluster", "{publicUrl: 'https://0.id-1.xn--p1ai'}"),
                Arguments.of(
                        "IdpCluster",
                        "{publicUrl: 'https://localhost', runtime: {resources: {requests: {cpu: '0.5', memory: 1.5Gi},"
                                + " limits: {cpu: 2, memory: '3e9'}}}, redis: {maxMemory: 1Mi}}"),
                Arguments.of("Tenant", "{clusterRef: {name: c}, tenantId: ltd}"),
                Arguments.of(
                        "Tenant",
                        "{clusterRef: {name: c, namespace: other}, tenantId: 0f8fad5b-d9cb-469f-a165-70867728950e,"
                                + " clients: [{clientId: a, redirectUris: ['https://app.example/cb?x=1',"
                                + " 'http://127.0.0.1:8080/cb', 'http://[::1]/cb', 'http://localhost/cb',"
                                + " 'https://[2001:db8::1]:8443', 'https://APP.example/a%20b?x[]=1&y=~',"
                                + " 'com.example.app:/cb']}, {clientId: b, secretRef: {name: s}},"
                                + " {clientId: c, tokenEndpointAuthMethod: private_key_jwt, jwks: {keys: ["
                                + " {kty: RSA, kid: one, use: sig, alg: PS256, n: AQAB, e: AQAB},"
                                + " {kty: EC, crv: P-384, x: AQAB, y: AQAB}, " + OKP + "]}}]}"),
                Arguments.of(
                        "LoadTest",
                        "{clusterRef: {name: c}, scenario: {name: mine, configMapRef: {name: m}},"
                                + " steps: [{vus: 1, duration: 1m30s}], objectives: [{measure: p95, atMost: 0.01}]}"));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("taken")
    void goodSpecsAreTaken(String kind, String spec) {
        assertThatCode(() -> create(kind, name(), spec)).doesNotThrowAnyException();
    }

    @Test
    void absentFieldsGetTheDefaultsThatTheRecordsHave() {
        var name = name();
        create("IdpCluster", name, "{publicUrl: 'https://idp.example'}");
        var stored = API.admin()
                .resources(IdpCluster.class)
                .inNamespace(namespace)
                .withName(name)
                .get();
        var built = Serialization.unmarshal(
                "publicUrl: https://idp.example", dev.sekisho.api.v1alpha1.IdpClusterSpec.class);
        assertThat(stored.getSpec()).isEqualTo(built);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void anObjectWithoutASpecIsRefused(String kind) {
        var refusal = catchThrowableOfType(
                KubernetesClientException.class,
                () -> API.admin()
                        .genericKubernetesResources(context(kind))
                        .inNamespace(namespace)
                        .resource(object(kind, name(), null))
                        .create());
        assertThat(refusal.getStatus().getMessage()).contains("spec: Required value");
    }

    static Stream<String> kinds() {
        return Stream.of("IdpCluster", "Tenant", "LoadTest");
    }

    @Test
    void namesThatWouldMakeChildrensNamesTooLongAreRefused() {
        var name = "a".repeat(41);
        for (var kind : List.of("IdpCluster", "LoadTest")) {
            var refusal = catchThrowableOfType(
                    KubernetesClientException.class,
                    () -> create(
                            kind,
                            name,
                            kind.equals("IdpCluster")
                                    ? "{publicUrl: 'https://idp.example'}"
                                    : "{clusterRef: {name: c}, scenario: {name: jwks},"
                                            + " steps: [{vus: 1, duration: 1s}]}"));
            assertThat(refusal).as(kind).isNotNull();
            assertThat(refusal.getStatus().getMessage()).contains("at most 40 characters");
        }
    }

    // --- Refused at changes: kind, spec before, spec after, what the message must name

    static Stream<Arguments> immutable() {
        var test = "clusterRef: {name: c}, scenario: {name: jwks}, steps: [{vus: 1, duration: 1s}]";
        return Stream.of(
                Arguments.of(
                        "IdpCluster",
                        "{publicUrl: 'https://one.example'}",
                        "{publicUrl: 'https://two.example'}",
                        "publicUrl is immutable"),
                Arguments.of(
                        "IdpCluster",
                        "{publicUrl: 'https://one.example', postgres: {storage: {size: 1Gi}}}",
                        "{publicUrl: 'https://one.example', postgres: {storage: {size: 2Gi}}}",
                        "spec.postgres.storage.size"),
                Arguments.of(
                        "IdpCluster",
                        "{publicUrl: 'https://one.example', postgres: {parameters: {max_connections: '300'}}}",
                        "{publicUrl: 'https://one.example', postgres: {parameters: {max_connections: '299'}}}",
                        "may only grow"),
                Arguments.of(
                        "IdpCluster",
                        "{publicUrl: 'https://one.example', postgres: {parameters: {max_worker_processes: '9'}}}",
                        "{publicUrl: 'https://one.example'}",
                        "may only grow"),
                Arguments.of(
                        "IdpCluster",
                        "{publicUrl: 'https://one.example'}",
                        "{publicUrl: 'https://one.example', postgres: {parameters: {max_connections: '199'}}}",
                        "may only grow"),
                Arguments.of(
                        "IdpCluster",
                        "{publicUrl: 'https://one.example'}",
                        "{publicUrl: 'https://one.example', redis: {storage: {storageClassName: fast}}}",
                        "spec.redis.storage.storageClassName"),
                Arguments.of(
                        "Tenant",
                        "{clusterRef: {name: c}, tenantId: a}",
                        "{clusterRef: {name: d}, tenantId: a}",
                        "clusterRef is immutable"),
                Arguments.of(
                        "Tenant",
                        "{clusterRef: {name: c}, tenantId: a}",
                        "{clusterRef: {name: c, namespace: other}, tenantId: a}",
                        "clusterRef is immutable"),
                Arguments.of(
                        "Tenant",
                        "{clusterRef: {name: c}, tenantId: a}",
                        "{clusterRef: {name: c}, tenantId: b}",
                        "tenantId is immutable"),
                Arguments.of("LoadTest", "{" + test + "}", "{" + test + ", data: {tenants: 2}}", "change runToken"));
    }

    @ParameterizedTest(name = "{0} {1} -> {2}")
    @MethodSource("immutable")
    void whatIsImmutableCannotBeChanged(String kind, String before, String after, String named) {
        var name = name();
        create(kind, name, before);
        var refusal = catchThrowableOfType(KubernetesClientException.class, () -> replace(kind, name, after));
        assertThat(refusal).as("the API server took it").isNotNull();
        assertThat(refusal.getCode()).isEqualTo(422);
        assertThat(refusal.getStatus().getMessage()).contains(named);
    }

    @Test
    void aNewRunTokenAllowsAnotherLoadTest() {
        var name = name();
        var test = "clusterRef: {name: c}, scenario: {name: jwks}, steps: [{vus: 1, duration: 1s}]";
        create("LoadTest", name, "{" + test + "}");
        assertThatCode(() -> replace("LoadTest", name, "{" + test + ", data: {tenants: 2}, runToken: again}"))
                .doesNotThrowAnyException();
    }

    // --- Completeness

    @Test
    void everyRuleOfTheSchemasIsTriedHere() {
        var tried = Stream.concat(refused(), immutable())
                .flatMap(arguments -> Stream.of(arguments.get()).map(String::valueOf))
                .toList();
        var rules = new TreeSet<String>();
        for (var kind : List.of(IdpCluster.class, Tenant.class, LoadTest.class)) {
            var crd = API.admin()
                    .resources(CustomResourceDefinition.class)
                    .withName(io.fabric8.kubernetes.client.CustomResource.getCRDName(kind))
                    .get();
            collect(crd.getSpec().getVersions().getFirst().getSchema().getOpenAPIV3Schema(), "", rules);
        }
        assertThat(rules).as("rules in the schemas").hasSizeGreaterThanOrEqualTo(15);
        var untried = new ArrayList<String>();
        for (var rule : rules) {
            var field = rule.substring(0, rule.indexOf(' '));
            var last = field.substring(field.lastIndexOf('.') + 1).replace("[]", "");
            // A rule on the object itself speaks of its name, and has a test of its own.
            if (!field.isEmpty() && tried.stream().noneMatch(text -> text.contains(last))) {
                untried.add(rule);
            }
        }
        assertThat(untried).isEmpty();
    }

    private static void collect(JSONSchemaProps schema, String path, Set<String> rules) {
        if (schema.getXKubernetesValidations() != null) {
            schema.getXKubernetesValidations()
                    .forEach(rule -> rules.add(
                            path + (rule.getFieldPath() == null ? "" : rule.getFieldPath()) + " " + rule.getRule()));
        }
        if (schema.getProperties() != null) {
            schema.getProperties().forEach((name, property) -> collect(property, path + "." + name, rules));
        }
        if (schema.getItems() != null && schema.getItems().getSchema() != null) {
            collect(schema.getItems().getSchema(), path + "[]", rules);
        }
    }

    // --- Tools

    private static String name() {
        return "o" + COUNT.incrementAndGet();
    }

    private static ResourceDefinitionContext context(String kind) {
        return new ResourceDefinitionContext.Builder()
                .withGroup("sekisho.dev")
                .withVersion("v1alpha1")
                .withKind(kind)
                .withPlural(kind.toLowerCase(java.util.Locale.ROOT) + "s")
                .withNamespaced(true)
                .build();
    }

    private static GenericKubernetesResource object(String kind, String name, @Nullable Object spec) {
        var object = new GenericKubernetesResource();
        object.setApiVersion("sekisho.dev/v1alpha1");
        object.setKind(kind);
        object.setMetadata(new io.fabric8.kubernetes.api.model.ObjectMetaBuilder()
                .withName(name)
                .withNamespace(namespace)
                .build());
        if (spec != null) {
            object.setAdditionalProperty("spec", spec);
        }
        return object;
    }

    /** Flow style; the client would take a text that begins with a brace for JSON. */
    private static Object parse(String spec) {
        return Objects.requireNonNull(
                Serialization.unmarshal("spec: " + spec, Map.class).get("spec"));
    }

    private static void create(String kind, String name, String spec) {
        API.admin()
                .genericKubernetesResources(context(kind))
                .inNamespace(namespace)
                .resource(object(kind, name, parse(spec)))
                .create();
    }

    private static void replace(String kind, String name, String spec) {
        var resource = API.admin()
                .genericKubernetesResources(context(kind))
                .inNamespace(namespace)
                .withName(name);
        var object = object(kind, name, parse(spec));
        object.getMetadata().setResourceVersion(resource.get().getMetadata().getResourceVersion());
        API.admin()
                .genericKubernetesResources(context(kind))
                .inNamespace(namespace)
                .resource(object)
                .update();
    }
}
