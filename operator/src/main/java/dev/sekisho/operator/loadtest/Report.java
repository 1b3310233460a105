package dev.sekisho.operator.loadtest;

import dev.sekisho.api.v1alpha1.LoadTestSpec;
import dev.sekisho.api.v1alpha1.LoadTestStatus;
import dev.sekisho.api.v1alpha1.LoadTestStatus.ObjectiveResult;
import dev.sekisho.api.v1alpha1.LoadTestStatus.StepResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The report of an ended run, in Markdown. Pure: nothing stands in it but what stands in spec and status. */
final class Report {
    /** Key of the report in its ConfigMap. */
    static final String KEY = "report.md";

    private static final int CHECKS_PER_STEP = 12;

    private Report() {}

    /**
     * Renders the report.
     *
     * @param namespace the LoadTest's
     * @param name the LoadTest's
     * @param spec what was asked
     * @param status what came of it
     */
    static String render(String namespace, String name, LoadTestSpec spec, LoadTestStatus status) {
        var text = new StringBuilder();
        text.append("# Load test ").append(namespace).append('/').append(name).append("\n\n");
        var verdict = status.verdict();
        text.append("**Verdict: ").append(verdict == null ? "none" : verdict).append("** – ");
        text.append(cell(orDash(status.reason())));
        var message = status.message();
        if (message != null && !message.isEmpty()) {
            text.append(": ").append(cell(message));
        }
        text.append("\n\n");
        var cluster = spec.clusterRef();
        facts(
                text,
                List.of(
                        List.of(
                                "Scenario",
                                spec.scenario().name()
                                        + (spec.scenario().configMapRef() == null ? "" : " (own script)")),
                        List.of(
                                "Cluster",
                                Objects.requireNonNullElse(cluster.namespace(), namespace) + "/" + cluster.name()),
                        List.of("Tenants", String.valueOf(spec.data().tenants())),
                        List.of("Run", orDash(status.run())),
                        List.of("Started", orDash(status.startTime())),
                        List.of("Ended", orDash(status.completionTime()))));
        steps(text, status.results());
        objectives(text, status.objectives());
        checks(text, status.results());
        return text.toString();
    }

    private static void facts(StringBuilder text, List<List<String>> facts) {
        for (var fact : facts) {
            text.append("- ")
                    .append(fact.getFirst())
                    .append(": ")
                    .append(cell(fact.getLast()))
                    .append('\n');
        }
    }

    private static void steps(StringBuilder text, List<StepResult> results) {
        text.append("\n## Steps\n\n");
        if (results.isEmpty()) {
            text.append("No step has a result.\n");
            return;
        }
        var rows = new ArrayList<List<String>>();
        rows.add(List.of(
                "step",
                "VUs",
                "duration",
                "requests",
                "req/s",
                "iterations/s",
                "dropped",
                "errors",
                "avg ms",
                "min",
                "med",
                "p90",
                "p95",
                "p99",
                "max ms",
                "checks"));
        for (var result : results) {
            rows.add(List.of(
                    String.valueOf(result.step() + 1),
                    String.valueOf(result.vus()),
                    orDash(result.duration()),
                    Figures.count(result.requests()),
                    Figures.fixed(result.requestsPerSecond()),
                    Figures.fixed(result.iterationsPerSecond()),
                    Figures.count(result.droppedIterations()),
                    Figures.percent(result.errorRate()),
                    Figures.fixed(result.avg()),
                    Figures.fixed(result.min()),
                    Figures.fixed(result.med()),
                    Figures.fixed(result.p90()),
                    Figures.fixed(result.p95()),
                    Figures.fixed(result.p99()),
                    Figures.fixed(result.max()),
                    Figures.count(result.checksPassed()) + " ok, " + Figures.count(result.checksFailed()) + " failed"));
        }
        table(text, rows);
    }

    private static void objectives(StringBuilder text, List<ObjectiveResult> objectives) {
        text.append("\n## Objectives\n\n");
        if (objectives.isEmpty()) {
            text.append("None was judged.\n");
            return;
        }
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("objective", "bound", "worst value", "step", "met"));
        for (var objective : objectives) {
            rows.add(List.of(
                    Verdicts.name(objective.measure()),
                    bound(objective),
                    objective.actual() == null ? "not measured" : Figures.plain(objective.actual()),
                    objective.step() == null ? "–" : String.valueOf(objective.step() + 1),
                    objective.met() ? "yes" : "**no**"));
        }
        table(text, rows);
    }

    private static String bound(ObjectiveResult objective) {
        if (objective.atMost() != null) {
            return "≤ " + Figures.plain(objective.atMost());
        }
        return objective.atLeast() == null ? "–" : "≥ " + Figures.plain(objective.atLeast());
    }

    private static void checks(StringBuilder text, List<StepResult> results) {
        var rows = new ArrayList<List<String>>();
        rows.add(List.of("step", "check", "passed", "failed"));
        for (var result : results) {
            result.checks().stream()
                    .limit(CHECKS_PER_STEP)
                    .forEach(check -> rows.add(List.of(
                            String.valueOf(result.step() + 1),
                            check.name(),
                            Figures.count(check.passes()),
                            Figures.count(check.fails()))));
        }
        if (rows.size() > 1) {
            text.append("\n## Checks\n\n");
            table(text, rows);
        }
    }

    /** A table whose columns line up, so that it reads as well in a terminal. */
    private static void table(StringBuilder text, List<List<String>> rows) {
        var cells = rows.stream()
                .map(row -> row.stream().map(Report::cell).toList())
                .toList();
        int columns = cells.getFirst().size();
        var widths = new int[columns];
        for (var row : cells) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        line(text, cells.getFirst(), widths);
        for (int width : widths) {
            text.append('|').append("-".repeat(width + 2));
        }
        text.append("|\n");
        cells.stream().skip(1).forEach(row -> line(text, row, widths));
    }

    private static void line(StringBuilder text, List<String> row, int[] widths) {
        for (int i = 0; i < widths.length; i++) {
            var cell = row.get(i);
            text.append("| ").append(cell).append(" ".repeat(widths[i] - cell.length() + 1));
        }
        text.append("|\n");
    }

    /** Names of checks come from scripts: no line break and no bar may break the table. */
    private static String cell(String text) {
        return text.replaceAll("\\p{Cntrl}", " ").replace("|", "\\|");
    }

    private static String orDash(@Nullable String text) {
        return text == null || text.isEmpty() ? "–" : text;
    }
}
