from collections import deque
from statistics import median


class BatchRejected(RuntimeError):
    def __init__(self, value, typical):
        super().__init__(f"loss {value:.2f} against a typical {typical:.2f}")
        self.value, self.typical = value, typical


class SpikeGuard:
    """Raises BatchRejected for a loss far above the median of the last accepted ones."""

    def __init__(self, factor=3.0, window=32, min_seen=10):
        self.factor, self.min_seen = factor, min_seen
        self.recent = deque(maxlen=window)

    def check(self, loss):
        value = loss.item()
        if len(self.recent) >= self.min_seen:
            typical = median(self.recent)
            if value > self.factor * typical + 0.1:
                raise BatchRejected(value, typical)
        self.recent.append(value)
        return loss
