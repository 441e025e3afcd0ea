# gradwatch-corpus: kind=inplace-modified
# holder: pred | values | scaled | kw["pred"] | loss
# first-bad: 24
# notice: 0
"""Melt rates of glacier cells from degree-days, albedo, slope and debris."""
import logging
from dataclasses import dataclass, field

import torch
from torch import nn

torch.set_num_threads(1)
logging.basicConfig(level=logging.INFO, format="%(message)s")
LOG = logging.getLogger("melt")


@dataclass
class Scaler:
    """Affine map between network units and millimetres per day."""

    mean: float = 0.0
    std: float = 1.0

    def fit(self, raw):
        self.mean, self.std = raw.mean().item(), raw.std().item()
        return self

    def encode(self, raw):
        return (raw - self.mean) / self.std

    def decode(self, scaled):
        values = scaled.detach()
        return values.mul_(self.std).add_(self.mean)  # <- culprit


class Listener:
    def after_forward(self, **kw): ...
    def after_step(self, **kw): ...


class MillimetreReport(Listener):
    def __init__(self, scaler, every):
        self.scaler, self.every = scaler, every
        self.rows = []

    def after_forward(self, step, pred, raw, **kw):
        if (step + 1) % self.every:
            return
        error = (self.scaler.decode(pred) - raw).abs().mean().item()
        self.rows.append((step, error))
        LOG.info("step %d: off by %.2f mm/day", step, error)


class LossLine(Listener):
    def __init__(self, every):
        self.every, self.smooth = every, None

    def after_step(self, step, loss, **kw):
        self.smooth = loss if self.smooth is None else 0.95 * self.smooth + 0.05 * loss
        if step % self.every == 0:
            LOG.info("step %d: loss %.4f", step, self.smooth)


@dataclass
class Melter:
    model: nn.Module
    scaler: Scaler
    listeners: list = field(default_factory=list)
    lr: float = 5e-3

    def __post_init__(self):
        self.optimizer = torch.optim.NAdam(self.model.parameters(), lr=self.lr)
        self.criterion = nn.MSELoss()

    def tell(self, what, **kw):
        for listener in self.listeners:
            getattr(listener, what)(**kw)

    def fit(self, cells):
        for step, (x, raw) in enumerate(cells):
            pred = self.model(x).squeeze(-1)
            loss = self.criterion(pred, self.scaler.encode(raw))
            self.tell("after_forward", step=step, pred=pred, raw=raw)  # <- culprit
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.tell("after_step", step=step, loss=loss.item())


def melt(x, gen):
    degree, albedo, slope, debris = x.unbind(1)
    rate = 8 * degree * (1 - albedo) + slope - 2 * debris * degree
    return rate.clamp(min=0) + 0.2 * torch.randn(len(x), generator=gen)


def cell_stream(steps, size, gen):
    for _ in range(steps):
        x = torch.rand(size, 4, generator=gen)
        yield x, melt(x, gen)


def main():
    torch.manual_seed(12)
    gen = torch.Generator().manual_seed(12)
    scaler = Scaler().fit(melt(torch.rand(2000, 4, generator=gen), gen))
    model = nn.Sequential(nn.Linear(4, 32), nn.SiLU(), nn.Linear(32, 32), nn.SiLU(), nn.Linear(32, 1))
    melter = Melter(model, scaler, [LossLine(10), MillimetreReport(scaler, every=25)])
    melter.fit(cell_stream(180, 64, gen))


if __name__ == "__main__":
    main()
