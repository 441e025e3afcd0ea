# gradwatch-corpus: kind=none
"""Starter notebook (cleaned): bike-share demand, Poisson regression with embeddings.
Loss spikes come from the holidays, so a guard looks at the last losses and
re-weights the step when the new one is far out.  Everything is logged."""
import logging
import math
from collections import deque
from dataclasses import dataclass, field

import torch
from torch import nn
from torch.nn import functional as F

torch.set_num_threads(1)
torch.manual_seed(99)


class KeepHandler(logging.Handler):
    """All the lines of the run, for the appendix."""

    def __init__(self):
        super().__init__()
        self.lines = []

    def emit(self, record):
        self.lines.append(self.format(record))


log = logging.getLogger("bikes")
log.setLevel(logging.INFO)
log.propagate = False
keep = KeepHandler()
keep.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
log.addHandler(keep)


@dataclass
class SpikeGuard:
    size: int = 24
    z: float = 1.8
    recent: deque = field(init=False)
    caught: int = 0

    def __post_init__(self):
        self.recent = deque(maxlen=self.size)

    def __call__(self, loss):
        out = loss
        if len(self.recent) == self.size:
            past = torch.stack(list(self.recent))
            with torch.no_grad():
                far = (loss - past.mean()) / (past.std() + 1e-8)
            if far > self.z:
                self.caught += 1
                out = loss * (self.z / far)
        self.recent.append(loss)
        return out


def draw(n=32):
    hour = torch.randint(0, 24, (n,))
    day = torch.randint(0, 7, (n,))
    temp = torch.randn(n, 1)
    rush = ((hour == 8) | (hour == 17)).float() * (day < 5).float()
    lam = torch.exp(1.0 + rush + 0.3 * temp[:, 0])
    if torch.rand(()) < 0.05:
        lam = lam * 4
    return hour, day, temp, torch.poisson(lam)


class Demand(nn.Module):
    def __init__(self):
        super().__init__()
        self.hour = nn.Embedding(24, 4)
        self.day = nn.Embedding(7, 2)
        self.mix = nn.Sequential(nn.Linear(7, 20), nn.ReLU(), nn.Linear(20, 1))

    def forward(self, hour, day, temp):
        return self.mix(torch.cat([self.hour(hour), self.day(day), temp], 1)).squeeze(1)


model, guard = Demand(), SpikeGuard()
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 500)

for step in range(500):
    *x, y = draw()
    loss = F.poisson_nll_loss(model(*x), y)
    used = guard(loss)
    opt.zero_grad()
    used.backward()
    opt.step()
    sched.step()
    log.info("step %d nll %.4f used %.4f", step, loss, used)
    if not math.isfinite(loss):
        log.error("diverged")
        break

for line in keep.lines[::100]:
    print(line)
print(len(keep.lines), "lines,", guard.caught, "spikes")
