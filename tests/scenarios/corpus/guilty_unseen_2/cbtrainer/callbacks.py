class Callback:
    def on_train_begin(self, trainer):
        pass

    def on_batch_end(self, trainer, logs):
        pass

    def on_epoch_end(self, trainer, epoch):
        pass


class History(Callback):
    def __init__(self):
        self.records = []

    def on_batch_end(self, trainer, logs):
        self.records.append(logs)  # <- culprit

    def best(self):
        r = min(self.records, key=lambda r: float(r["loss"]))
        return r["step"], float(r["loss"])


class PrintEvery(Callback):
    def __init__(self, n):
        self.n = n

    def on_batch_end(self, trainer, logs):
        if logs["step"] % self.n == 0:
            print(f"[{logs['step']:4d}] loss={logs['loss'].item():.4f} acc={logs['acc']:.2f}")


class LRWarmup(Callback):
    def __init__(self, steps):
        self.steps = steps

    def on_train_begin(self, trainer):
        self.base = [g["lr"] for g in trainer.optimizer.param_groups]

    def on_batch_end(self, trainer, logs):
        k = min(1.0, (logs["step"] + 1) / self.steps)
        for g, b in zip(trainer.optimizer.param_groups, self.base):
            g["lr"] = b * k
