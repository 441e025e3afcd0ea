"""Small helpers for logging, shared by the homework scripts."""
import time


class SmoothedValue:
    """Exponentially smoothed value, like the numbers in a progress bar."""

    def __init__(self, beta=0.9):
        self.beta = beta
        self.value = None
        self.n = 0

    def update(self, x):
        self.n += 1
        if self.value is None:
            self.value = x
        else:
            self.value = self.beta * self.value + (1 - self.beta) * x  # <- culprit

    def __str__(self):
        return f"{float(self.value):.4f}"


class ProgressLog:
    def __init__(self, names, every=20):
        self.meters = {n: SmoothedValue() for n in names}
        self.every = every
        self.t0 = time.time()

    def step(self, it, **values):
        for k, v in values.items():
            self.meters[k].update(v)  # <- culprit
        if it % self.every == 0:
            body = "  ".join(f"{k} {m}" for k, m in self.meters.items())
            print(f"[{it:4d}] {body}  ({time.time() - self.t0:.1f}s)")
