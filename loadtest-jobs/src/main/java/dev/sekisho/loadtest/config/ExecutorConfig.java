package dev.sekisho.loadtest.config;

import java.time.Duration;
import java.util.Map;

/** How a scenario runs its function. */
public sealed interface ExecutorConfig {
    /** What all executors have. */
    Base base();

    /** The most virtual users it uses at a time. */
    int maxVus();

    /** k6's name of the executor. */
    String type();

    /** How long it starts iterations at most. */
    Duration maxDuration();

    /**
     * What all executors have.
     *
     * @param name of the scenario
     * @param exec the function of the script that is one iteration
     * @param startTime when it starts, from the start of the run
     * @param gracefulStop how long iterations may go on after its end
     * @param env environment on top of the run's
     * @param tags tags on all its samples
     */
    record Base(
            String name,
            String exec,
            Duration startTime,
            Duration gracefulStop,
            Map<String, String> env,
            Map<String, String> tags) {
        public static final Duration DEFAULT_GRACEFUL_STOP = Duration.ofSeconds(30);

        public Base {
            env = Map.copyOf(env);
            tags = Map.copyOf(tags);
        }

        /** The scenario of a script that does not name any. */
        static Base ofDefault() {
            return new Base("default", "default", Duration.ZERO, DEFAULT_GRACEFUL_STOP, Map.of(), Map.of());
        }
    }

    /** A number of virtual users that iterate as often as they can for a time. */
    record ConstantVus(Base base, int vus, Duration duration) implements ExecutorConfig {
        @Override
        public int maxVus() {
            return vus;
        }

        @Override
        public String type() {
            return "constant-vus";
        }

        @Override
        public Duration maxDuration() {
            return duration;
        }
    }

    /** A number of iterations that virtual users share. */
    record SharedIterations(Base base, int vus, long iterations, Duration maxDuration) implements ExecutorConfig {
        @Override
        public int maxVus() {
            return vus;
        }

        @Override
        public String type() {
            return "shared-iterations";
        }
    }

    /** A number of iterations for each virtual user. */
    record PerVuIterations(Base base, int vus, long iterations, Duration maxDuration) implements ExecutorConfig {
        @Override
        public int maxVus() {
            return vus;
        }

        @Override
        public String type() {
            return "per-vu-iterations";
        }
    }
}
