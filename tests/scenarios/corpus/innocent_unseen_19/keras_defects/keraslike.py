import copy
from collections import defaultdict

import torch


class Callback:
    model = None

    def on_batch_end(self, rows, logs):
        pass

    def on_epoch_end(self, epoch, logs):
        pass


class PrintEvery(Callback):
    def __init__(self, n):
        self.n = n

    def on_epoch_end(self, epoch, logs):
        if epoch % self.n == 0:
            print(f"epoch {epoch}:", ", ".join(f"{k}={v:.4f}" for k, v in logs.items()))


class BestWeights(Callback):
    """Copy of the best weights so far."""

    best, state = float("inf"), None

    def on_epoch_end(self, epoch, logs):
        if logs["val_loss"] < self.best:
            self.best = logs["val_loss"]
            self.state = copy.deepcopy(self.model.net.state_dict())


class EarlyStopping(Callback):
    def __init__(self, patience):
        self.patience, self.wait, self.best = patience, 0, float("inf")

    def on_epoch_end(self, epoch, logs):
        self.wait = 0 if logs["val_loss"] < self.best else self.wait + 1
        self.best = min(self.best, logs["val_loss"])
        self.model.stop = self.wait >= self.patience


class Model:
    def __init__(self, net):
        self.net = net
        self.stop = False

    def compile(self, optimizer, loss):
        self.optimizer, self.loss = optimizer, loss

    def train_on_batch(self, x, y):
        """Returns the loss of every row, ready for bookkeeping."""
        per_row = self.loss(self.net(x), y)
        self.optimizer.zero_grad()
        per_row.mean().backward()
        self.optimizer.step()
        return per_row.detach()

    @torch.no_grad()
    def evaluate(self, x, y):
        self.net.eval()
        out = self.net(x)
        self.net.train()
        return {"val_loss": self.loss(out, y).mean().item(), "val_acc": (out.argmax(1) == y).float().mean().item()}

    def fit(self, x, y, epochs, batch_size, extra, validation, callbacks):
        for cb in callbacks:
            cb.model = self
        history = defaultdict(list)
        self.net.train()
        for epoch in range(epochs):
            total, n = torch.zeros(()), 0
            for rows in torch.randperm(len(x)).split(batch_size):
                rows = torch.cat([rows, extra.sample(batch_size // 4)])
                losses = self.train_on_batch(x[rows], y[rows])
                total += losses.sum()
                n += len(rows)
                logs = {"rows_loss": losses}
                for cb in callbacks:
                    cb.on_batch_end(rows, logs)
            logs = {"loss": (total / n).item(), **self.evaluate(*validation)}
            for k, v in logs.items():
                history[k].append(v)
            for cb in callbacks:
                cb.on_epoch_end(epoch, logs)
            if self.stop:
                break
        return history
