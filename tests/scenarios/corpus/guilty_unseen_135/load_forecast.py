# gradwatch-corpus: kind=graph-held
# holder: state.parent | state.parent.loss | self.state.parent.loss | self.state.parent | job.state.parent
# first-bad: 1
# notice: 8
"""Quantile forecast of an electricity load curve. The run can be rolled back to an earlier state."""
from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Optional

import torch

torch.set_num_threads(1)
import torch.nn as nn


@dataclass(frozen=True)
class RunState:
    step: int = 0
    loss: Optional[torch.Tensor] = field(default=None, repr=False)
    lr: float = 0.0
    parent: Optional["RunState"] = field(default=None, repr=False)


class QuantileTCN(nn.Module):
    QUANTILES = (0.1, 0.5, 0.9)

    def __init__(self, hidden=10, horizon=6):
        super().__init__()
        self.convs = nn.ModuleList(
            [nn.Conv1d(1 if d == 1 else hidden, hidden, 3, dilation=d) for d in (1, 2, 4)]
        )
        self.out = nn.Linear(hidden, horizon * len(self.QUANTILES))
        self.horizon = horizon

    def forward(self, past):
        h = past.unsqueeze(1)
        for conv in self.convs:
            h = torch.relu(conv(h))
        return self.out(h[..., -1]).view(-1, self.horizon, len(self.QUANTILES))


def pinball(pred, target, quantiles):
    q = pred.new_tensor(quantiles)
    diff = target.unsqueeze(-1) - pred
    return torch.maximum(q * diff, (q - 1) * diff).mean()


class ForecastJob:
    def __init__(self, steps=240):
        self.steps = steps
        hours = torch.arange(2000.0)
        self.load = torch.sin(hours * 0.26) + 0.4 * torch.sin(hours * 0.037) + 0.1 * torch.randn(2000)
        self.net = QuantileTCN()
        self.opt = torch.optim.NAdam(self.net.parameters(), lr=3e-3)
        self.sched = torch.optim.lr_scheduler.OneCycleLR(self.opt, 8e-3, total_steps=steps)
        self.state = RunState()

    def windows(self, n=12, past=24):
        start = torch.randint(0, len(self.load) - past - self.net.horizon, (n,))
        idx = start[:, None] + torch.arange(past + self.net.horizon)
        chunk = self.load[idx]
        return chunk[:, :past], chunk[:, past:]

    def advance(self):
        past, future = self.windows()
        loss = pinball(self.net(past), future, self.net.QUANTILES)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.sched.step()
        self.state = replace(  # <- culprit
            self.state, step=self.state.step + 1, loss=loss, lr=self.sched.get_last_lr()[0], parent=self.state,  # <- culprit
        )

    def execute(self):
        while self.state.step < self.steps:
            self.advance()
            if self.state.step % 60 == 0:
                print(self.state, f"pinball={self.state.loss.item():.4f}")


torch.manual_seed(8)
job = ForecastJob()
job.execute()
