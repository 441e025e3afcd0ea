from dataclasses import dataclass, field


class Callback:
    model = None

    def on_train_begin(self):
        pass

    def on_batch_end(self, batch, logs):
        pass

    def on_epoch_end(self, epoch, logs):
        pass


@dataclass
class Row:
    batch: int
    values: dict = field(default_factory=dict)


class History(Callback):
    def __init__(self):
        self.batch_log = []
        self.epoch_log = []

    def on_batch_end(self, batch, logs):
        row = Row(batch, dict(logs))  # <- culprit
        self.batch_log.append(row)  # <- culprit

    def on_epoch_end(self, epoch, logs):
        self.epoch_log.append(dict(logs))


class Printer(Callback):
    def on_epoch_end(self, epoch, logs):
        print(f"epoch {epoch + 1}: " + " - ".join(f"{k}: {v:.4f}" for k, v in logs.items()))


class EarlyStop(Callback):
    def __init__(self, monitor, patience):
        self.monitor, self.patience = monitor, patience
        self.best, self.wait = float("inf"), 0

    def on_epoch_end(self, epoch, logs):
        if logs[self.monitor] < self.best:
            self.best, self.wait = logs[self.monitor], 0
        else:
            self.wait += 1
            self.model.stop_training = self.wait >= self.patience
