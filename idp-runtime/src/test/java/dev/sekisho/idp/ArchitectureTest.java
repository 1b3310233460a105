package dev.sekisho.idp;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The rooms of the design, and which way calls walk. */
@AnalyzeClasses(packages = "dev.sekisho.idp", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String[] PROTOCOL = {"..idp.oauth..", "..idp.oidc..", "..idp.keys..", "..idp.tenant.."};

    @ArchTest
    static final ArchRule ONLY_HTTP_KNOWS_HELIDON = noClasses()
            .that()
            .resideOutsideOfPackage("..idp.http..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.helidon..");

    @ArchTest
    static final ArchRule ONLY_POSTGRES_KNOWS_SQL = noClasses()
            .that()
            .resideOutsideOfPackage("..idp.store.postgres..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.sql..", "javax.sql..", "org.postgresql..", "com.zaxxer..", "org.flywaydb..");

    @ArchTest
    static final ArchRule ONLY_REDIS_KNOWS_REDISSON = noClasses()
            .that()
            .resideOutsideOfPackage("..idp.store.redis..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.redisson.client..", "org.redisson.config..", "io.netty..", "org.redisson");

    @ArchTest
    static final ArchRule PROTOCOLS_KNOW_NEITHER_HTTP_NOR_STORES = noClasses()
            .that()
            .resideInAnyPackage(PROTOCOL)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "..idp.http..", "..idp.store..", "..idp.management..", "java.net.http..", "io.prometheus..");

    @ArchTest
    static final ArchRule OAUTH_KNOWS_NO_OTHER_ROOM = classes()
            .that()
            .resideInAPackage("..idp.oauth..")
            .should()
            .onlyDependOnClassesThat(resideInAPackage("..idp.oauth..")
                    .or(resideInAPackage("java.."))
                    .or(resideInAPackage("com.nimbusds.jwt.."))
                    .or(resideInAPackage("com.nimbusds.jose.."))
                    .or(resideInAPackage("org.jspecify..")));

    @ArchTest
    static final ArchRule HTTP_GOES_TO_NO_STORE = noClasses()
            .that()
            .resideInAnyPackage("..idp.http..", "..idp.management..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("..idp.store..");

    @ArchTest
    static final ArchRule NOBODY_KNOWS_THE_WIRING = noClasses()
            .that()
            .resideInAPackage("dev.sekisho.idp.*..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.sekisho.idp");

    @ArchTest
    static final ArchRule ROOMS_HAVE_NO_CYCLES =
            slices().matching("dev.sekisho.idp.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule NO_KUBERNETES_CLIENT =
            noClasses().should().dependOnClassesThat().resideInAPackage("io.fabric8..");
}
