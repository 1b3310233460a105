package dev.sekisho.api.v1alpha1;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crdv2.generator.v1.SchemaCustomizer;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;

/** A whole identity provider: PostgreSQL, Redis, the runtime's replicas and the gateway before them. */
@Group("sekisho.dev")
@Version("v1alpha1")
@Singular("idpcluster")
@Plural("idpclusters")
@ShortNames("idpc")
@Categories("sekisho")
@SchemaCustomizer(RequireSpec.class)
@ValidationRule(value = "size(self.metadata.name) <= 40", message = "the name may have at most 40 characters")
@AdditionalPrinterColumn(name = "Phase", jsonPath = ".status.phase")
@AdditionalPrinterColumn(name = "Ready", jsonPath = ".status.conditions[?(@.type=='Ready')].status")
@AdditionalPrinterColumn(name = "UpToDate", jsonPath = ".status.conditions[?(@.type=='UpToDate')].status")
@AdditionalPrinterColumn(name = "Reason", jsonPath = ".status.conditions[?(@.type=='Ready')].reason", priority = 1)
@AdditionalPrinterColumn(name = "Replicas", jsonPath = ".spec.replicas", type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
        name = "Available",
        jsonPath = ".status.readyReplicas",
        type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(name = "Primary", jsonPath = ".status.postgres.primary", priority = 1)
@AdditionalPrinterColumn(name = "URL", jsonPath = ".spec.publicUrl")
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
public class IdpCluster extends CustomResource<IdpClusterSpec, IdpClusterStatus> implements Namespaced {
    private static final long serialVersionUID = 1L;
}
