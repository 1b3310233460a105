package dev.sekisho.loadtest.http;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.util.concurrent.atomic.LongAdder;

/** Counts bytes on the wire, TLS included. */
public final class Traffic {
    private final LongAdder sent = new LongAdder();
    private final LongAdder received = new LongAdder();

    /** Bytes sent since the last call. */
    public long takeSent() {
        return sent.sumThenReset();
    }

    /** Bytes received since the last call. */
    public long takeReceived() {
        return received.sumThenReset();
    }

    Socket newSocket() {
        return new CountingSocket();
    }

    private final class CountingSocket extends Socket {
        @Override
        public InputStream getInputStream() throws IOException {
            return new FilterInputStream(super.getInputStream()) {
                @Override
                public int read() throws IOException {
                    int b = in.read();
                    received.add(b < 0 ? 0 : 1);
                    return b;
                }

                @Override
                public int read(byte[] buffer, int offset, int length) throws IOException {
                    int count = in.read(buffer, offset, length);
                    received.add(Math.max(count, 0));
                    return count;
                }
            };
        }

        @Override
        public OutputStream getOutputStream() throws IOException {
            return new FilterOutputStream(super.getOutputStream()) {
                @Override
                public void write(int b) throws IOException {
                    out.write(b);
                    sent.increment();
                }

                @Override
                public void write(byte[] buffer, int offset, int length) throws IOException {
                    out.write(buffer, offset, length);
                    sent.add(length);
                }
            };
        }
    }
}
