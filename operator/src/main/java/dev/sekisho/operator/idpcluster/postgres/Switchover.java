package dev.sekisho.operator.idpcluster.postgres;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A planned change of the primary, asked for by an annotation of the IdpCluster. Patroni does it: it reads in the
 * annotations of a ConfigMap who shall hand over to whom. Beside them stands which request that was and how it ended, so
 * that each is acted on once, whenever the operator restarts.
 *
 * @param request the annotation's value that was acted on
 * @param from who was the primary
 * @param to who is to be, or has become, the primary; null when any replica will do and none has yet
 * @param askedAt when Patroni was asked
 * @param outcome how it stands
 * @param message why it failed; empty when it did not
 */
public record Switchover(
        String request, String from, @Nullable String to, Instant askedAt, Outcome outcome, String message) {
    /**
     * The annotation of the IdpCluster: {@code <member>} or {@code any}, and after a slash whatever makes the value a new
     * one.
     */
    public static final String ANNOTATION = "sekisho.dev/switchover";

    /** So long Patroni may take; a request that it has not followed by then is taken back. */
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final String ANY = "any";
    /** More of a value is not looked at. */
    private static final int LONGEST = 128;

    private static final String REQUEST = "sekisho.dev/switchover-request";
    private static final String FROM = "sekisho.dev/switchover-from";
    private static final String TO = "sekisho.dev/switchover-to";
    private static final String ASKED_AT = "sekisho.dev/switchover-asked-at";
    private static final String OUTCOME = "sekisho.dev/switchover-outcome";
    private static final String MESSAGE = "sekisho.dev/switchover-message";
    /** Patroni's own. */
    private static final String LEADER = "leader";

    private static final String CANDIDATE = "member";

    /** How a switchover stands. */
    public enum Outcome {
        Requested,
        Succeeded,
        Failed
    }

    /** The ConfigMap in whose annotations Patroni looks for requests. */
    public static String configMap(String scope) {
        return scope + "-failover";
    }

    /** The last switchover, from the ConfigMap's annotations; empty when there was none. */
    public static Optional<Switchover> of(Map<String, String> annotations) {
        var request = annotations.get(REQUEST);
        if (request == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(new Switchover(
                    request,
                    annotations.getOrDefault(FROM, ""),
                    emptyToNull(annotations.get(TO)),
                    Instant.parse(annotations.getOrDefault(ASKED_AT, "")),
                    Outcome.valueOf(annotations.getOrDefault(OUTCOME, "")),
                    annotations.getOrDefault(MESSAGE, "")));
        } catch (IllegalArgumentException | java.time.format.DateTimeParseException e) {
            return Optional.empty();
        }
    }

    private static @Nullable String emptyToNull(@Nullable String text) {
        return text == null || text.isEmpty() ? null : text;
    }

    /**
     * What the last switchover becomes.
     *
     * @param wanted the IdpCluster's annotation; null when it has none
     * @param last the last one, empty for none
     * @param members the members
     * @param now the time
     * @return the same as {@code last} when there is nothing new
     */
    public static Optional<Switchover> next(
            @Nullable String wanted, Optional<Switchover> last, List<Member> members, Instant now) {
        var request = wanted == null || wanted.length() <= LONGEST ? wanted : wanted.substring(0, LONGEST);
        if (request != null && last.filter(s -> s.request.equals(request)).isEmpty()) {
            return Optional.of(asked(request, members, now));
        }
        return last.map(s -> s.outcome == Outcome.Requested ? s.followed(members, now) : s);
    }

    private static Switchover asked(String wanted, List<Member> members, Instant now) {
        var name = wanted.contains("/") ? wanted.substring(0, wanted.indexOf('/')) : wanted;
        var from = primary(members).map(Member::name).orElse("");
        var to = name.equals(ANY) ? null : name;
        if (from.isEmpty()) {
            return failed(wanted, from, to, now, "there is no primary that could hand over");
        }
        if (from.equals(to)) {
            return new Switchover(wanted, from, to, now, Outcome.Succeeded, "");
        }
        var candidates = members.stream()
                .filter(member -> !member.primary() && member.ready() && member.streaming() && !member.leaving())
                .toList();
        if (to == null
                ? candidates.isEmpty()
                : candidates.stream().noneMatch(m -> m.name().equals(to))) {
            return failed(
                    wanted,
                    from,
                    to,
                    now,
                    (to == null ? "no replica" : to + " is not a replica that") + " is ready and streams the log");
        }
        return new Switchover(wanted, from, to, now, Outcome.Requested, "");
    }

    private static Switchover failed(String request, String from, @Nullable String to, Instant now, String why) {
        return new Switchover(request, from, to, now, Outcome.Failed, why);
    }

    private Switchover followed(List<Member> members, Instant now) {
        var leads = primary(members).filter(Member::ready).map(Member::name);
        if (leads.isPresent() && !leads.get().equals(from)) {
            return new Switchover(request, from, leads.get(), askedAt, Outcome.Succeeded, "");
        }
        return now.isBefore(askedAt.plus(PATIENCE))
                ? this
                : failed(request, from, to, askedAt, "Patroni has not switched over in time");
    }

    private static Optional<Member> primary(List<Member> members) {
        return members.stream().filter(m -> m.primary() && !m.leaving()).findFirst();
    }

    /**
     * The ConfigMap's annotations: what Patroni is to do, as long as it is to do it, and what became of it. Patroni takes out
     * a request that it cannot follow yet (a replica that has just joined is no synchronous one at once), so the same is
     * asked again; it names who hands over, so that it can be followed only once.
     */
    public Map<String, String> annotations() {
        var annotations = new LinkedHashMap<String, String>();
        annotations.put(REQUEST, request);
        annotations.put(FROM, from);
        annotations.put(ASKED_AT, askedAt.toString());
        annotations.put(OUTCOME, outcome.name());
        annotations.put(MESSAGE, message);
        annotations.put(TO, Objects.requireNonNullElse(to, ""));
        if (outcome == Outcome.Requested) {
            annotations.put(LEADER, from);
            if (to != null) {
                annotations.put(CANDIDATE, to);
            }
        }
        return annotations;
    }
}
