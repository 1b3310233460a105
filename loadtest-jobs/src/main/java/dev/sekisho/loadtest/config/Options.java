package dev.sekisho.loadtest.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What a run does, once script, environment and command line are merged.
 *
 * @param executors the scenarios
 * @param thresholds by metric or sub-metric
 * @param summaryTrendStats figures of Trends in the summary
 * @param summaryTimeUnit {@code s}, {@code ms}, {@code us}, or empty
 * @param setupTimeout for setup()
 * @param teardownTimeout for teardown()
 * @param runSetup whether setup() is run
 * @param runTeardown whether teardown() is run
 * @param maxRedirects how many redirects are followed unless a request says otherwise
 * @param userAgent of all requests
 * @param insecureSkipTlsVerify whether any certificate is good
 * @param throwOnError whether a request that gets no response throws
 * @param discardResponseBodies whether bodies are dropped unless a request says otherwise
 * @param connectionReuse whether connections are used for more than one request
 * @param connectionReuseBetweenIterations whether they are kept from one iteration to the next
 * @param cookiesReset whether an iteration starts without cookies
 * @param minIterationDuration how long an iteration lasts at least
 * @param batch parallel requests of http.batch()
 * @param batchPerHost idle connections kept per host
 * @param hosts addresses in place of DNS
 * @param tags on all samples
 * @param json the merged options as JSON, for scripts that ask
 */
public record Options(
        List<ExecutorConfig> executors,
        Map<String, List<ThresholdConfig>> thresholds,
        List<String> summaryTrendStats,
        String summaryTimeUnit,
        Duration setupTimeout,
        Duration teardownTimeout,
        boolean runSetup,
        boolean runTeardown,
        int maxRedirects,
        String userAgent,
        boolean insecureSkipTlsVerify,
        boolean throwOnError,
        boolean discardResponseBodies,
        boolean connectionReuse,
        boolean connectionReuseBetweenIterations,
        boolean cookiesReset,
        Duration minIterationDuration,
        int batch,
        int batchPerHost,
        Map<String, String> hosts,
        Map<String, String> tags,
        String json) {
    public Options {
        executors = List.copyOf(executors);
        thresholds = Map.copyOf(thresholds);
        summaryTrendStats = List.copyOf(summaryTrendStats);
        hosts = Map.copyOf(hosts);
        tags = Map.copyOf(tags);
    }
}
