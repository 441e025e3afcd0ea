# gradwatch-corpus: kind=none
# about: keeps the losses of the last rounds with their graphs in a deque, but it is bounded (maxlen 7), nothing grows and nothing is reached again
"""Locate micro earthquakes and a layered velocity at once from P arrival times (noisy picks).

A round is accepted when its misfit is under the median of the recent rounds; otherwise the step size shrinks.
"""
import statistics
from collections import deque

import torch

torch.manual_seed(40)


class RecentRounds:
    def __init__(self, span=7):
        self._ring = deque(maxlen=span)

    def __iadd__(self, misfit):
        self._ring.append(misfit)
        return self

    def __len__(self):
        return len(self._ring)

    @property
    def median(self):
        return statistics.median(float(m) for m in self._ring)

    @property
    def slope(self):
        if len(self._ring) < 2:
            return 0.0
        return (self._ring[-1] - self._ring[0]).item() / len(self._ring)


class Field:
    def __init__(self, stations=40, quakes=60):
        self.pos = torch.rand(stations, 2) * 20
        self.true = torch.cat([torch.rand(quakes, 2) * 14 + 3, 2 + 6 * torch.rand(quakes, 1)], 1)
        self.pick = self.times(self.true, torch.tensor(5.4), torch.tensor(0.12))
        self.pick = self.pick + 0.02 * torch.randn_like(self.pick)

    def times(self, where, v0, grad):
        flat = torch.cdist(where[:, :2], self.pos)
        ray = (flat ** 2 + where[:, 2:] ** 2 + 1e-6).sqrt()
        arg = 1 + grad ** 2 * ray ** 2 / (2 * v0 * (v0 + grad * where[:, 2:]))
        return torch.acosh(arg.clamp(min=1 + 1e-6)) / grad


field = Field()
where = torch.nn.Parameter(field.true + 1.5 * torch.randn_like(field.true))
v0 = torch.nn.Parameter(torch.tensor(5.0))
grad = torch.nn.Parameter(torch.tensor(0.10))
opt = torch.optim.Adam([{"params": [where], "lr": 0.05}, {"params": [v0, grad], "lr": 2e-3}])
recent, kept, smooth = RecentRounds(), 0, torch.zeros(())

for rnd in range(480):
    with torch.no_grad():
        where[:, 2].clamp_(0.5, 12)
        grad.clamp_(0.02, 0.4)
    residual = field.times(where, v0, grad) - field.pick
    misfit = torch.nn.functional.huber_loss(residual, torch.zeros_like(residual), delta=0.1)
    opt.zero_grad()
    misfit.backward()
    opt.step()
    recent += misfit
    smooth = torch.lerp(smooth, misfit.detach(), 0.05)
    if misfit.item() <= recent.median:
        kept += 1
    else:
        for group in opt.param_groups:
            group["lr"] = max(1e-3, group["lr"] * 0.995)
    if rnd % 80 == 0:
        off = (where - field.true).detach().norm(dim=1).mean().item()
        print(f"round {rnd:3d} misfit {misfit.item():.5f} smooth {smooth.item():.5f} slope {recent.slope:+.1e} "
              f"mean offset {off:.2f} km accepted {kept}")
