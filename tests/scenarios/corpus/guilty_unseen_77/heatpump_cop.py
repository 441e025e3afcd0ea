# gradwatch-corpus: kind=inplace-modified
# holder: model.lift.weight | self.model.lift.weight | learner.model.lift.weight | lift.weight | w | self.layer.weight | learner.loss | self.loss
# first-bad: 9
# notice: 0
"""Coefficient-of-performance regression for air-source heat pumps (callback-driven learner)."""
import argparse

import torch
from torch import nn


class Callback:
    def before_fit(self, learner):
        pass

    def after_pred(self, learner):
        pass

    def after_loss(self, learner):
        pass

    def after_step(self, learner):
        pass


class NonNegative(Callback):
    """Keeps a layer's weights physically plausible (COP never rises with temperature lift)."""

    def __init__(self, layer, every=10):
        self.layer = layer
        self.every = every
        self.n_fixed = 0

    @torch.no_grad()
    def after_loss(self, learner):  # <- culprit
        if (learner.iteration + 1) % self.every:
            return
        w = self.layer.weight
        self.n_fixed += int((w < 0).sum())
        w.clamp_(min=0.0)  # <- culprit


class Meter(Callback):
    def __init__(self, every=5):
        self.every = every
        self.avg = None

    def after_step(self, learner):
        v = learner.loss.item()
        self.avg = v if self.avg is None else 0.95 * self.avg + 0.05 * v
        if learner.iteration % self.every == 0:
            print(f"it {learner.iteration:3d}  mse {self.avg:.4f}")


class WarmUp(Callback):
    def __init__(self, steps):
        self.steps = steps

    def before_fit(self, learner):
        self.base = [g["lr"] for g in learner.opt.param_groups]

    def after_pred(self, learner):
        k = min(1.0, (learner.iteration + 1) / self.steps)
        for g, lr in zip(learner.opt.param_groups, self.base):
            g["lr"] = lr * k


class CopNet(nn.Module):
    """Carnot-like head on top of learned operating features."""

    def __init__(self, n_in, hidden=24):
        super().__init__()
        self.features = nn.Sequential(nn.Linear(n_in, hidden), nn.Softplus())
        self.lift = nn.Linear(hidden, hidden // 2)
        self.eta = nn.Linear(hidden // 2, 1)

    def forward(self, x):
        h = torch.tanh(self.lift(self.features(x)))
        eta = torch.sigmoid(self.eta(h)).squeeze(1)
        t_sink, t_src = x[:, 0] * 20 + 313.0, x[:, 1] * 10 + 278.0
        carnot = t_sink / (t_sink - t_src).clamp(min=8.0)
        return eta * carnot


class Learner:
    def __init__(self, model, batches, lr, callbacks):
        self.model = model
        self.batches = batches
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.callbacks = callbacks
        self.iteration = 0
        self.pred = self.loss = None

    def emit(self, event):
        for cb in self.callbacks:
            getattr(cb, event)(self)

    def one_batch(self, x, y):
        self.pred = self.model(x)
        self.emit("after_pred")
        self.loss = nn.functional.mse_loss(self.pred, y)
        self.emit("after_loss")
        self.opt.zero_grad()
        self.loss.backward()
        self.opt.step()
        self.emit("after_step")

    def fit(self, n):
        self.emit("before_fit")
        for _ in range(n):
            self.one_batch(*next(self.batches))
            self.iteration += 1


def field_data(batch, seed=31):
    g = torch.Generator().manual_seed(seed)
    while True:
        x = torch.rand(batch, 6, generator=g)
        sink, src = x[:, 0] * 20 + 313.0, x[:, 1] * 10 + 278.0
        eta = 0.35 + 0.15 * x[:, 2] - 0.1 * (x[:, 3] > 0.8).float()
        y = eta * sink / (sink - src).clamp(min=8.0)
        yield x, y + 0.05 * torch.randn(batch, generator=g)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=80)
    ap.add_argument("--batch", type=int, default=48)
    ap.add_argument("--lr", type=float, default=5e-3)
    a = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(6)
    model = CopNet(6)
    learner = Learner(model, field_data(a.batch), a.lr, [WarmUp(10), NonNegative(model.lift), Meter()])
    learner.fit(a.iters)


if __name__ == "__main__":
    main()
