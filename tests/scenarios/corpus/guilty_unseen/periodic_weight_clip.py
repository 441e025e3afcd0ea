# gradwatch-corpus: kind=inplace-modified
# first-bad: 30
# holder: p | w | self.model
"""Lipschitz regressor: weights are projected every 30 steps by a callback."""
import torch
from torch import nn


class Callback:
    def before_backward(self, trainer, loss):
        pass

    def after_step(self, trainer):
        pass


class ProjectWeights(Callback):
    def __init__(self, every=30, bound=0.2):
        self.every, self.bound = every, bound

    def before_backward(self, trainer, loss):
        if trainer.global_step and trainer.global_step % self.every == 0:
            with torch.no_grad():
                for p in trainer.model.parameters():
                    if p.ndim == 2:
                        p.clamp_(-self.bound, self.bound)  # <- culprit


class Progress(Callback):
    def after_step(self, trainer):
        if trainer.global_step % 25 == 0:
            print("step", trainer.global_step, trainer.last_loss)


class BaseTrainer:
    def __init__(self, model, callbacks):
        self.model, self.callbacks = model, callbacks
        self.opt = torch.optim.Adam(model.parameters(), lr=3e-3)
        self.global_step = 0
        self.last_loss = float("nan")

    def call(self, hook, *a):
        for cb in self.callbacks:
            getattr(cb, hook)(self, *a)

    def run(self, it):
        for batch in it:
            loss = self.loss(batch)
            self.call("before_backward", loss)  # <- culprit
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.last_loss = loss.item()
            self.global_step += 1
            self.call("after_step")


class Regression(BaseTrainer):
    def loss(self, batch):
        x, y = batch
        return nn.functional.mse_loss(self.model(x), y)


def data(n):
    for _ in range(n):
        x = torch.randn(128, 16)
        yield x, x.norm(dim=1, keepdim=True)


torch.manual_seed(77)
m = nn.Sequential(nn.Linear(16, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 1))
Regression(m, [ProjectWeights(), Progress()]).run(data(150))
