package dev.sekisho.loadtest.js;

import dev.sekisho.loadtest.http.CookieJar;
import dev.sekisho.loadtest.http.RequestException;
import dev.sekisho.loadtest.http.Url;
import java.time.Instant;
import org.graalvm.polyglot.HostAccess;

/** A cookie jar, for scripts. */
public final class CookieJarApi {
    private final CookieJar jar;

    CookieJarApi(CookieJar jar) {
        this.jar = jar;
    }

    CookieJar jar() {
        return jar;
    }

    @HostAccess.Export
    public String[] cookies(String url) throws RequestException {
        return jar.matching(Url.parse(url), Instant.now()).toArray(String[]::new);
    }

    @HostAccess.Export
    public void set(String url, String setCookie) throws RequestException {
        jar.set(Url.parse(url), setCookie, Instant.now());
    }

    @HostAccess.Export
    public void clear(String url) throws RequestException {
        jar.clear(Url.parse(url));
    }
}
