import torch


class Model:
    def __init__(self, net):
        self.net = net
        self.stop_training = False

    def compile(self, optimizer, loss, metrics=None):
        self.optimizer, self.loss = optimizer, loss
        self.metrics = metrics or {}

    def train_step(self, x, y):
        pred = self.net(*x)
        loss = self.loss(pred, y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        logs = {"loss": loss}  # <- culprit
        with torch.no_grad():
            for name, fn in self.metrics.items():
                logs[name] = fn(pred, y)
        return logs

    def fit(self, data, batch_size, epochs, callbacks=()):
        for cb in callbacks:
            cb.model = self
            cb.on_train_begin()
        *xs, y = data
        n, batch = len(y), 0
        for epoch in range(epochs):
            self.net.train()
            sums = {}
            for idx in torch.randperm(n).split(batch_size):
                logs = self.train_step([x[idx] for x in xs], y[idx])
                for cb in callbacks:
                    cb.on_batch_end(batch, logs)
                for k, v in logs.items():
                    sums[k] = sums.get(k, 0.0) + v.item() * len(idx)
                batch += 1
            means = {k: v / n for k, v in sums.items()}
            for cb in callbacks:
                cb.on_epoch_end(epoch, means)
            if self.stop_training:
                break
