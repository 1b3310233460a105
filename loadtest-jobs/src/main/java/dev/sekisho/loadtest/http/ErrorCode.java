package dev.sekisho.loadtest.http;

/** The error codes of k6 that this client can meet. */
public enum ErrorCode {
    GENERIC(1000),
    INVALID_URL(1020),
    REQUEST_TIMEOUT(1050),
    DNS(1100),
    DNS_NO_SUCH_HOST(1101),
    TCP(1200),
    TCP_BROKEN_PIPE(1201),
    TCP_DIAL(1210),
    TCP_DIAL_TIMEOUT(1211),
    TCP_DIAL_REFUSED(1212),
    TCP_RESET(1220),
    TLS(1300),
    TLS_NOT_SPOKEN(1301),
    X509_UNKNOWN_AUTHORITY(1310),
    X509_HOST_NAME(1311),
    DECOMPRESSION(1701);

    private final int code;

    ErrorCode(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }
}
