from collections import deque
from statistics import median


class SuspectBatch(Exception):
    def __init__(self, reason, step, loss):
        super().__init__(f"{reason} at step {step}")
        self.reason = reason
        self.step = step
        self.loss = loss  # <- culprit


class MedianGuard:
    def __init__(self, factor=8.0, warmup=12, memory=40):
        self.factor = factor
        self.warmup = warmup
        self.values = deque(maxlen=memory)

    def check(self, step, loss):
        value = loss.item()
        known = len(self.values) >= self.warmup
        if known and value > self.factor * median(self.values):
            raise SuspectBatch("loss spike", step, loss)  # <- culprit
        self.values.append(value)
