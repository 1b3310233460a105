package dev.sekisho.loadtest.js;

import dev.sekisho.loadtest.http.RequestException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/** Requests that are sent side by side. */
public final class BatchApi {
    private final HttpApi http;
    private final Semaphore parallel;
    private final List<ParsedRequest> requests = new ArrayList<>();
    private final List<ResponseView> responses = new ArrayList<>();

    BatchApi(HttpApi http, int parallel) {
        this.http = http;
        this.parallel = new Semaphore(parallel);
    }

    @HostAccess.Export
    public void add(String method, Value url, @Nullable Value body, @Nullable Value params) throws RequestException {
        requests.add(http.parse(method, url, body, params));
    }

    /**
     * Sends all.
     *
     * @throws RequestException if one got no response and the script wants an exception then
     */
    @HostAccess.Export
    public void run() throws RequestException, InterruptedException {
        List<Future<ResponseView>> pending = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (ParsedRequest request : requests) {
                pending.add(threads.submit(() -> {
                    parallel.acquire();
                    try {
                        return http.send(request);
                    } finally {
                        parallel.release();
                    }
                }));
            }
            for (Future<ResponseView> response : pending) {
                responses.add(response.get());
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RequestException failure) {
                throw failure;
            }
            throw new IllegalStateException("a request of a batch failed", e);
        }
    }

    @HostAccess.Export
    public ResponseView response(int index) {
        return responses.get(index);
    }
}
