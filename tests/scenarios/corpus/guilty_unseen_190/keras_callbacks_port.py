# gradwatch-corpus: kind=graph-held
# holder: self.batches | history.batches
# first-bad: 1
# Port of a Keras training script: Model.compile / Model.fit with callbacks
import torch
import torch.nn as nn


class Callback:
    def set_model(self, model):
        self.model = model

    def on_epoch_begin(self, epoch, logs=None):
        pass

    def on_epoch_end(self, epoch, logs=None):
        pass

    def on_train_batch_end(self, batch, logs=None):
        pass


class BatchHistory(Callback):
    def __init__(self):
        self.batches = {}
        self.epoch = 0

    def on_epoch_begin(self, epoch, logs=None):
        self.epoch = epoch

    def on_train_batch_end(self, batch, logs=None):
        self.batches[self.epoch, batch] = dict(logs)  # <- culprit


class Progbar(Callback):
    def on_epoch_end(self, epoch, logs=None):
        print("Epoch %d - " % (epoch + 1) + " - ".join("%s: %.4f" % (k, float(v)) for k, v in logs.items()))


class Sequential(nn.Sequential):
    def compile(self, optimizer, loss, metrics=()):
        self.optimizer = optimizer(self.parameters())
        self.loss = loss
        self.metrics_fns = list(metrics)

    def train_on_batch(self, x, y):
        y_pred = self(x)
        loss = self.loss(y_pred, y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        logs = {"loss": loss}  # <- culprit
        for fn in self.metrics_fns:
            logs[fn.__name__] = fn(y_pred.detach(), y)
        return logs

    def fit(self, x, y, batch_size=32, epochs=1, callbacks=()):
        for cb in callbacks:
            cb.set_model(self)
        n = len(x)
        for epoch in range(epochs):
            for cb in callbacks:
                cb.on_epoch_begin(epoch)
            perm = torch.randperm(n)
            logs = {}
            for b, start in enumerate(range(0, n, batch_size)):
                idx = perm[start:start + batch_size]
                logs = self.train_on_batch(x[idx], y[idx])
                for cb in callbacks:
                    cb.on_train_batch_end(b, logs)
            for cb in callbacks:
                cb.on_epoch_end(epoch, logs)


def mae(y_pred, y_true):
    return (y_pred - y_true).abs().mean()


torch.manual_seed(123)
X = torch.rand(640, 8) * 2 - 1
Y = (X[:, :4] * X[:, 4:]).sum(1, keepdim=True)

model = Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 1))
model.compile(optimizer=lambda p: torch.optim.RMSprop(p, lr=1e-3), loss=nn.functional.mse_loss, metrics=[mae])
history = BatchHistory()
model.fit(X, Y, batch_size=32, epochs=22, callbacks=[history, Progbar()])

last = [v["mae"] for (e, b), v in history.batches.items() if e == 21]
print("batches", len(history.batches), "last epoch mae", float(torch.stack(last).mean()))
