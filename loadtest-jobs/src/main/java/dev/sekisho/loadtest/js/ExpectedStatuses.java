package dev.sekisho.loadtest.js;

import java.util.ArrayList;
import java.util.List;
import org.graalvm.polyglot.HostAccess;

/** The statuses that do not count as failed. */
public final class ExpectedStatuses {
    private final List<int[]> ranges = new ArrayList<>();

    /** What k6 expects unless told otherwise: 200 to 399. */
    static ExpectedStatuses ofDefault() {
        ExpectedStatuses statuses = new ExpectedStatuses();
        statuses.add(200, 399);
        return statuses;
    }

    @HostAccess.Export
    public void add(int min, int max) {
        ranges.add(new int[] {min, max});
    }

    boolean match(int status) {
        for (int[] range : ranges) {
            if (range[0] <= status && status <= range[1]) {
                return true;
            }
        }
        return false;
    }
}
