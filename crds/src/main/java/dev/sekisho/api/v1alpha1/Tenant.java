package dev.sekisho.api.v1alpha1;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crdv2.generator.v1.SchemaCustomizer;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;

/** An issuer of an {@link IdpCluster}: its keys, its clients, its settings. */
@Group("sekisho.dev")
@Version("v1alpha1")
@ShortNames("tn")
@Categories("sekisho")
@SchemaCustomizer(RequireSpec.class)
@AdditionalPrinterColumn(name = "Cluster", jsonPath = ".spec.clusterRef.name")
@AdditionalPrinterColumn(name = "Phase", jsonPath = ".status.phase")
@AdditionalPrinterColumn(name = "Ready", jsonPath = ".status.conditions[?(@.type=='Ready')].status")
@AdditionalPrinterColumn(name = "Reason", jsonPath = ".status.conditions[?(@.type=='Ready')].reason", priority = 1)
@AdditionalPrinterColumn(name = "Issuer", jsonPath = ".status.issuer")
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE)
public class Tenant extends CustomResource<TenantSpec, TenantStatus> implements Namespaced {
    private static final long serialVersionUID = 1L;
}
