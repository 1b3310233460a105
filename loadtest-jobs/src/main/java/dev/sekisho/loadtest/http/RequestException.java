package dev.sekisho.loadtest.http;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import javax.net.ssl.SSLException;

/** A request that got no response, with k6's code and words for why. */
public final class RequestException extends IOException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    RequestException(ErrorCode code, String message) {
        super(message);
        this.code = code;
    }

    private RequestException(ErrorCode code, String message, IOException cause) {
        super(message, cause);
        this.code = code;
    }

    public ErrorCode code() {
        return code;
    }

    /** Classifies what went wrong while a connection was made. */
    static RequestException dialing(IOException e) {
        String message = text(e);
        return switch (e) {
            case RequestException known -> known;
            case UnknownHostException _ -> new RequestException(ErrorCode.DNS_NO_SUCH_HOST, "lookup: no such host", e);
            case SocketTimeoutException _ -> new RequestException(ErrorCode.TCP_DIAL_TIMEOUT, "dial: i/o timeout", e);
            case SSLException tls -> tls(tls);
            case ConnectException _
            when message.contains("refused") ->
                new RequestException(ErrorCode.TCP_DIAL_REFUSED, "dial: connection refused", e);
            case SocketException _
            when message.contains("reset") ->
                new RequestException(ErrorCode.TCP_RESET, "read: connection reset by peer", e);
            default -> new RequestException(ErrorCode.TCP_DIAL, "dial: " + message, e);
        };
    }

    /** Classifies what went wrong on a connection. */
    static RequestException exchanging(IOException e) {
        String message = text(e);
        return switch (e) {
            case RequestException known -> known;
            case SocketTimeoutException _ -> timeout();
            case SSLException tls -> tls(tls);
            case SocketException _
            when message.contains("reset") ->
                new RequestException(ErrorCode.TCP_RESET, "read: connection reset by peer", e);
            case SocketException _
            when message.contains("Broken pipe") ->
                new RequestException(ErrorCode.TCP_BROKEN_PIPE, "write: broken pipe", e);
            case SocketException _ -> new RequestException(ErrorCode.TCP, message, e);
            default -> new RequestException(ErrorCode.GENERIC, message, e);
        };
    }

    /** A URL that is none. */
    public static RequestException invalidUrl(String why) {
        return new RequestException(ErrorCode.INVALID_URL, "invalid URL: " + why);
    }

    static RequestException timeout() {
        return new RequestException(ErrorCode.REQUEST_TIMEOUT, "request timeout");
    }

    private static RequestException tls(SSLException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertPathBuilderException || cause instanceof CertPathValidatorException) {
                return new RequestException(ErrorCode.X509_UNKNOWN_AUTHORITY, "x509: unknown authority", e);
            }
            // The JDK has no type of its own for a certificate of another host.
            String message = text(cause);
            if (cause instanceof CertificateException
                    && (message.contains("subject alternative") || message.contains("No name matching"))) {
                return new RequestException(ErrorCode.X509_HOST_NAME, "x509: certificate doesn't match hostname", e);
            }
        }
        if (text(e).contains("Unsupported or unrecognized SSL message")) {
            return new RequestException(
                    ErrorCode.TLS_NOT_SPOKEN, "tls: first record does not look like a TLS handshake", e);
        }
        return new RequestException(ErrorCode.TLS, "tls: " + text(e), e);
    }

    private static String text(Throwable e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
}
