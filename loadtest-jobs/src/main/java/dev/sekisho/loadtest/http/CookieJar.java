package dev.sekisho.loadtest.http;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Cookies of one virtual user (RFC 6265, without a list of public suffixes). Thread-safe. */
public final class CookieJar {
    private final Map<String, Cookie> cookies = new LinkedHashMap<>();

    /** Keeps the cookie of one Set-Cookie header. */
    public synchronized void set(Url url, String setCookie, Instant now) {
        Cookie cookie = Cookie.parse(url, setCookie, now);
        if (cookie == null) {
            return;
        }
        String key = cookie.domain + ";" + cookie.path + ";" + cookie.name;
        if (cookie.expires != null && !cookie.expires.isAfter(now)) {
            cookies.remove(key);
        } else {
            cookies.put(key, cookie);
        }
    }

    /** The cookies to send to a URL, as {@code name=value}, longer paths first. */
    public synchronized List<String> matching(Url url, Instant now) {
        List<Cookie> found = new ArrayList<>();
        for (Iterator<Cookie> all = cookies.values().iterator(); all.hasNext(); ) {
            Cookie cookie = all.next();
            if (cookie.expires != null && !cookie.expires.isAfter(now)) {
                all.remove();
            } else if (cookie.matches(url)) {
                found.add(cookie);
            }
        }
        found.sort((a, b) -> b.path.length() - a.path.length());
        return found.stream().map(cookie -> cookie.name + "=" + cookie.value).toList();
    }

    /** Forgets all cookies. */
    public synchronized void clear() {
        cookies.clear();
    }

    /** Forgets the cookies that would be sent to a URL. */
    public synchronized void clear(Url url) {
        cookies.values().removeIf(cookie -> cookie.matches(url));
    }

    private record Cookie(
            String name,
            String value,
            String domain,
            boolean hostOnly,
            String path,
            boolean secure,
            @Nullable Instant expires) {

        static @Nullable Cookie parse(Url url, String setCookie, Instant now) {
            String[] parts = setCookie.split(";", -1);
            int equals = parts[0].indexOf('=');
            if (equals <= 0) {
                return null;
            }
            String domain = "";
            String path = "";
            boolean secure = false;
            Instant expires = null;
            boolean maxAge = false;
            for (int i = 1; i < parts.length; i++) {
                String[] attribute = parts[i].strip().split("=", 2);
                String value = attribute.length == 2 ? attribute[1].strip() : "";
                switch (attribute[0].strip().toLowerCase(Locale.ROOT)) {
                    case "domain" -> domain = value.replaceFirst("^\\.", "").toLowerCase(Locale.ROOT);
                    case "path" -> path = value;
                    case "secure" -> secure = true;
                    case "max-age" -> {
                        if (value.matches("-?[0-9]{1,10}")) {
                            expires = now.plusSeconds(Long.parseLong(value));
                            maxAge = true;
                        }
                    }
                    case "expires" -> expires = maxAge ? expires : CookieDates.parse(value);
                    default -> {
                        // HttpOnly and SameSite do not matter to a client without pages
                    }
                }
            }
            if (!domain.isEmpty() && !domainMatches(url.host(), domain)) {
                return null;
            }
            return new Cookie(
                    parts[0].substring(0, equals).strip(),
                    unquote(parts[0].substring(equals + 1).strip()),
                    domain.isEmpty() ? url.host() : domain,
                    domain.isEmpty(),
                    path.startsWith("/") ? path : defaultPath(url),
                    secure,
                    expires);
        }

        private static String unquote(String value) {
            return value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"")
                    ? value.substring(1, value.length() - 1)
                    : value;
        }

        private static String defaultPath(Url url) {
            String path = path(url);
            int slash = path.lastIndexOf('/');
            return slash <= 0 ? "/" : path.substring(0, slash);
        }

        private static String path(Url url) {
            int query = url.target().indexOf('?');
            return query < 0 ? url.target() : url.target().substring(0, query);
        }

        private static boolean domainMatches(String host, String domain) {
            return host.equals(domain) || host.endsWith("." + domain);
        }

        boolean matches(Url url) {
            String target = path(url);
            boolean pathMatches = target.equals(path)
                    || (target.startsWith(path) && (path.endsWith("/") || target.charAt(path.length()) == '/'));
            boolean domainFits = hostOnly ? url.host().equals(domain) : domainMatches(url.host(), domain);
            return domainFits && pathMatches && (!secure || url.secure());
        }
    }
}
