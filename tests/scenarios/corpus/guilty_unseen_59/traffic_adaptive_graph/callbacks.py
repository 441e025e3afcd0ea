"""Callbacks of the trainer."""
import time


class Callback:
    trainer = None

    def on_step_begin(self, step):
        pass

    def on_step_end(self, step):
        pass


class AdjacencySchedule(Callback):
    """Rebuilds the sensor graph every step while it settles, every `period` steps after that."""

    def __init__(self, adjacency, warmup, period):
        self.adjacency = adjacency
        self.warmup, self.period = warmup, period

    def on_step_begin(self, step):
        if step < self.warmup or step % self.period == 0:  # <- culprit
            self.adjacency.rebuild()


class ThroughputPrinter(Callback):
    def __init__(self, every):
        self.every = every
        self.since = time.time()

    def on_step_end(self, step):
        if step % self.every == 0:
            now = time.time()
            print(f"step {step:4d}  mae {self.trainer.last_loss:.4f}  ({now - self.since:.2f}s)")
            self.since = now
