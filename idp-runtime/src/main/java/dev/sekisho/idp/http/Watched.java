package dev.sekisho.idp.http;

import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.task.InterruptableTask;
import io.helidon.webserver.spi.ServerConnection;
import java.time.Duration;

/** A connection of Helidon's that {@link Connections} knows of. */
final class Watched implements ServerConnection, InterruptableTask<Void> {
    private final ServerConnection http;
    private final Connections connections;

    Watched(ServerConnection http, Connections connections) {
        this.http = http;
        this.connections = connections;
    }

    @Override
    public void handle(Limit limit) throws InterruptedException {
        var unused = connections.begin();
        try {
            http.handle(limit);
        } finally {
            connections.over();
        }
    }

    @Override
    public Duration idleTime() {
        return http.idleTime();
    }

    @Override
    public void close(boolean interrupt) {
        http.close(interrupt);
    }

    @Override
    public boolean canInterrupt() {
        return http instanceof InterruptableTask<?> task && task.canInterrupt();
    }
}
