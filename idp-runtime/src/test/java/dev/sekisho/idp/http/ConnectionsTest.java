package dev.sekisho.idp.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class ConnectionsTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Patience ENDLESS = new Patience(HOUR, HOUR, HOUR, HOUR, HOUR);
    private static final Patience NONE =
            new Patience(Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO);

    private static Connections connections(Patience patience, int most) {
        return new Connections(
                Http1ConnectionSelector.builder().config(Http1Config.create()).build(),
                "test",
                patience,
                most,
                Duration.ofMillis(1));
    }

    /** A connection whose peer is silent, in a thread of its own. */
    private static Thread silent(Connections connections, Peer.Phase phase) throws InterruptedException {
        var begun = new SynchronousQueue<Boolean>();
        var thread = Thread.ofVirtual().start(() -> {
            var peer = connections.begin();
            try {
                if (phase != Peer.Phase.FIRST) {
                    peer.enter(phase);
                }
                begun.put(true);
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                // As the reading of a socket would end.
            } finally {
                connections.over();
            }
        });
        assertThat(begun.take()).isTrue();
        return thread;
    }

    @ParameterizedTest
    @EnumSource(names = {"FIRST", "IDLE", "BODY", "UNREAD", "ANSWER"})
    void whoeverIsWaitedForTooLongIsGivenUp(Peer.Phase phase) throws Exception {
        var patience = new Patience(
                phase == Peer.Phase.FIRST ? Duration.ofMillis(200) : HOUR,
                Duration.ofMillis(200),
                Duration.ofMillis(200),
                Duration.ofMillis(200),
                Duration.ofMillis(200));
        try (var connections = connections(patience, 100)) {
            assertThat(silent(connections, phase).join(Duration.ofSeconds(20))).isTrue();
            assertThat(connections.size()).isZero();
        }
    }

    @Test
    void whoeverWorksIsLeftAlone() {
        try (var connections = connections(NONE, 100)) {
            for (int i = 0; i < 2000; i++) {
                var peer = connections.begin();
                try {
                    peer.enter(Peer.Phase.WORK);
                } catch (CloseConnectionException e) {
                    // It came too late. The interrupt may still be on its way.
                    connections.over();
                    continue;
                }
                for (int j = 0; j < 1000; j++) {
                    Thread.onSpinWait();
                }
                assertThat(peer.phase()).isEqualTo(Peer.Phase.WORK);
                connections.over();
            }
        } finally {
            var unused = Thread.interrupted();
        }
    }

    @Test
    void whoeverWasGivenUpDoesNotGoOn() throws Exception {
        var peer = new Peer(Thread.ofVirtual().unstarted(() -> {}), ENDLESS);
        peer.endIfSilent();
        assertThatThrownBy(() -> peer.enter(Peer.Phase.WORK)).isInstanceOf(CloseConnectionException.class);
        assertThat(peer.phase()).isEqualTo(Peer.Phase.ENDED);
    }

    @Test
    void whenPlacesBecomeFewTheOneThatWasSilentForLongestGoes() throws Exception {
        try (var connections = connections(ENDLESS, 8)) {
            var working = silent(connections, Peer.Phase.WORK);
            var idle = silent(connections, Peer.Phase.IDLE);
            List<Thread> fresh = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                fresh.add(silent(connections, Peer.Phase.FIRST));
            }
            assertThat(connections.size()).as("seven of eight places").isEqualTo(7);
            for (int i = 0; i < 5; i++) {
                silent(connections, Peer.Phase.WORK);
                assertThat(fresh.get(i).join(Duration.ofSeconds(20)))
                        .as("the first that came and never said a word")
                        .isTrue();
            }
            assertThat(idle.isAlive()).isTrue();
            var last = silent(connections, Peer.Phase.WORK);
            assertThat(idle.join(Duration.ofSeconds(20)))
                    .as("then the one that rests")
                    .isTrue();
            assertThat(working.isAlive()).isTrue();
            assertThat(last.isAlive()).isTrue();
        }
    }
}
