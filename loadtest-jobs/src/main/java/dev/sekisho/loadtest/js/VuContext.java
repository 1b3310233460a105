package dev.sekisho.loadtest.js;

import dev.sekisho.loadtest.http.CookieJar;
import dev.sekisho.loadtest.http.HttpClient;
import dev.sekisho.loadtest.metrics.CheckGroup;
import dev.sekisho.loadtest.metrics.Tags;
import org.jspecify.annotations.Nullable;

/** The state of one virtual user, as the functions that scripts call see it. Used by one thread at a time. */
public final class VuContext {
    private final int id;
    private final RunState run;
    private final @Nullable HttpClient http;
    private final CookieJar cookies = new CookieJar();
    private Tags tags;
    private CheckGroup group;
    private @Nullable ScenarioState scenario;
    private boolean initializing = true;
    private long iteration = -1;
    private long iterationInScenario = -1;
    private long iterationInTest = -1;

    /**
     * @param id from 1; 0 for what is no virtual user: setup, teardown, summary
     * @param http its client; null when it may not send requests
     */
    public VuContext(int id, RunState run, @Nullable HttpClient http) {
        this.id = id;
        this.run = run;
        this.http = http;
        this.tags = Tags.EMPTY;
        this.group = run.rootGroup();
    }

    public int id() {
        return id;
    }

    public RunState run() {
        return run;
    }

    /**
     * Its client.
     *
     * @throws IllegalStateException when there is none
     */
    public HttpClient http() {
        requireVu("Making http requests");
        if (http == null) {
            throw new IllegalStateException("Making http requests is not possible here");
        }
        return http;
    }

    public CookieJar cookies() {
        return cookies;
    }

    public Tags tags() {
        return tags;
    }

    public void tags(Tags newTags) {
        tags = newTags;
    }

    public CheckGroup group() {
        return group;
    }

    /** Makes a group the current one: for checks, and as a tag. */
    public void group(CheckGroup newGroup) {
        group = newGroup;
        tags = tags.with("group", newGroup.path());
    }

    /** Ends the init phase: from now on requests, checks and samples are possible, and new metrics are not. */
    public void initialized() {
        initializing = false;
    }

    public boolean initializing() {
        return initializing;
    }

    void requireVu(String what) {
        if (initializing) {
            throw new IllegalStateException(what + " in the init context is not supported");
        }
    }

    /** Starts to run a scenario. */
    public void scenario(ScenarioState newScenario) {
        scenario = newScenario;
        iterationInScenario = -1;
    }

    ScenarioState scenario() {
        if (scenario == null) {
            throw new IllegalStateException("getting scenario information outside of the VU context is not supported");
        }
        return scenario;
    }

    /** Starts an iteration, the given one of its scenario. */
    public void nextIteration(long inTest) {
        iteration++;
        iterationInScenario++;
        iterationInTest = inTest;
    }

    /** Its iterations so far, from 0; -1 before the first. */
    public long iteration() {
        return iteration;
    }

    long iterationInScenario() {
        return iterationInScenario;
    }

    long iterationInTest() {
        return iterationInTest;
    }
}
