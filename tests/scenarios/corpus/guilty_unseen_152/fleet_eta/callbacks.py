from collections import defaultdict


class Callback:
    def on_epoch_begin(self, loop):
        pass

    def on_batch_end(self, loop, logs):
        pass

    def on_epoch_end(self, loop):
        pass


class EpochRecap(Callback):
    """Prints per-epoch means of whatever the loop logs."""

    def __init__(self):
        self.rows = defaultdict(list)
        self.offset = 0

    def on_epoch_begin(self, loop):
        self.offset = len(self.rows["loss"])

    def on_batch_end(self, loop, logs):
        for key, value in logs.items():
            self.rows[key].append(value)  # <- culprit

    def on_epoch_end(self, loop):
        parts = []
        for key, values in self.rows.items():
            recent = [float(v) for v in values[self.offset:]]
            parts.append(f"{key} {sum(recent) / len(recent):.4f}")
        print(f"epoch {loop.epoch}: " + "  ".join(parts))


class LrDecay(Callback):
    def __init__(self, factor=0.9):
        self.factor = factor

    def on_epoch_end(self, loop):
        for group in loop.optimizer.param_groups:
            group["lr"] *= self.factor
