from collections import defaultdict


class Callback:
    def on_batch_end(self, trainer, logs):
        pass

    def on_epoch_end(self, trainer, epoch):
        pass


class MetricLogger(Callback):
    """Keeps every metric so that curves can be drawn after the run."""

    def __init__(self, every=5):
        self.every = every
        self.history = defaultdict(list)

    def on_batch_end(self, trainer, logs):
        for key, value in logs.items():
            self.history[key].append(value)  # <- culprit

    def on_epoch_end(self, trainer, epoch):
        if epoch % self.every:
            return
        n = trainer.batches_per_epoch
        parts = []
        for key, values in self.history.items():
            tail = [float(v) for v in values[-n:]]
            parts.append(f"{key}={sum(tail) / len(tail):.4f}")
        print(f"[epoch {epoch:03d}]", " ".join(parts))


class LRMonitor(Callback):
    def __init__(self):
        self.lrs = []

    def on_epoch_end(self, trainer, epoch):
        self.lrs.append(trainer.scheduler.get_last_lr()[0])
