from collections import deque

import torch
from torch import nn


class TrackCell(nn.Module):
    def __init__(self, inputs, hidden):
        super().__init__()
        self.hidden = hidden
        self.gates = nn.Linear(inputs + hidden, 2 * hidden)

    def forward(self, x, h):
        z, c = self.gates(torch.cat([x, h], -1)).chunk(2, -1)
        z = torch.sigmoid(z)
        return (1 - z) * h + z * torch.tanh(c)


class PlotNet(nn.Module):
    def __init__(self, cell):
        super().__init__()
        self.cell = cell
        self.out = nn.Linear(cell.hidden, 2)

    def forward(self, plots, h):
        h = self.cell(plots, h)
        return self.out(h), h


class OnlineTrainer:
    """Every scan sends its gradient back to the start of the window; one step per window."""

    def __init__(self, net, horizon, lr):
        self.net, self.horizon = net, horizon
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)
        self.sched = torch.optim.lr_scheduler.StepLR(self.opt, 12, 0.8)
        self.hidden = None
        self.window = []
        self.errors = deque(maxlen=40)
        self.anchor = None
        self.last_hidden = None

    def on_scan(self, plots, truth):
        if self.hidden is None:
            self.hidden = torch.zeros(len(plots), self.net.cell.hidden)
        ahead, self.hidden = self.net(plots, self.hidden)
        self.window.append(self.hidden)
        loss = (ahead - truth).square().mean() + self._smoothness()
        closing = len(self.window) == self.horizon
        (loss / self.horizon).backward(retain_graph=not closing)
        self.errors.append((ahead.detach() - truth).square().mean().sqrt().item())
        if closing:
            self._close()

    def _smoothness(self):
        if len(self.window) < 3:
            return 0.0
        a, b, c = self.window[-3:]
        return 1e-3 * (a - 2 * b + c).square().mean()

    def _close(self):
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.opt.step()
        self.opt.zero_grad()
        self.sched.step()
        self.last_hidden, self.anchor = self.anchor, self.hidden.detach().clone()
        self.hidden = self.hidden.detach()
        self.window.clear()

    def recent(self):
        return sum(self.errors) / len(self.errors)

    def drift(self):
        if self.last_hidden is None:
            return 0.0
        return (self.anchor - self.last_hidden).norm().item()
