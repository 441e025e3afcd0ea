# gradwatch-corpus: kind=graph-held
# holder: self.rejected | self.guard.rejected | guard.rejected | trainer.guard.rejected
# first-bad: 52
# notice: 8
"""Range correction for a lidar; sweeps with glare are refused once and trained again with clipped targets."""
from dataclasses import dataclass
from functools import wraps

import torch
from torch import nn


@dataclass(frozen=True)
class Options:
    seed: int = 3
    beams: int = 16
    width: int = 20
    sweeps: int = 400
    batch: int = 20
    warmup: int = 50
    limit: float = 1.5
    lr: float = 4e-3


class GlareError(RuntimeError):
    def __init__(self, sweep, value):
        super().__init__(f"sweep {sweep}: loss {value:.3f} over the limit")
        self.sweep = sweep
        self.value = value


class Guard:
    __slots__ = ("rejected", "warmup", "limit")

    def __init__(self, warmup, limit):
        self.rejected = []
        self.warmup = warmup
        self.limit = limit

    def check(self, sweep, loss):
        value = loss.item()
        if sweep >= self.warmup and value > self.limit:
            raise GlareError(sweep, value)

    def retrying(self, fallback):
        """Runs the method; when the guard refuses, notes it and calls `fallback` of the same object."""
        def deco(method):
            @wraps(method)
            def inner(obj, sweep, batch):
                try:
                    return method(obj, sweep, batch)
                except GlareError as err:
                    self.rejected.append(err)  # <- culprit
                return getattr(obj, fallback)(sweep, batch)
            return inner
        return deco

    def summary(self):
        worst = max(self.rejected, key=lambda e: e.value, default=None)
        return f"{len(self.rejected)} refused" + (f", worst: {worst}" if worst else "")


opts = Options()
guard = Guard(opts.warmup, opts.limit)


class SweepTrainer:
    def __init__(self, o):
        self.o = o
        self.net = nn.Sequential(nn.Linear(o.beams, o.width), nn.ELU(), nn.Linear(o.width, o.beams))
        self.opt = torch.optim.Adam(self.net.parameters(), lr=o.lr)
        self.losses = []

    def _apply(self, loss):
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.losses.append(loss.item())

    @guard.retrying("clipped_step")
    def step(self, sweep, batch):
        x, y = batch
        loss = (self.net(x) - y).pow(2).mean()
        guard.check(sweep, loss)
        self._apply(loss)

    def clipped_step(self, sweep, batch):
        x, y = batch
        pred = self.net(x)
        middle = y.median(dim=1, keepdim=True).values
        self._apply(nn.functional.huber_loss(pred, y.clamp(middle - 2.0, middle + 2.0)))

    def sweeps(self):
        gen = torch.Generator().manual_seed(self.o.seed)
        warp = torch.randn(self.o.beams, self.o.beams, generator=gen) * 0.2
        for i in range(self.o.sweeps):
            x = torch.randn(self.o.batch, self.o.beams, generator=gen)
            y = x + x @ warp
            if i % 4 == 3:
                y = y + 6.0 * (torch.rand(y.shape, generator=gen) < 0.08)
            yield x, y

    def fit(self):
        for i, batch in enumerate(self.sweeps()):
            self.step(i, batch)
            if i % 80 == 79:
                recent = self.losses[-40:]
                print(f"sweep {i + 1}: mean loss {sum(recent) / len(recent):.4f}; {guard.summary()}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(opts.seed)
    trainer = SweepTrainer(opts)
    trainer.fit()
    print(guard.summary())
