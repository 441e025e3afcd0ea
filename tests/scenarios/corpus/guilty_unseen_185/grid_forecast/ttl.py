"""A small time-to-live store."""
import time


class TTLStore:
    def __init__(self, ttl_ms, clock=time.monotonic):
        self.ttl_ms = ttl_ms
        self._clock = clock
        self._rows = {}

    def put(self, tag, value):
        now = self._clock()
        self._expire(now)
        self._rows[tag] = (now, value)  # <- culprit

    def _expire(self, now):
        dead = []
        for tag, (born, _) in self._rows.items():
            if now - born <= self.ttl_ms:  # <- culprit
                break
            dead.append(tag)
        for tag in dead:
            del self._rows[tag]

    def fresh(self):
        self._expire(self._clock())
        return [value for _, value in self._rows.values()]

    def __len__(self):
        return len(self._rows)
