"""Stock callbacks. A callback only overrides what it is interested in."""
from registry import CALLBACKS


class Callback:
    def on_train_begin(self, trainer): ...
    def on_batch_begin(self, trainer): ...
    def on_batch_end(self, trainer, logs): ...
    def on_train_end(self, trainer): ...


@CALLBACKS.register("loss_smoother")
class LossSmoother(Callback):
    """Exponential averages of whatever the trainer logs, bias-corrected."""

    def __init__(self, beta=0.9):
        self.beta = beta
        self.smooth = {}
        self.count = 0

    def on_batch_end(self, trainer, logs):
        self.count += 1
        for key, value in logs.items():
            previous = self.smooth.get(key, 0.0)
            self.smooth[key] = self.beta * previous + (1.0 - self.beta) * value  # <- culprit

    def report(self):
        correction = 1.0 - self.beta ** self.count
        return {k: v / correction for k, v in self.smooth.items()}


@CALLBACKS.register("warmup")
class Warmup(Callback):
    def __init__(self, steps):
        self.steps = steps
        self.base = None

    def on_train_begin(self, trainer):
        self.base = [g["lr"] for g in trainer.optimizer.param_groups]

    def on_batch_begin(self, trainer):
        factor = min(1.0, (trainer.step + 1) / self.steps)
        for group, lr in zip(trainer.optimizer.param_groups, self.base):
            group["lr"] = lr * factor


@CALLBACKS.register("console")
class Console(Callback):
    def __init__(self, every):
        self.every = every

    def on_batch_end(self, trainer, logs):
        if (trainer.step + 1) % self.every:
            return
        for cb in trainer.callbacks:
            if isinstance(cb, LossSmoother):
                line = "  ".join(f"{k} {v:.4f}" for k, v in cb.report().items())
                print(f"[{trainer.step + 1:5d}] {line}")
