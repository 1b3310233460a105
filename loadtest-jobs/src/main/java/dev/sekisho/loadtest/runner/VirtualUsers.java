package dev.sekisho.loadtest.runner;

import dev.sekisho.loadtest.http.HttpClient;
import dev.sekisho.loadtest.http.HttpSettings;
import dev.sekisho.loadtest.js.RunState;
import dev.sekisho.loadtest.js.Script;
import dev.sekisho.loadtest.js.ScriptException;
import dev.sekisho.loadtest.js.ScriptInstance;
import dev.sekisho.loadtest.js.StoppedException;
import dev.sekisho.loadtest.js.VuContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Makes virtual users, and keeps them within reach for the end of the run. Thread-safe. */
final class VirtualUsers implements AutoCloseable {
    private final Script script;
    private final HttpSettings http;
    private final RunState run;
    private final LiveInstances live;
    private final List<VirtualUser> kept = new ArrayList<>();
    private int lastId;

    VirtualUsers(Script script, HttpSettings http, RunState run, LiveInstances live) {
        this.script = script;
        this.http = http;
        this.run = run;
        this.live = live;
    }

    /** One for setup, teardown or summary, which its caller closes. */
    VirtualUser transientUser() throws ScriptException, StoppedException {
        return create(0);
    }

    /**
     * A number of them, made side by side; they are closed together with this.
     *
     * @throws RunFailure if the init code of one throws
     */
    List<VirtualUser> take(int count) throws RunFailure {
        List<CompletableFuture<VirtualUser>> pending = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int id = ++lastId;
            CompletableFuture<VirtualUser> user = new CompletableFuture<>();
            pending.add(user);
            Thread.ofVirtual().name("init-" + id).start(() -> {
                try {
                    user.complete(create(id));
                } catch (ScriptException | StoppedException | RuntimeException e) {
                    user.completeExceptionally(e);
                }
            });
        }
        List<VirtualUser> users = new ArrayList<>();
        for (CompletableFuture<VirtualUser> user : pending) {
            users.add(await(user));
        }
        kept.addAll(users);
        return users;
    }

    private static VirtualUser await(CompletableFuture<VirtualUser> user) throws RunFailure {
        try {
            return user.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof ScriptException failure) {
                throw new RunFailure(ExitCode.SCRIPT_ERROR, String.valueOf(failure.getMessage()));
            }
            throw e;
        }
    }

    private VirtualUser create(int id) throws ScriptException, StoppedException {
        HttpClient client = new HttpClient(http);
        VuContext vu = new VuContext(id, run, client);
        ScriptInstance instance = script.instantiate(vu);
        vu.initialized();
        live.add(instance);
        return new VirtualUser(instance, client, live);
    }

    /** Closes those that were taken. */
    @Override
    public void close() {
        kept.forEach(VirtualUser::close);
    }
}
