package dev.sekisho.api.v1alpha1;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crdv2.generator.v1.SchemaCustomizer;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;

/** A load test of an {@link IdpCluster}: k6 Jobs, their results, and a verdict on objectives. */
@Group("sekisho.dev")
@Version("v1alpha1")
@ShortNames("lt")
@Categories("sekisho")
@SchemaCustomizer(RequireSpec.class)
@ValidationRule(value = "size(self.metadata.name) <= 40", message = "the name may have at most 40 characters")
@AdditionalPrinterColumn(name = "Cluster", jsonPath = ".spec.clusterRef.name")
@AdditionalPrinterColumn(name = "Scenario", jsonPath = ".spec.scenario.name")
@AdditionalPrinterColumn(name = "Phase", jsonPath = ".status.phase")
@AdditionalPrinterColumn(name = "Verdict", jsonPath = ".status.verdict")
@AdditionalPrinterColumn(
        name = "Req/s",
        jsonPath = ".status.results[-1:].requestsPerSecond",
        type = AdditionalPrinterColumn.Type.NUMBER)
@AdditionalPrinterColumn(
        name = "P95 ms",
        jsonPath = ".status.results[-1:].p95",
        type = AdditionalPrinterColumn.Type.NUMBER)
@AdditionalPrinterColumn(
        name = "Errors",
        jsonPath = ".status.results[-1:].errorRate",
        type = AdditionalPrinterColumn.Type.NUMBER)
@AdditionalPrinterColumn(name = "Reason", jsonPath = ".status.reason", priority = 1)
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
public class LoadTest extends CustomResource<LoadTestSpec, LoadTestStatus> implements Namespaced {
    private static final long serialVersionUID = 1L;
}
