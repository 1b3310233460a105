package dev.sekisho.operator.loadtest;

import dev.sekisho.api.v1alpha1.TenantIds;
import dev.sekisho.operator.kube.Names;

/**
 * The names of all that a load test makes. They are functions of the LoadTest alone, so that an operator that restarts
 * finds what it made.
 *
 * @param namespace the LoadTest's namespace
 * @param name the LoadTest's name, at most 40 characters
 */
record LoadTestNames(String namespace, String name) {
    /** On all that a load test makes, its pods too: the LoadTest's name. */
    static final String LABEL_LOADTEST = "sekisho.dev/loadtest";

    /** On Jobs and their pods: the LoadTest's uid, for the owner of a pod is its Job, which may be gone before it. */
    static final String LABEL_UID = "sekisho.dev/loadtest-uid";

    /** On Jobs and their pods: {@link #run}. */
    static final String LABEL_RUN = "sekisho.dev/run";

    /** On Jobs and their pods: the step's index. */
    static final String LABEL_STEP = "sekisho.dev/step";

    /** On the credentials Secret: how many tenants may exist, so that none is forgotten when a new run wants fewer. */
    static final String ANNOTATION_TENANTS = "sekisho.dev/tenants";

    /** The client that every load-test tenant has. */
    static final String CLIENT_ID = "loadtest";

    /** The scope that client may ask for. */
    static final String SCOPE = "loadtest";

    /** Key of the credentials Secret. */
    static final String CLIENT_SECRET = "client-secret";

    /** Identifies a run: 8 hexadecimal digits over the LoadTest's uid and its run token. */
    static String run(String uid, String runToken) {
        return Names.hash(uid + "/" + runToken, 8);
    }

    String job(String run, int step) {
        return name + "-" + run + "-" + step;
    }

    String secret() {
        return name + "-loadtest";
    }

    String scenarios() {
        return name + "-scenarios";
    }

    String authority() {
        return name + "-loadtest-ca";
    }

    String report() {
        return name + "-report";
    }

    /** What the ids of its tenants start with. */
    String tenantPrefix() {
        return TenantIds.LOAD_TEST_PREFIX + Names.hash(namespace + "/" + name, 10) + "-";
    }

    String tenantId(int index) {
        return tenantPrefix() + index;
    }

    /** Who owns its tenants, for the management API. */
    String owner() {
        return "loadtest/" + namespace + "/" + name;
    }
}
