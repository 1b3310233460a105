package dev.sekisho.idp.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A port that leads to another one of this machine, by a cable that can be cut or go silent. */
public final class Relay implements AutoCloseable {
    private enum State {
        MENDED,
        CUT,
        SILENT
    }

    private final ServerSocket server;
    private final int target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private State state = State.MENDED;

    private Relay(int target) {
        this.target = target;
        try {
            this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    /** A relay to a loopback port. */
    public static Relay to(int port) {
        return new Relay(port);
    }

    /** Where it listens. */
    public int port() {
        return server.getLocalPort();
    }

    /** Ends all connections, and new ones as they come. */
    public void cut() {
        become(State.CUT);
        open.forEach(Relay::end);
    }

    /** Forwards nothing any more, though connections stay and new ones are accepted. */
    public void silence() {
        become(State.SILENT);
    }

    /** Forwards again, also what was held back. */
    public void mend() {
        become(State.MENDED);
    }

    private void become(State next) {
        lock.lock();
        try {
            state = next;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private boolean isMended() throws InterruptedException {
        lock.lock();
        try {
            while (state == State.SILENT) {
                changed.await();
            }
            return state == State.MENDED;
        } finally {
            lock.unlock();
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                var near = server.accept();
                open.add(near);
                Thread.ofVirtual().start(() -> connect(near));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void connect(Socket near) {
        try (near) {
            if (isMended()) {
                try (var far = new Socket(InetAddress.getLoopbackAddress(), target)) {
                    open.add(far);
                    var back = Thread.ofVirtual().start(() -> pump(far, near));
                    pump(near, far);
                    back.join();
                }
            }
        } catch (IOException e) {
            // The connection ends, which is what its ends see.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void pump(Socket from, Socket to) {
        var buffer = new byte[8192];
        try {
            for (int n = from.getInputStream().read(buffer);
                    n >= 0;
                    n = from.getInputStream().read(buffer)) {
                if (!isMended()) {
                    break;
                }
                to.getOutputStream().write(buffer, 0, n);
            }
        } catch (IOException e) {
            // As above.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            end(from);
            end(to);
        }
    }

    private static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        cut();
    }
}
