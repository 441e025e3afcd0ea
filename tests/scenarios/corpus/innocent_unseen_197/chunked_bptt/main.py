# gradwatch-corpus: kind=none
from dataclasses import dataclass

import torch
from torch import nn

from hooks import ReportHook, TruncateHook
from state import Ledger, RecurrentState


@dataclass
class Setup:
    ticks: int = 3280
    batch: int = 12
    inputs: int = 3
    width: int = 20
    horizon: int = 8
    lr: float = 4e-3


class Cell(nn.Module):
    def __init__(self, inputs, width):
        super().__init__()
        self.lstm = nn.LSTMCell(inputs, width)
        self.read = nn.Linear(width, inputs)

    def forward(self, x, state):
        h, c = self.lstm(x, state.as_pair())
        return self.read(h), RecurrentState(h, c)


class Trainer:
    def __init__(self, setup, hooks):
        self.setup, self.hooks = setup, hooks
        self.cell = Cell(setup.inputs, setup.width)
        self.opt = torch.optim.Adam(self.cell.parameters(), lr=setup.lr)
        self.state = RecurrentState.zeros(setup.batch, setup.width)
        self.ledger = Ledger()
        self.tick = 0

    def step(self, now, then):
        guess, self.state = self.cell(now, self.state)
        self.ledger.owe((guess - then).pow(2).mean())
        for hook in self.hooks:
            hook.after_step(self)

    def fit(self, series):
        for self.tick in range(self.setup.ticks):
            self.step(series[self.tick], series[self.tick + 1])


def oscillators(setup, seed=12):
    g = torch.Generator().manual_seed(seed)
    freq = 0.1 + torch.rand(1, setup.batch, setup.inputs, generator=g)
    phase = 6.28 * torch.rand(1, setup.batch, setup.inputs, generator=g)
    t = torch.arange(setup.ticks + 1).view(-1, 1, 1)
    return torch.sin(freq * t + phase)


if __name__ == "__main__":
    torch.manual_seed(0)
    setup = Setup()
    Trainer(setup, [TruncateHook(setup.horizon), ReportHook(640)]).fit(oscillators(setup))
