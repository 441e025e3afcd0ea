import heapq

import torch


class Callback:
    def on_train_begin(self, trainer): ...
    def on_batch_end(self, trainer, logs): ...
    def on_epoch_end(self, trainer, epoch): ...


class CallbackList(Callback):
    def __init__(self, callbacks):
        self.callbacks = list(callbacks)

    def __getattribute__(self, name):
        if name.startswith("on_"):
            def fire(*args, **kw):
                for cb in self.callbacks:
                    getattr(cb, name)(*args, **kw)
            return fire
        return object.__getattribute__(self, name)


class WarmupLR(Callback):
    def __init__(self, steps):
        self.steps = steps
        self.seen = 0

    def on_train_begin(self, trainer):
        self.base = [g["lr"] for g in trainer.opt.param_groups]

    def on_batch_end(self, trainer, logs):
        self.seen += 1
        for g, lr in zip(trainer.opt.param_groups, self.base):
            g["lr"] = lr * min(1.0, (self.seen + 1) / self.steps)


class HardExamples(Callback):
    """Keeps the sentences that the model does worst on, for the report at the end."""

    def __init__(self, per_batch=2, top=10):
        self.per_batch, self.top = per_batch, top
        self.heap = []
        self.serial = 0

    def on_batch_end(self, trainer, logs):
        worst = logs["per_sentence"].topk(self.per_batch)
        for value, row in zip(worst.values, worst.indices.tolist()):
            self.serial += 1
            entry = (value.item(), self.serial, logs["tokens"][row], value)  # <- culprit
            heapq.heappush(self.heap, entry)  # <- culprit

    def report(self):
        top = heapq.nlargest(self.top, self.heap)
        return torch.stack([v for *_, v in top]).mean().item()


class EpochPrinter(Callback):
    def __init__(self):
        self.sum = self.n = 0

    def on_batch_end(self, trainer, logs):
        self.sum += logs["loss"].item()
        self.n += 1

    def on_epoch_end(self, trainer, epoch):
        print(f"epoch {epoch} loss {self.sum / self.n:.4f}")
        self.sum = self.n = 0
