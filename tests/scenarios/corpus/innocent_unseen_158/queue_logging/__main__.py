# gradwatch-corpus: kind=none
"""Pump pressure model whose training log passes through a queue to a listener thread."""
import logging
import warnings

import torch
import torch.nn as nn
import torch.nn.functional as F

from .journal import Journal

torch.set_num_threads(1)
torch.manual_seed(38)

log = logging.getLogger("pump.train")


class PressureNet(nn.Module):
    def __init__(self, inputs=11, width=30):
        super().__init__()
        self.a = nn.Linear(inputs, width)
        self.b = nn.Linear(inputs, width)
        self.out = nn.Linear(width, 2)

    def forward(self, x):
        mean, raw = self.out(self.a(x).relu() * self.b(x)).unbind(dim=-1)
        return mean, F.softplus(raw) + 1e-3


def check(mean, variance):
    if variance.max() > 4.0:
        warnings.warn(f"variance up to {variance.max():.2f}", RuntimeWarning)


def train(steps=120):
    net = PressureNet()
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    for step in range(steps):
        x = torch.randn(32, 11)
        y = x[:, 0] * x[:, 1] + 0.2 * torch.randn(32) * (1 + x[:, 2].abs())
        mean, variance = net(x)
        check(mean, variance)
        loss = F.gaussian_nll_loss(mean, y, variance)
        opt.zero_grad()
        loss.backward()
        opt.step()
        log.debug("step %d nll %s mean %s", step, loss, mean.mean())
        if step % 30 == 29:
            log.info("step %d nll %.4f", step + 1, loss)


if __name__ == "__main__":
    with Journal("pump") as journal, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        train()
    print(f"{len(journal.lines)} lines, {len(caught)} warnings, last: {journal.lines[-1][:60]}")
