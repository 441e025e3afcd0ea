import heapq

from trainer import Callback


class LearningRateRamp(Callback):
    def __init__(self, steps, peak):
        self.steps, self.peak = steps, peak

    def on_batch_begin(self, trainer):
        for group in trainer.opt.param_groups:
            group["lr"] = self.peak * min(1.0, (trainer.step + 1) / self.steps)


class RecallMeter(Callback):
    def on_day_begin(self, trainer, day):
        self.hit = self.seen = 0
        self.total = 0.0

    def on_scored(self, trainer, batch, per_row):
        bad = batch["fraud"] > 0.5
        self.seen += int(bad.sum())
        self.hit += int((per_row.detach()[bad] < 0.6931).sum())
        self.total += per_row.mean().item()

    def on_day_end(self, trainer, day):
        print(f"day {day}  recall {self.hit / max(1, self.seen):.3f}  nll {self.total / 40:.4f}")


class HardestTransactions(Callback):
    """Keeps a heap of the rows analysts should look at first."""

    def __init__(self, per_batch):
        self.per_batch = per_batch
        self._reservoir = []

    def on_scored(self, trainer, batch, per_row):
        worst = per_row.topk(self.per_batch)
        for value, where in zip(worst.values.unbind(), worst.indices.tolist()):
            entry = (int(batch["txn"][where]), trainer.step, value)
            self._reservoir.append(entry)  # <- culprit

    def top(self, k):
        best = heapq.nlargest(k, self._reservoir, key=lambda e: e[2].item())
        return [(v.item(), txn, step) for txn, step, v in best]
