package dev.sekisho.loadtest.http;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/** Reads one HTTP/1.1 response from a connection (RFC 9112). */
final class ResponseReader {
    private static final int MAX_HEAD_BYTES = 1 << 20;
    private static final int MAX_BODY_BYTES = 256 << 20;

    private final Connection connection;
    private final Deadline deadline;
    private final StringBuilder line = new StringBuilder(128);
    private int headBytes;

    private int status;
    private String reason = "";
    private String protocol = "";
    private Headers headers = new Headers();
    private final List<String> setCookies = new ArrayList<>();
    private byte @Nullable [] body;
    private boolean delimitedByClose;
    private boolean started;
    private long firstByteAt;

    ResponseReader(Connection connection, Deadline deadline) {
        this.connection = connection;
        this.deadline = deadline;
    }

    /** Reads the response; interim ones (1xx) are skipped. */
    void read(String method, boolean keepBody) throws IOException {
        do {
            headers = new Headers();
            setCookies.clear();
            readStatusLine();
            readHeaders();
            if (status == 101) {
                throw new IOException("unsupported response status: 101 " + reason);
            }
        } while (status < 200);
        body = decode(readBody(method, keepBody), keepBody);
    }

    private void readStatusLine() throws IOException {
        String statusLine = readLine();
        int space = statusLine.indexOf(' ');
        if (!statusLine.startsWith("HTTP/1.") || space < 0 || statusLine.length() < space + 4) {
            throw new IOException("malformed HTTP response \"" + cut(statusLine) + "\"");
        }
        protocol = statusLine.substring(0, space);
        String code = statusLine.substring(space + 1, space + 4);
        if (!code.matches("[1-9][0-9]{2}")) {
            throw new IOException("malformed HTTP status code \"" + cut(code) + "\"");
        }
        status = Integer.parseInt(code);
        reason = statusLine.substring(space + 4).strip();
    }

    private void readHeaders() throws IOException {
        for (String field = readLine(); !field.isEmpty(); field = readLine()) {
            int colon = field.indexOf(':');
            if (colon <= 0) {
                throw new IOException("malformed MIME header line: " + cut(field));
            }
            String name = field.substring(0, colon);
            String value = field.substring(colon + 1).strip();
            if (name.equalsIgnoreCase("Set-Cookie")) {
                setCookies.add(value);
            }
            headers.add(name, value);
        }
    }

    private String readLine() throws IOException {
        line.setLength(0);
        while (true) {
            int b = connection.read(deadline);
            if (!started && b >= 0) {
                started = true;
                firstByteAt = System.nanoTime();
            }
            if (b < 0) {
                throw new EOFException(started ? "unexpected EOF" : "EOF");
            }
            if (++headBytes > MAX_HEAD_BYTES) {
                throw new IOException("server response headers exceeded " + MAX_HEAD_BYTES + " bytes; aborted");
            }
            if (b == '\n') {
                int length = line.length();
                if (length > 0 && line.charAt(length - 1) == '\r') {
                    line.setLength(length - 1);
                }
                return line.toString();
            }
            line.append((char) b);
        }
    }

    private static String cut(String text) {
        return text.length() <= 60 ? text : text.substring(0, 60) + "…";
    }

    private byte @Nullable [] readBody(String method, boolean keep) throws IOException {
        if (method.equals("HEAD") || status == 204 || status == 304) {
            return new byte[0];
        }
        if (headers.get("Transfer-Encoding", "").toLowerCase(Locale.ROOT).endsWith("chunked")) {
            return readChunks(keep);
        }
        String length = headers.get("Content-Length", "");
        if (length.isEmpty()) {
            delimitedByClose = true;
            return readToEnd(keep);
        }
        long bytes = parseLength(
                length.contains(",") ? length.substring(0, length.indexOf(',')).strip() : length, 10);
        if (keep) {
            byte[] content = new byte[(int) bytes];
            readFully(content, (int) bytes);
            return content;
        }
        skip(bytes);
        return null;
    }

    private static long parseLength(String text, int radix) throws IOException {
        try {
            long length = Long.parseLong(text, radix);
            if (length >= 0 && length <= MAX_BODY_BYTES) {
                return length;
            }
            throw new IOException("response body of " + length + " bytes is more than the limit of " + MAX_BODY_BYTES);
        } catch (NumberFormatException e) {
            throw new IOException("bad length of response body \"" + cut(text) + "\"", e);
        }
    }

    private byte @Nullable [] readChunks(boolean keep) throws IOException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        byte[] chunk = new byte[8 * 1024];
        long total = 0;
        while (true) {
            String size = readLine();
            int extension = size.indexOf(';');
            long left = parseLength((extension < 0 ? size : size.substring(0, extension)).strip(), 16);
            if (left == 0) {
                while (!readLine().isEmpty()) {
                    // trailers are of no use here
                }
                return keep ? content.toByteArray() : null;
            }
            total = checkTotal(total + left);
            while (left > 0) {
                int count = readSome(chunk, (int) Math.min(left, chunk.length));
                if (keep) {
                    content.write(chunk, 0, count);
                }
                left -= count;
            }
            if (!readLine().isEmpty()) {
                throw new IOException("malformed chunked encoding");
            }
            headBytes = 0;
        }
    }

    private byte @Nullable [] readToEnd(boolean keep) throws IOException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        byte[] chunk = new byte[8 * 1024];
        long total = 0;
        while (true) {
            int count = connection.read(chunk, 0, chunk.length, deadline);
            if (count < 0) {
                return keep ? content.toByteArray() : null;
            }
            total = checkTotal(total + count);
            if (keep) {
                content.write(chunk, 0, count);
            }
        }
    }

    private static long checkTotal(long total) throws IOException {
        if (total > MAX_BODY_BYTES) {
            throw new IOException("response body is more than the limit of " + MAX_BODY_BYTES + " bytes");
        }
        return total;
    }

    private void readFully(byte[] into, int length) throws IOException {
        for (int done = 0; done < length; ) {
            int count = connection.read(into, done, length - done, deadline);
            if (count < 0) {
                throw new EOFException("unexpected EOF");
            }
            done += count;
        }
    }

    private int readSome(byte[] into, int length) throws IOException {
        int count = connection.read(into, 0, length, deadline);
        if (count < 0) {
            throw new EOFException("unexpected EOF");
        }
        return count;
    }

    private void skip(long bytes) throws IOException {
        byte[] chunk = new byte[8 * 1024];
        for (long left = bytes; left > 0; ) {
            left -= readSome(chunk, (int) Math.min(left, chunk.length));
        }
    }

    private byte @Nullable [] decode(byte @Nullable [] content, boolean keep) throws IOException {
        if (!keep || content == null || content.length == 0) {
            return keep ? content : null;
        }
        String encoding = headers.get("Content-Encoding", "").toLowerCase(Locale.ROOT);
        InputStream raw = new ByteArrayInputStream(content);
        try {
            return switch (encoding) {
                case "gzip", "x-gzip" -> inflate(new GZIPInputStream(raw));
                case "deflate" -> inflate(new InflaterInputStream(raw));
                default -> content;
            };
        } catch (IOException e) {
            throw new RequestException(
                    ErrorCode.DECOMPRESSION, "error decompressing response body (" + e.getMessage() + ")");
        }
    }

    private static byte[] inflate(InputStream in) throws IOException {
        try (in) {
            byte[] content = in.readNBytes(MAX_BODY_BYTES);
            checkTotal(content.length + (long) Math.max(0, in.read()));
            return content;
        }
    }

    /** Whether the connection can carry another request. */
    boolean reusable() {
        String option = headers.get("Connection", "").toLowerCase(Locale.ROOT);
        return !delimitedByClose
                && !option.contains("close")
                && (protocol.equals("HTTP/1.1") || option.contains("keep-alive"));
    }

    /** Whether a byte of the response was read. */
    boolean started() {
        return started;
    }

    long firstByteAt() {
        return firstByteAt;
    }

    HttpResponse response(HttpRequest request, Timings timings) {
        return new HttpResponse(
                request,
                status,
                reason,
                protocol,
                headers,
                List.copyOf(setCookies),
                body,
                timings,
                connection.remoteHost(),
                connection.remotePort(),
                connection.tlsVersion(),
                connection.tlsCipherSuite(),
                null);
    }
}
