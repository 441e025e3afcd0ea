# gradwatch-corpus: kind=graph-held
# holder: self.rejected | forecaster.rejected | self.rejected[-1] | self.rejected[-1].reason | record.reason | err | err.__traceback__ | self.rejected[-1].reason.__traceback__
# first-bad: 14
# notice: 40
"""Day-ahead electricity load with a dilated causal network.
Batches spoiled by faulty meters are refused by a guard and trained with a robust loss instead."""
import math
import statistics
from collections import deque
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class Config:
    context: int = 72
    horizon: int = 12
    batch: int = 12
    steps: int = 320
    lr: float = 2e-3
    guard_factor: float = 6.0
    guard_window: int = 40
    fault_every: int = 5
    seed: int = 23


class SuspiciousBatch(RuntimeError):
    """The loss of a batch is far out of what the recent ones were like."""


@dataclass
class Rejection:
    step: int
    reason: Exception


def simulate(cfg):
    gen = torch.Generator().manual_seed(cfg.seed)
    n = cfg.context + cfg.horizon
    step = 0
    while True:
        t0 = torch.randint(0, 24 * 365, (cfg.batch, 1), generator=gen)
        t = (t0 + torch.arange(n)).float()
        load = torch.sin(2 * math.pi * t / 24) + 0.3 * torch.sin(2 * math.pi * t / 168)
        load = load + 0.5 * torch.cos(2 * math.pi * t / 8760)
        load = load + 0.05 * torch.randn(load.shape, generator=gen)
        if step % cfg.fault_every == cfg.fault_every - 2:
            load[:, cfg.context + 2:cfg.context + 6] += 9.0
        yield load[:, :cfg.context], load[:, cfg.context:]
        step += 1


class CausalBlock(nn.Module):
    def __init__(self, ch, dilation):
        super().__init__()
        self.pad = 2 * dilation
        self.conv = nn.Conv1d(ch, ch, 3, dilation=dilation)

    def forward(self, x):
        return x + torch.tanh(self.conv(F.pad(x, (self.pad, 0))))


class LoadNet(nn.Module):
    def __init__(self, horizon, ch=12):
        super().__init__()
        self.inp = nn.Conv1d(1, ch, 1)
        self.blocks = nn.Sequential(*(CausalBlock(ch, d) for d in (1, 2, 4, 8)))
        self.out = nn.Linear(ch, horizon)

    def forward(self, x):
        return self.out(self.blocks(self.inp(x.unsqueeze(1)))[..., -1])


@dataclass
class Forecaster:
    cfg: Config
    rejected: list = field(default_factory=list)

    def __post_init__(self):
        self.net = LoadNet(self.cfg.horizon)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=self.cfg.lr)
        self.recent = deque(maxlen=self.cfg.guard_window)

    def _check(self, value):
        if len(self.recent) >= 10 and value > self.cfg.guard_factor * statistics.median(self.recent):
            raise SuspiciousBatch(f"loss {value:.2f}")
        self.recent.append(value)

    def _apply(self, loss):
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()

    def train_batch(self, past, future):
        pred = self.net(past)
        loss = F.mse_loss(pred, future)
        self._check(loss.item())
        self._apply(loss)

    def robust_batch(self, past, future):
        keep = future.abs() < 4.0
        pred = self.net(past)
        self._apply(F.smooth_l1_loss(pred[keep], future[keep]))

    def fit(self, stream):
        for step in range(self.cfg.steps):
            past, future = next(stream)
            try:
                self.train_batch(past, future)
            except SuspiciousBatch as err:
                self.rejected.append(Rejection(step, err))  # <- culprit
                self.robust_batch(past, future)
            if step % 64 == 63:
                med = statistics.median(self.recent)
                print(f"step {step + 1}: median mse {med:.4f}, refused {len(self.rejected)}")
        return self


if __name__ == "__main__":
    config = Config()
    torch.manual_seed(config.seed)
    forecaster = Forecaster(config).fit(simulate(config))
    for record in forecaster.rejected[-3:]:
        print(f"  refused at {record.step}: {record.reason}")
