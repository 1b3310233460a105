package dev.sekisho.operator;

import dev.sekisho.operator.idpcluster.IdpClusterReconciler;
import dev.sekisho.operator.kube.Clients;
import dev.sekisho.operator.loadtest.LoadTestReconciler;
import dev.sekisho.operator.management.Departures;
import dev.sekisho.operator.management.HttpsManagementClient;
import dev.sekisho.operator.status.Events;
import dev.sekisho.operator.tenant.TenantReconciler;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts the operator. Everything is wired here, by hand. */
public final class Main {
    private static final Logger LOG = LoggerFactory.getLogger(Main.class);

    private Main() {}

    /** Settings come from the environment, see {@link OperatorConfig}; exit code 2 when they are wrong. */
    public static void main(String[] args) {
        OperatorConfig config;
        try {
            config = OperatorConfig.from(System.getenv());
        } catch (IllegalArgumentException e) {
            LOG.error("{}", e.getMessage());
            System.exit(2);
            return;
        }
        var kubernetes = Config.autoConfigure(null);
        var client = Clients.lenient(kubernetes);
        try {
            var process = new OperatorProcess(config, kubernetes, client, reconcilers(config, client));
            Runtime.getRuntime().addShutdownHook(new Thread(process::close, "shutdown"));
            process.start();
        } catch (IOException | RuntimeException e) {
            LOG.error("The operator cannot start", e);
            System.exit(1);
        }
    }

    /** What the operator looks after. */
    static List<Reconciler<?>> reconcilers(OperatorConfig config, KubernetesClient client) {
        var clock = Clock.systemUTC();
        var events = new Events(client, clock, config.identity());
        var management = new HttpsManagementClient(client, clock);
        return List.of(
                new IdpClusterReconciler(config, new Departures(client, management, config.version()), events, clock),
                new TenantReconciler(
                        client,
                        management,
                        config::watches,
                        events,
                        clock,
                        config.version(),
                        TenantReconciler.Timing.DEFAULT),
                new LoadTestReconciler(
                        client,
                        management,
                        config::watches,
                        events,
                        clock,
                        config.images().k6(),
                        config.imagePullPolicy(),
                        config.version(),
                        LoadTestReconciler.Timing.DEFAULT));
    }
}
