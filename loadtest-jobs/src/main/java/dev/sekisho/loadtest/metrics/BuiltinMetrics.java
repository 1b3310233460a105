package dev.sekisho.loadtest.metrics;

/** The metrics that every run has, under k6's names. */
public final class BuiltinMetrics {
    public final Metric vus;
    public final Metric vusMax;
    public final Metric iterations;
    public final Metric iterationDuration;
    public final Metric droppedIterations;
    public final Metric checks;
    public final Metric groupDuration;
    public final Metric httpReqs;
    public final Metric httpReqFailed;
    public final Metric httpReqDuration;
    public final Metric httpReqBlocked;
    public final Metric httpReqConnecting;
    public final Metric httpReqTlsHandshaking;
    public final Metric httpReqSending;
    public final Metric httpReqWaiting;
    public final Metric httpReqReceiving;
    public final Metric dataSent;
    public final Metric dataReceived;

    /** Registers them. */
    public BuiltinMetrics(MetricRegistry registry) {
        vus = registry.metric("vus", MetricType.GAUGE, ValueType.DEFAULT);
        vusMax = registry.metric("vus_max", MetricType.GAUGE, ValueType.DEFAULT);
        iterations = registry.metric("iterations", MetricType.COUNTER, ValueType.DEFAULT);
        iterationDuration = registry.metric("iteration_duration", MetricType.TREND, ValueType.TIME);
        droppedIterations = registry.metric("dropped_iterations", MetricType.COUNTER, ValueType.DEFAULT);
        checks = registry.metric("checks", MetricType.RATE, ValueType.DEFAULT);
        groupDuration = registry.metric("group_duration", MetricType.TREND, ValueType.TIME);
        httpReqs = registry.metric("http_reqs", MetricType.COUNTER, ValueType.DEFAULT);
        httpReqFailed = registry.metric("http_req_failed", MetricType.RATE, ValueType.DEFAULT);
        httpReqDuration = registry.metric("http_req_duration", MetricType.TREND, ValueType.TIME);
        httpReqBlocked = registry.metric("http_req_blocked", MetricType.TREND, ValueType.TIME);
        httpReqConnecting = registry.metric("http_req_connecting", MetricType.TREND, ValueType.TIME);
        httpReqTlsHandshaking = registry.metric("http_req_tls_handshaking", MetricType.TREND, ValueType.TIME);
        httpReqSending = registry.metric("http_req_sending", MetricType.TREND, ValueType.TIME);
        httpReqWaiting = registry.metric("http_req_waiting", MetricType.TREND, ValueType.TIME);
        httpReqReceiving = registry.metric("http_req_receiving", MetricType.TREND, ValueType.TIME);
        dataSent = registry.metric("data_sent", MetricType.COUNTER, ValueType.DATA);
        dataReceived = registry.metric("data_received", MetricType.COUNTER, ValueType.DATA);
        registry.submetric(httpReqDuration, "expected_response:true");
    }
}
