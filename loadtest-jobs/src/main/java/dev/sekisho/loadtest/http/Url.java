package dev.sekisho.loadtest.http;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Locale;

/**
 * An absolute or relative URL, parsed leniently as browsers do: what may not stand in a request line is escaped.
 *
 * @param text as given, without the fragment
 * @param scheme in lower case; empty for a relative URL
 * @param userInfo what stands before {@code @}, or empty
 * @param host in lower case, without brackets
 * @param port as given, or the scheme's own, or -1
 * @param target path and query for the request line; starts with a slash
 */
public record Url(String text, String scheme, String userInfo, String host, int port, String target) {
    /**
     * Parses a URL.
     *
     * @throws RequestException with code 1020 if it is none
     */
    public static Url parse(String given) throws RequestException {
        for (int i = 0; i < given.length(); i++) {
            if (given.charAt(i) < 0x20 || given.charAt(i) == 0x7f) {
                throw RequestException.invalidUrl("it has a control character");
            }
        }
        int hash = given.indexOf('#');
        String text = hash < 0 ? given : given.substring(0, hash);
        int colon = text.indexOf("://");
        if (colon <= 0 || !text.substring(0, colon).matches("[a-zA-Z][a-zA-Z0-9+.-]*")) {
            return new Url(text, "", "", "", -1, text);
        }
        String scheme = text.substring(0, colon).toLowerCase(Locale.ROOT);
        int start = colon + 3;
        int end = start;
        while (end < text.length() && text.charAt(end) != '/' && text.charAt(end) != '?') {
            end++;
        }
        String authority = text.substring(start, end);
        int at = authority.lastIndexOf('@');
        String userInfo = at < 0 ? "" : authority.substring(0, at);
        String hostPort = authority.substring(at + 1);
        int portColon = hostPort.indexOf(':', hostPort.lastIndexOf(']') + 1);
        String host = portColon < 0 ? hostPort : hostPort.substring(0, portColon);
        int port = portColon < 0 || portColon == hostPort.length() - 1
                ? defaultPort(scheme)
                : port(hostPort.substring(portColon + 1));
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        if (host.contains(" ")) {
            throw RequestException.invalidUrl("invalid character \" \" in host name");
        }
        String rest = text.substring(end);
        String target = escape(rest.startsWith("/") ? rest : "/" + rest);
        return new Url(text, scheme, userInfo, host.toLowerCase(Locale.ROOT), port, target);
    }

    private static int defaultPort(String scheme) {
        return switch (scheme) {
            case "http" -> 80;
            case "https" -> 443;
            default -> -1;
        };
    }

    private static int port(String digits) throws RequestException {
        if (!digits.matches("[0-9]{1,5}") || Integer.parseInt(digits) > 65_535) {
            throw RequestException.invalidUrl("invalid port \":" + digits + "\" after host");
        }
        return Integer.parseInt(digits);
    }

    private static String escape(String target) {
        StringBuilder escaped = new StringBuilder(target.length() + 16);
        for (byte b : target.getBytes(StandardCharsets.UTF_8)) {
            if (b <= ' ' || b == '"' || b == '<' || b == '>') {
                escaped.append(String.format(Locale.ROOT, "%%%02X", b & 0xff));
            } else {
                escaped.append((char) b);
            }
        }
        return escaped.toString();
    }

    /** Whether requests to it are encrypted. */
    public boolean secure() {
        return scheme.equals("https");
    }

    /** What identifies the server: connections are kept per origin. */
    public String origin() {
        return scheme + "://" + host + ":" + port;
    }

    /** Value of a Host header: the port only where it is not the scheme's own. */
    public String hostHeader() {
        String name = host.contains(":") ? "[" + host + "]" : host;
        return port == defaultPort(scheme) ? name : name + ":" + port;
    }

    /** The URL for logs and tags: with the credentials masked. */
    public String clean() {
        if (userInfo.isEmpty()) {
            return text;
        }
        int start = text.indexOf("://") + 3;
        return text.substring(0, start)
                + (userInfo.contains(":") ? "****:****" : "****")
                + text.substring(start + userInfo.length());
    }

    /** The URL that a Location header of this URL's response means (RFC 3986 section 5). */
    public Url resolve(String reference) throws RequestException {
        if (reference.matches("[a-zA-Z][a-zA-Z0-9+.-]*://.*")) {
            return parse(reference);
        }
        if (reference.startsWith("//")) {
            return parse(scheme + ":" + reference);
        }
        String base = scheme + "://" + (userInfo.isEmpty() ? "" : userInfo + "@") + hostHeader();
        if (reference.startsWith("/")) {
            return parse(base + withoutDots(reference));
        }
        String path = target.contains("?") ? target.substring(0, target.indexOf('?')) : target;
        if (reference.startsWith("?") || reference.isEmpty()) {
            return parse(base + path + reference);
        }
        return parse(base + withoutDots(path.substring(0, path.lastIndexOf('/') + 1) + reference));
    }

    private static String withoutDots(String pathAndQuery) {
        int query = pathAndQuery.indexOf('?');
        String path = query < 0 ? pathAndQuery : pathAndQuery.substring(0, query);
        ArrayDeque<String> segments = new ArrayDeque<>();
        String[] parts = path.substring(1).split("/", -1);
        for (int i = 0; i < parts.length; i++) {
            boolean last = i == parts.length - 1;
            if (parts[i].equals("..")) {
                segments.pollLast();
            } else if (!parts[i].equals(".")) {
                segments.addLast(parts[i]);
                continue;
            }
            if (last) {
                segments.addLast("");
            }
        }
        return "/" + String.join("/", segments) + (query < 0 ? "" : pathAndQuery.substring(query));
    }
}
