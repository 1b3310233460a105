package dev.sekisho.loadtest.js;

import java.util.function.DoubleSupplier;

/**
 * The scenario that a virtual user runs.
 *
 * @param name of the scenario
 * @param executor k6's name of its executor
 * @param startTime when it started, milliseconds since 1970
 * @param progress how far it is, 0 to 1
 */
public record ScenarioState(String name, String executor, long startTime, DoubleSupplier progress) {}
