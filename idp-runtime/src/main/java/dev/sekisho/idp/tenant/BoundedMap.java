package dev.sekisho.idp.tenant;

import java.util.ArrayDeque;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A map that forgets what has not been read lately (the clock algorithm). Reads take no lock.
 *
 * @param <V> the values
 */
final class BoundedMap<V> {
    private final int capacity;
    private final ConcurrentHashMap<UUID, Slot<V>> slots = new ConcurrentHashMap<>();
    private final ArrayDeque<Slot<V>> clock = new ArrayDeque<>();
    private final ReentrantLock lock = new ReentrantLock();

    private static final class Slot<V> {
        private final UUID key;
        private final V value;
        private volatile boolean used;

        Slot(UUID key, V value) {
            this.key = key;
            this.value = value;
        }
    }

    BoundedMap(int capacity) {
        this.capacity = capacity;
    }

    @Nullable V get(UUID key) {
        var slot = slots.get(key);
        if (slot == null) {
            return null;
        }
        if (!slot.used) {
            slot.used = true;
        }
        return slot.value;
    }

    void put(UUID key, V value) {
        lock.lock();
        try {
            var slot = new Slot<>(key, value);
            slots.put(key, slot);
            clock.addLast(slot);
            // Slots that were removed or replaced leave the clock here too, so both stay bounded.
            while (slots.size() > capacity || clock.size() > 2 * capacity) {
                var oldest = clock.removeFirst();
                if (slots.get(oldest.key) != oldest) {
                    continue;
                }
                if (oldest.used) {
                    oldest.used = false;
                    clock.addLast(oldest);
                } else {
                    slots.remove(oldest.key, oldest);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    void remove(UUID key) {
        slots.remove(key);
    }

    int size() {
        return slots.size();
    }
}
