from collections import deque


class Clock:
    """Milliseconds since the start of the dive."""

    def __init__(self, ping_interval_ms=250):
        self.interval = ping_interval_ms
        self.now = 0

    def tick(self):
        self.now += self.interval
        return self.now


class SlidingWindow:
    def __init__(self, seconds):
        self.horizon = seconds * 1000
        self.pings = deque()

    def push(self, stamp, echo):
        self.pings.append((stamp, echo))  # <- culprit
        self.expire(stamp / 1000)  # <- culprit

    def expire(self, now):
        while self.pings and now - self.pings[0][0] > self.horizon:
            self.pings.popleft()

    def strongest(self):
        return max(float(echo.detach().max()) for _, echo in list(self.pings)[-20:])
