from collections import defaultdict

from engine import Callback


class MeanMeter:
    """Weighted mean over everything seen since the start of the job."""

    def __init__(self):
        self.total = 0.0
        self.count = 0

    def update(self, value, n=1):
        self.total = self.total + value * n  # <- culprit
        self.count += n

    @property
    def mean(self):
        return float(self.total) / max(1, self.count)


class MeterCallback(Callback):
    def __init__(self):
        self.meters = defaultdict(MeanMeter)

    def on_step_end(self, state):
        for name, value in state.metrics.items():
            self.meters[name].update(value, state.batch_size)

    def summary(self):
        return "  ".join(f"{name} {meter.mean:.4f}" for name, meter in self.meters.items())


class ProgressCallback(Callback):
    def __init__(self, meters, every):
        self.meters = meters
        self.every = every

    def on_step_end(self, state):
        if state.step % self.every == 0:
            print(f"[{state.step:5d}] {self.meters.summary()}")


class WarmupCallback(Callback):
    def __init__(self, optimizer, peak, steps):
        self.optimizer = optimizer
        self.peak = peak
        self.steps = steps

    def on_step_start(self, state):
        scale = min(1.0, (state.step + 1) / self.steps)
        for group in self.optimizer.param_groups:
            group["lr"] = self.peak * scale
