package dev.sekisho.idp;

import dev.sekisho.idp.observe.Logs;
import dev.sekisho.idp.store.postgres.Migrator;
import java.util.concurrent.CountDownLatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The process: {@code serve} or {@code migrate}. Exit codes: 0 done, 1 failed, 2 wrong usage or configuration. */
public final class Main {
    private static final Logger LOG = LoggerFactory.getLogger(Main.class);
    private static final String USAGE =
            "usage: serve | migrate (configured by SEKISHO_* variables, see docs/reference/runtime-configuration.md)";

    private Main() {}

    public static void main(String[] args) throws InterruptedException {
        Logs.configure("INFO");
        int status = switch (args.length == 1 ? args[0] : "") {
            case "serve" -> guarded(Main::serve);
            case "migrate" -> guarded(Main::migrate);
            default -> {
                LOG.error(USAGE);
                yield 2;
            }
        };
        System.exit(status);
    }

    private interface Step {
        void run() throws InterruptedException;
    }

    private static int guarded(Step step) throws InterruptedException {
        try {
            step.run();
            return 0;
        } catch (ConfigurationException e) {
            LOG.error("The configuration cannot work: {}", e.getMessage());
            return 2;
        } catch (RuntimeException e) {
            LOG.error("Failed", e);
            return 1;
        }
    }

    private static void serve() throws InterruptedException {
        var config = RuntimeConfig.from(System.getenv());
        Logs.configure(config.logLevel());
        var stopped = new CountDownLatch(1);
        var runtime = IdpRuntime.start(config);
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().name("drain").unstarted(() -> {
            runtime.close();
            stopped.countDown();
        }));
        stopped.await();
    }

    private static void migrate() {
        var config = RuntimeConfig.Migration.from(System.getenv());
        Logs.configure(config.logLevel());
        var administrator = new Migrator.Administrator(
                config.adminUrl(),
                config.adminUsername(),
                config.adminPassword().get());
        int applied = new Migrator(
                        administrator,
                        config.databaseUrl(),
                        config.migratorPassword().get(),
                        config.runtimePassword().get())
                .migrate();
        LOG.info("Migrated: {} migrations applied", applied);
    }
}
