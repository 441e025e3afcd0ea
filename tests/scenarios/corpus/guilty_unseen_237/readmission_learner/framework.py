from collections import defaultdict

import torch


class Metric:
    name = "metric"

    def reset(self):
        raise NotImplementedError

    def accumulate(self, learn):
        raise NotImplementedError

    @property
    def value(self):
        raise NotImplementedError


class AvgLoss(Metric):
    name = "loss"

    def __init__(self):
        self.reset()

    def reset(self):
        self.total = 0.0
        self.count = 0

    def accumulate(self, learn):
        n = len(learn.yb)
        self.total += learn.loss.item() * n
        self.count += n

    @property
    def value(self):
        return self.total / max(self.count, 1)


class Accuracy(Metric):
    name = "acc"

    def __init__(self, threshold=0.5):
        self.threshold = threshold
        self.reset()

    def reset(self):
        self.hits = 0
        self.count = 0

    def accumulate(self, learn):
        guess = torch.sigmoid(learn.pred) > self.threshold
        self.hits += (guess == learn.yb.bool()).sum().item()
        self.count += len(learn.yb)

    @property
    def value(self):
        return self.hits / max(self.count, 1)


class Recorder:
    def __init__(self):
        self.values = defaultdict(list)
        self.smooth = None
        self.beta = 0.95

    def after_batch(self, learn):
        raw = learn.loss.item()
        self.smooth = raw if self.smooth is None else self.beta * self.smooth + (1 - self.beta) * raw
        self.values["smooth_loss"].append(self.smooth)
        self.values["lr"].append(learn.opt.param_groups[0]["lr"])
        self.values["margin"].append((learn.pred * (2 * learn.yb - 1)).mean())  # <- culprit

    def summary(self):
        return {k: float(torch.as_tensor(v[-1])) for k, v in self.values.items()}


class Learner:
    def __init__(self, data, model, loss_func, opt, metrics=(), recorder=None):
        self.data = data
        self.model = model
        self.loss_func = loss_func
        self.opt = opt
        self.metrics = list(metrics)
        self.recorder = recorder or Recorder()

    def one_batch(self, xb, yb):
        self.xb = xb
        self.yb = yb
        self.pred = self.model(xb)
        self.loss = self.loss_func(self.pred, yb)
        self.opt.zero_grad()
        self.loss.backward()
        self.opt.step()
        self.recorder.after_batch(self)
        for m in self.metrics:
            m.accumulate(self)

    def fit(self, n_epochs):
        for epoch in range(n_epochs):
            for m in self.metrics:
                m.reset()
            for xb, yb in self.data:
                self.one_batch(xb, yb)
            line = "  ".join(f"{m.name}={m.value:.4f}" for m in self.metrics)
            print(f"epoch {epoch}  {line}")
