class Callback:
    def on_train_begin(self, learner): ...

    def on_batch_end(self, learner, step, logs): ...

    def on_epoch_end(self, learner, epoch, logs): ...


class History(Callback):
    def __init__(self):
        self.history = {}

    def on_batch_end(self, learner, step, logs):
        for k, v in logs.items():
            self.history.setdefault(f"train_{k}", []).append(v)  # <- culprit


class EarlyStopping(Callback):
    def __init__(self, monitor, patience=3):
        self.monitor, self.patience = monitor, patience
        self.best, self.bad = float("inf"), 0

    def on_epoch_end(self, learner, epoch, logs):
        cur = logs[self.monitor]
        if cur < self.best:
            self.best, self.bad = cur, 0
        else:
            self.bad += 1
        learner.stop = self.bad > self.patience
