package dev.sekisho.loadtest.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class CookieJarTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final CookieJar jar = new CookieJar();

    private static Url url(String text) {
        try {
            return Url.parse(text);
        } catch (RequestException e) {
            throw new IllegalArgumentException(e);
        }
    }

    @Test
    void aCookieGoesBackToItsHostAndPathOnly() {
        jar.set(url("http://a.test/x/y"), "one=1", NOW);

        assertThat(jar.matching(url("http://a.test/x/z"), NOW)).containsExactly("one=1");
        assertThat(jar.matching(url("http://a.test/xx"), NOW)).isEmpty();
        assertThat(jar.matching(url("http://b.test/x/y"), NOW)).isEmpty();
        assertThat(jar.matching(url("http://sub.a.test/x/y"), NOW)).isEmpty();
    }

    @Test
    void aDomainCookieGoesToSubdomainsAndNobodySetsItForOthers() {
        jar.set(url("http://x.a.test/"), "one=1; Domain=.a.test; Path=/", NOW);
        jar.set(url("http://x.a.test/"), "two=2; Domain=b.test; Path=/", NOW);

        assertThat(jar.matching(url("http://y.a.test/"), NOW)).containsExactly("one=1");
        assertThat(jar.matching(url("http://b.test/"), NOW)).isEmpty();
    }

    @Test
    void secureCookiesNeedTls() {
        jar.set(url("https://a.test/"), "one=1; Secure", NOW);

        assertThat(jar.matching(url("http://a.test/"), NOW)).isEmpty();
        assertThat(jar.matching(url("https://a.test/"), NOW)).containsExactly("one=1");
    }

    @Test
    void cookiesExpireAndAreReplacedAndRemoved() {
        Url url = url("http://a.test/");
        jar.set(url, "one=1; Max-Age=10; Expires=Thu, 01 Jan 1970 00:00:00 GMT", NOW);
        jar.set(url, "two=2; Expires=Thu, 01 Jan 2026 00:00:05 GMT", NOW);
        jar.set(url, "three=3", NOW);
        jar.set(url, "three=\"4\"", NOW);

        assertThat(jar.matching(url, NOW)).containsExactly("one=1", "two=2", "three=4");
        assertThat(jar.matching(url, NOW.plusSeconds(6))).containsExactly("one=1", "three=4");
        jar.set(url, "three=; Max-Age=0", NOW);
        assertThat(jar.matching(url, NOW.plusSeconds(11))).isEmpty();
    }

    @Test
    void longerPathsComeFirst() {
        jar.set(url("http://a.test/"), "short=1; Path=/", NOW);
        jar.set(url("http://a.test/"), "long=1; Path=/x/y", NOW);

        assertThat(jar.matching(url("http://a.test/x/y/z"), NOW)).containsExactly("long=1", "short=1");
    }

    @Test
    void whatIsNoCookieIsLeftOut() {
        jar.set(url("http://a.test/"), "=x", NOW);
        jar.set(url("http://a.test/"), "novalue", NOW);

        assertThat(jar.matching(url("http://a.test/"), NOW)).isEmpty();
    }
}
