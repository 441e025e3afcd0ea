from collections import defaultdict


class Callback:
    priority = 0

    def on_train_begin(self, loop): ...
    def on_batch_end(self, loop, out): ...
    def on_train_end(self, loop): ...


class Throttle(Callback):
    def __init__(self, every):
        self.every = every

    def on_batch_end(self, loop, out):
        if loop.step % self.every == 0:
            parts = " ".join(f"{k}={v.item():.4f}" for k, v in out.items() if v.dim() == 0)
            print(f"step {loop.step:4d} {parts}")


class RunningTotals(Callback):
    """Sums every scalar of the step output, for the table at the end of the run."""

    priority = 10

    def on_train_begin(self, loop):
        self.sums = defaultdict(float)
        self.count = 0

    def on_batch_end(self, loop, out):
        self.count += 1
        for key, val in out.items():
            if val.dim() == 0:
                self.sums[key] += val  # <- culprit

    def on_train_end(self, loop):
        print("means:", {k: round(float(v) / self.count, 4) for k, v in self.sums.items()})
