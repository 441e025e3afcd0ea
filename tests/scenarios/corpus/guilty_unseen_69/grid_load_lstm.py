# gradwatch-corpus: kind=second-backward
# holder: self.c | memory.c | self.memory.c | memory | self.memory | net.memory | net.memory.c | self.net.memory.c | c | self.net.memory
# first-bad: 1
# notice: 0
"""Load forecasting on a power grid: stateful LSTM, the year cut into consecutive windows."""
import math
from typing import NamedTuple

import torch
from torch import Tensor, nn


class Memory(NamedTuple):
    h: Tensor
    c: Tensor

    @classmethod
    def blank(cls, batch, width):
        return cls(torch.zeros(batch, width), torch.zeros(batch, width))

    def at_boundary(self):
        """The memory as the following window is to start from it."""
        return self._replace(h=self.h.detach())  # <- culprit


class LoadNet(nn.Module):
    def __init__(self, inputs, width):
        super().__init__()
        self.width = width
        self.inp = nn.Linear(inputs, width)
        self.cell = nn.LSTMCell(width, width)
        self.out = nn.Linear(width, 1)
        self.memory = None

    def reset(self, batch):
        self.memory = Memory.blank(batch, self.width)

    def forward(self, window):
        memory = self.memory.at_boundary()
        preds = []
        for x in window.unbind(dim=1):
            memory = Memory(*self.cell(torch.relu(self.inp(x)), memory))
            preds.append(self.out(memory.h))
        self.memory = memory  # <- culprit
        return torch.cat(preds, dim=1)


class GridYear:
    """Hourly load of several districts, served window after window."""

    def __init__(self, districts=12, hours=24 * 40, window=16):
        t = torch.arange(hours + 1).float()
        base = torch.rand(districts, 1) + 0.5
        day = torch.sin(2 * math.pi * t / 24 + torch.rand(districts, 1))
        week = 0.4 * torch.sin(2 * math.pi * t / 168)
        self.load = base * (day + week) + 0.05 * torch.randn(districts, hours + 1)
        self.hour = torch.stack([torch.sin(2 * math.pi * t / 24), torch.cos(2 * math.pi * t / 24)], dim=-1)
        self.window = window
        self.hours = hours

    def __iter__(self):
        for a in range(0, self.hours - self.window + 1, self.window):
            b = a + self.window
            clock = self.hour[a:b].expand(self.load.shape[0], -1, -1)
            x = torch.cat([self.load[:, a:b, None], clock], dim=-1)
            yield x, self.load[:, a + 1:b + 1]


class Forecaster:
    def __init__(self, net, lr=4e-3):
        self.net = net
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)
        self.sched = torch.optim.lr_scheduler.ExponentialLR(self.opt, 0.99)

    def fit_window(self, x, y):
        self.opt.zero_grad()
        loss = nn.functional.mse_loss(self.net(x), y)
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
        self.opt.step()
        self.sched.step()
        return loss.item()

    def fit(self, year, passes):
        for n in range(passes):
            self.net.reset(batch=year.load.shape[0])
            errors = [self.fit_window(x, y) for x, y in year]
            print(f"pass {n}: first {errors[0]:.4f}, last {errors[-1]:.4f}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(40)
    Forecaster(LoadNet(inputs=3, width=24)).fit(GridYear(), passes=2)
