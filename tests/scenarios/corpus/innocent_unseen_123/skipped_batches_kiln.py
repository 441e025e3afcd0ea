# gradwatch-corpus: kind=none
"""Kiln temperature; diverging batches raise and are retried once with a smaller step. Only the messages are kept."""
import contextlib

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(230)


class Spike(RuntimeError):
    pass


class Trainer:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(4, 12), nn.SELU(), nn.Linear(12, 1))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.03, momentum=0.8)
        self.average = None
        self.notes = []

    @contextlib.contextmanager
    def gentle(self, factor):
        before = [g["lr"] for g in self.opt.param_groups]
        for g in self.opt.param_groups:
            g["lr"] *= factor
        try:
            yield
        finally:
            for g, lr in zip(self.opt.param_groups, before):
                g["lr"] = lr

    def measure(self, x, y):
        loss = (self.net(x) - y).square().mean()
        if self.average is not None and loss.item() > 4 * self.average + 0.1:
            raise Spike(f"loss {loss.item():.2f} against {self.average:.2f}")
        return loss

    def descend(self, loss):
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        v = loss.item()
        self.average = v if self.average is None else 0.95 * self.average + 0.05 * v

    def fit_batch(self, x, y):
        try:
            self.descend(self.measure(x, y))
        except Spike as err:
            self.notes.append(str(err))
            with self.gentle(0.1):
                self.descend(nn.functional.huber_loss(self.net(x), y, delta=0.2))


trainer = Trainer()
for i in range(1, 2001):
    x = torch.randn(16, 4)
    y = x[:, :1] * 0.8 - torch.relu(x[:, 1:2])
    if i % 7 == 0:
        y = y + 3 * torch.randn(1)
    trainer.fit_batch(x, y)
    if i % 500 == 0:
        print(i, round(trainer.average, 4), len(trainer.notes), "spikes")
