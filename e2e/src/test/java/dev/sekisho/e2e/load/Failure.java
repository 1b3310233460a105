package dev.sekisho.e2e.load;

import java.time.Duration;

/**
 * A request that failed.
 *
 * @param during the change that was under way, or had been made last
 * @param at since the start of the load
 * @param age of the connection it was sent on; zero if there was none
 */
public record Failure(String during, Duration at, Duration age, String cause) {}
