package dev.sekisho.idp.observe;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.prometheus.client.Gauge;
import io.prometheus.client.Histogram;
import io.prometheus.client.exporter.common.TextFormat;
import io.prometheus.client.hotspot.GarbageCollectorExports;
import io.prometheus.client.hotspot.MemoryPoolsExports;
import io.prometheus.client.hotspot.StandardExports;
import io.prometheus.client.hotspot.ThreadExports;
import io.prometheus.client.hotspot.VersionInfoExports;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.function.DoubleSupplier;

/** The process' metrics. Every label has a closed set of values; tenants and clients are none of them. */
public final class Metrics {
    private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH");
    private static final double NANOS = 1e9;

    private final CollectorRegistry registry = new CollectorRegistry(true);

    private final Counter requests = Counter.build(
                    "sekisho_http_requests_total", "Requests answered, by listener, endpoint, method and status.")
            .labelNames("listener", "endpoint", "method", "status")
            .register(registry);

    private final Histogram durations = Histogram.build(
                    "sekisho_http_request_duration_seconds",
                    "Time from the request's headers to the end of its answer.")
            .labelNames("listener", "endpoint")
            .buckets(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
            .register(registry);

    private final Counter tokens = Counter.build("sekisho_tokens_issued_total", "Access tokens issued, by grant type.")
            .labelNames("grant_type")
            .register(registry);

    /** A registry of its own, with the JVM's metrics in it. */
    public Metrics() {
        new StandardExports().register(registry);
        new MemoryPoolsExports().register(registry);
        new GarbageCollectorExports().register(registry);
        new ThreadExports().register(registry);
        new VersionInfoExports().register(registry);
    }

    /** Where others register theirs. */
    public CollectorRegistry registry() {
        return registry;
    }

    /** Counts an answered request. */
    public void answered(Listener listener, Endpoint endpoint, String method, int status, long nanos) {
        requests.labels(
                        listener.label(),
                        endpoint.label(),
                        METHODS.contains(method) ? method : "other",
                        status >= 100 && status < 600 ? Integer.toString(status) : "other")
                .inc();
        durations.labels(listener.label(), endpoint.label()).observe(nanos / NANOS);
    }

    /** Counts an issued token. */
    public void issued(String grantType) {
        tokens.labels(grantType).inc();
    }

    /** Shows a number that is asked for at each scrape. */
    public void gauge(String name, String help, DoubleSupplier value) {
        Gauge.build(name, help)
                .create()
                .setChild(new Gauge.Child() {
                    @Override
                    public double get() {
                        return value.getAsDouble();
                    }
                })
                .register(registry);
    }

    /** Everything in the Prometheus text format, version 0.0.4. */
    public byte[] scrape() {
        var text = new StringWriter(16 * 1024);
        try {
            TextFormat.write004(text, registry.metricFamilySamples());
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }
}
