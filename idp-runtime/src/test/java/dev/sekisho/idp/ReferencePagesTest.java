package dev.sekisho.idp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sekisho.idp.oauth.OAuthError;
import dev.sekisho.idp.testing.Golden;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ReferencePagesTest {
    private static final String GENERATED =
            "<!-- Rendered from the code by ReferencePagesTest: change Setting and OAuthError, not this page. -->\n\n";

    @Test
    void theConfigurationPageHoldsEverySetting() {
        var page = new StringBuilder("# Configuration of the runtime\n\n" + GENERATED).append("""
                        The identity provider (`idp-runtime`) is configured by environment variables. The operator sets them;
                        you need this page when you run the image without it, or to understand a start that failed: the process
                        then exits with 2 and one log line names every setting at fault. Secrets are always in files, named by
                        variables that end in `_FILE`. Durations are written as `30s`, `5m` or `1h30m`.

                        `serve` answers requests; `migrate` makes the database, its two roles and its tables, and may be run
                        as often as you like, also twice at once.

                        """);
        for (var command : new Setting.Command[] {Setting.Command.SERVE, Setting.Command.MIGRATE}) {
            page.append("## `")
                    .append(command.name().toLowerCase(Locale.ROOT))
                    .append("`\n\n| variable | value | default | meaning |\n|---|---|---|---|\n");
            Arrays.stream(Setting.values())
                    .filter(s -> s.commands().contains(command))
                    .forEach(s -> page.append("| `%s` | %s | %s | %s |\n"
                            .formatted(
                                    s.variable(),
                                    s.syntax(),
                                    s.required()
                                            ? "required"
                                            : s.defaultValue().isEmpty() ? "none" : "`" + s.defaultValue() + "`",
                                    s.description())));
            page.append('\n');
        }
        page.append("""
                ## Health

                On the metrics port: `/health/startup`, `/health/live` and `/health/ready` answer 200 or 503.

                | probe | says yes when |
                |---|---|
                | startup | the database was reached once, is migrated and takes writes, and all listeners are open |
                | live | the process answers. Never depends on PostgreSQL or Redis |
                | ready | started, and not draining |

                Losing PostgreSQL or Redis after the start does not make a replica unready: tenants in memory go on being served
                (keys, metadata and `client_credentials`), and a fault that every replica shares must not take all of them out of
                service. What needs the database answers 503 with `Retry-After` until it is back.

                ## Stopping

                On SIGTERM the runtime says not ready, goes on accepting for `SEKISHO_DRAIN_DELAY` while its answers carry
                `Connection: close`, then closes its listeners and gives requests in flight `SEKISHO_DRAIN_TIMEOUT` to finish. The rest
                takes 15 seconds at most: set `terminationGracePeriodSeconds` to the sum of the three or more.

                ## Slow peers

                A peer has 10 seconds to connect and send its first request's headers (5 on the metrics port), 30 to send a body (10
                on the management port; what nobody needs of a body, 5) and 30 to take an answer (10 on the other ports). An idle
                connection ends after 10 minutes on the public port and 75 seconds on the others. When seven eighths of a listener's
                connections are taken, each new one ends the one that has been silent for longest, those first that never sent a
                request.

                ## How fresh a tenant's settings are

                A replica keeps tenants in memory. A change reaches all replicas at once by a message over Redis. While messages do
                not arrive it reaches them within 5 seconds: a replica checks a tenant that it has not checked for 4 seconds against
                the database before it uses it. While the database is away too, or does not answer within half a second, it serves
                what it knows. When messages arrive again, it checks each tenant before its next use. That a tenant does not exist
                is remembered for 1 second.
                """);
        Golden.checkPage("runtime-configuration.md", page.toString());
    }

    @Test
    void theErrorPageHoldsEveryError() {
        var page = new StringBuilder("# Errors\n\n" + GENERATED).append("""
                        Every error is JSON: `{"error": "<code>", "error_description": "<text>"}`, with `Cache-Control: no-store`. The
                        code is what programs should look at; the description is for people and may change. Each answer carries
                        `X-Request-Id`, which the server's log lines carry too.

                        | error | status | usual description |
                        |---|---|---|
                        """);
        Arrays.stream(OAuthError.values())
                .sorted(java.util.Comparator.comparingInt(OAuthError::status))
                .forEach(e -> page.append("| `%s` | %d | %s |\n".formatted(e.code(), e.status(), e.description())));
        page.append("""

                ## What is decided first

                At the token endpoint: whether the tenant exists (404), then the method (405), then the body's size (413), then the
                client's authentication (401), and only then the rest of the request. A request that authenticates in two ways at
                once, or repeats `client_id` or `client_secret`, is malformed before it is wrong: 400. `WWW-Authenticate` stands in
                a 401 when the client tried the Authorization header.

                A client authenticates by the method that it is registered with, and by no other. Scopes that the client may not
                have are dropped silently; when none remains, or none was asked for, the answer is `invalid_scope`.

                An assertion (`private_key_jwt`) that is refused for what it claims, after its signature was found right, is told
                what is wrong in the description of `invalid_client`; others get the usual one. An assertion works once: the
                second use is `invalid_client`, at every replica. While Redis cannot say whether it was used, the answer is
                503 `temporarily_unavailable`.

                ## Management API

                The same form. 401 `invalid_token` without the right bearer token, whatever the path; 400 `invalid_request` names
                the field, never its value; 409 `tenant_id_conflict` when another owner holds the tenant id.
                """);
        Golden.checkPage("errors.md", page.toString());
    }

    @Test
    void everyErrorHasACodeOfItsOwn() {
        assertThat(Arrays.stream(OAuthError.values()).map(OAuthError::code).collect(Collectors.toSet()))
                .hasSameSizeAs(OAuthError.values());
    }
}
