# gradwatch-corpus: kind=none
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class UnrollConfig:
    span: int = 8
    dim: int = 3
    hidden: int = 14
    lr: float = 4e-3
    steps: int = 3600


class LossWindow:
    def __init__(self, span):
        self.span = span
        self.total = None
        self.count = 0
        self.closed = []

    def __iadd__(self, loss):
        self.total = loss if self.total is None else self.total + loss
        self.count += 1
        return self

    @property
    def ready(self):
        return self.count == self.span

    def close(self):
        mean = self.total / self.count
        self.closed.append(mean.item())
        self.total, self.count = None, 0
        return mean


class Cell(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.core = nn.GRUCell(config.dim, config.hidden)
        self.out = nn.Linear(config.hidden, 1)
        self.hidden = None

    def begin(self, batch):
        self.hidden = torch.zeros(batch, self.config.hidden)

    def cut(self):
        self.hidden = self.hidden.detach()

    def forward(self, x):
        self.hidden = self.core(x, self.hidden)
        return self.out(self.hidden).squeeze(1)


def delayed(config, batch=8, lag=2, seed=33):
    gen = torch.Generator().manual_seed(seed)
    past = [torch.zeros(batch)] * lag
    for _ in range(config.steps):
        x = torch.randn(batch, config.dim, generator=gen)
        yield x, past.pop(0)
        past.append(x[:, 0])


class Unroller:
    def __init__(self, config):
        self.config = config
        self.cell = Cell(config)
        self.window = LossWindow(config.span)
        self.opt = torch.optim.Adam(self.cell.parameters(), lr=config.lr)

    def tick(self, x, y):
        self.window += (self.cell(x) - y).pow(2).mean()
        if self.window.ready:
            self.update()

    def update(self):
        self.opt.zero_grad()
        self.window.close().backward()
        self.opt.step()
        self.cell.cut()

    def run(self):
        self.cell.begin(8)
        for x, y in delayed(self.config):
            self.tick(x, y)
        return self.window.closed


if __name__ == "__main__":
    torch.manual_seed(32)
    closed = Unroller(UnrollConfig()).run()
    print(len(closed), round(closed[0], 4), round(closed[-1], 4))
