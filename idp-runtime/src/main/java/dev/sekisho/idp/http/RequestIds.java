package dev.sekisho.idp.http;

import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;

/** Ids of requests. They find log lines; nothing is secured by them. */
final class RequestIds {
    private static final int LONGEST = 64;

    private RequestIds() {}

    /** A new one. */
    static String create() {
        var random = ThreadLocalRandom.current();
        var hex = HexFormat.of();
        return hex.toHexDigits(random.nextLong()) + hex.toHexDigits(random.nextLong());
    }

    /** Whether one that a caller sent can go into logs and answers. */
    static boolean isSane(String id) {
        if (id.isEmpty() || id.length() > LONGEST) {
            return false;
        }
        return id.chars().allMatch(c -> c == '-' || c == '_' || c == '.' || (c < 128 && Character.isLetterOrDigit(c)));
    }
}
