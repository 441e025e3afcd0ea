class Callback:
    def on_step_end(self, trainer, step, logs):
        pass

    def on_fit_end(self, trainer):
        pass


class PrintEvery(Callback):
    def __init__(self, every):
        self.every = every

    def on_step_end(self, trainer, step, logs):
        if step % self.every == 0:
            text = "  ".join(f"{k}={v.item():.4f}" for k, v in logs.items())
            print(f"[{step:5d}] {text}")


class LatentMonitor(Callback):
    """Collects the scalars to report collapsed training at the end."""

    def __init__(self, names=("kl",), threshold=1e-2):
        self.names = names
        self.threshold = threshold
        self.values = {name: [] for name in names}

    def on_step_end(self, trainer, step, logs):
        for name in self.names:
            self.values[name].append(logs[name])  # <- culprit

    def on_fit_end(self, trainer):
        for name, vals in self.values.items():
            low = sum(float(v) < self.threshold for v in vals)
            print(f"{name}: {low} of {len(vals)} steps under {self.threshold}")
