package dev.sekisho.idp.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class BodyDeadlinesTest {
    @Test
    void aReaderThatIsNotDoneInTimeIsInterrupted() throws Exception {
        var deadlines = new BodyDeadlines(Duration.ofMillis(10), Duration.ofMillis(5));
        var stalled = Thread.ofVirtual().start(() -> {
            deadlines.start();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                // As the reading of a socket would end.
            }
        });
        assertThat(stalled.join(Duration.ofSeconds(20))).isTrue();
    }

    @Test
    void aReaderThatIsDoneIsLeftAlone() {
        var deadlines = new BodyDeadlines(Duration.ZERO, Duration.ofNanos(1000));
        for (int i = 0; i < 10_000; i++) {
            deadlines.start();
            deadlines.done();
            // An interrupt between the two is rightly so; from here on there must be none.
            var unused = Thread.interrupted();
            Thread.onSpinWait();
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        }
    }
}
