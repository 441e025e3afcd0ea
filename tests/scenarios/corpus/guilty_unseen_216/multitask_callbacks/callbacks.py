from collections import defaultdict


class Callback:
    trainer = None

    def on_batch_end(self, step, logs):
        pass

    def on_epoch_end(self, epoch, logs):
        pass


class History(Callback):
    def __init__(self):
        self.logs = defaultdict(list)
        self.epoch_ends = [0]

    def on_batch_end(self, step, logs):
        for name, value in logs.items():
            self.logs[name].append(value)  # <- culprit

    def on_epoch_end(self, epoch, logs):
        self.epoch_ends.append(len(self.logs["loss"]))

    def epoch_mean(self, name):
        out = []
        for a, b in zip(self.epoch_ends[:-1], self.epoch_ends[1:]):
            out.append(float(sum(self.logs[name][a:b]) / (b - a)))
        return out


class PrintLogs(Callback):
    def __init__(self, every=1):
        self.every = every

    def on_epoch_end(self, epoch, logs):
        if epoch % self.every == 0:
            print("epoch %d " % epoch + " ".join("%s=%.4f" % kv for kv in logs.items()))


class EarlyStopping(Callback):
    def __init__(self, patience):
        self.patience = patience
        self.best = float("inf")
        self.wait = 0

    def on_epoch_end(self, epoch, logs):
        if logs["loss"] < self.best:
            self.best, self.wait = logs["loss"], 0
        else:
            self.wait += 1
            if self.wait >= self.patience:
                self.trainer.stop = True
