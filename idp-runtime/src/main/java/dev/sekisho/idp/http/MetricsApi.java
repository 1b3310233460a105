package dev.sekisho.idp.http;

import dev.sekisho.idp.oauth.OAuthError;
import dev.sekisho.idp.observe.Endpoint;
import dev.sekisho.idp.observe.Health;
import dev.sekisho.idp.observe.Metrics;
import java.util.Map;

/** The metrics listener: metrics and probes. */
public final class MetricsApi implements Call.Handler {
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

    private final Metrics metrics;
    private final Health health;

    public MetricsApi(Metrics metrics, Health health) {
        this.metrics = metrics;
        this.health = health;
    }

    @Override
    public Answer answer(Call call) {
        return switch (call.path()) {
            case "/metrics" -> {
                call.endpoint(Endpoint.METRICS);
                yield get(call, new Answer(200, PROMETHEUS, metrics.scrape(), Map.of()));
            }
            case "/health/startup" -> probe(call, health.isStarted());
            case "/health/live" -> probe(call, true);
            case "/health/ready" -> probe(call, health.isReady());
            default -> Answer.error(OAuthError.NOT_FOUND);
        };
    }

    private static Answer probe(Call call, boolean up) {
        call.endpoint(Endpoint.HEALTH);
        return get(call, Answer.json(up ? 200 : 503, Map.of("status", up ? "UP" : "DOWN")));
    }

    private static Answer get(Call call, Answer answer) {
        return call.method().equals("GET") || call.method().equals("HEAD")
                ? answer.with("Cache-Control", "no-store")
                : Answer.methodNotAllowed("GET, HEAD");
    }
}
