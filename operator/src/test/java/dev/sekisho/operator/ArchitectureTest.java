package dev.sekisho.operator;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The rooms of the operator, and which doors are shut. */
@AnalyzeClasses(packages = "dev.sekisho.operator", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule whatShouldExistIsComputedWithoutAClient = noClasses()
            .that()
            .resideInAPackage("..idpcluster.resources..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.fabric8.kubernetes.client..", "io.javaoperatorsdk..", "java.net.http..")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.time.Clock")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.security.SecureRandom");

    @ArchTest
    static final ArchRule helpersKnowNoReconciler = noClasses()
            .that()
            .resideInAnyPackage("..operator.kube..", "..operator.status..", "..operator.management..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("..operator.idpcluster..", "..operator.tenant..", "..operator.loadtest..");

    @ArchTest
    static final ArchRule kindsDoNotKnowEachOther = slices().matching(
                    "dev.sekisho.operator.(idpcluster|tenant|loadtest)..")
            .should()
            .notDependOnEachOther();

    @ArchTest
    static final ArchRule onlyManagementSpeaksHttp = noClasses()
            .that()
            .resideOutsideOfPackage("..operator.management..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("java.net.http..");
}
