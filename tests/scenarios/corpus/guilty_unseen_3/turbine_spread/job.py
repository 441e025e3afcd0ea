import torch
from torch import nn

from .welford import Spread

QUANTILES = torch.tensor([0.1, 0.5, 0.9])


def scada(hour, n=48):
    g = torch.Generator().manual_seed(hour)
    wind = torch.rand(n, 1, generator=g) * 20
    power = torch.sigmoid((wind - 9) / 1.8) + 0.05 * torch.randn(n, 1, generator=g)
    return torch.cat([wind / 10, torch.rand(n, 2, generator=g)], 1), power


class PowerCurveJob:
    def __init__(self, hours):
        self.hours = hours
        self.net = nn.Sequential(nn.Linear(3, 24), nn.SiLU(), nn.Linear(24, 3))
        self.opt = torch.optim.NAdam(self.net.parameters(), lr=4e-3)
        self.spreads = {"residual": Spread(), "width": Spread()}

    def pinball(self, est, power):
        e = power - est
        self._watch(e.detach(), est)
        return torch.maximum(QUANTILES * e, (QUANTILES - 1) * e).mean()

    def _watch(self, e, est):
        self.spreads["residual"].push(est[:, 1].mean() + e[:, 1].mean())
        self.spreads["width"].push((est[:, 2] - est[:, 0]).mean().item())

    def go(self):
        for hour in range(self.hours):
            x, power = scada(hour)
            cost = self.pinball(self.net(x), power)
            self.opt.zero_grad()
            cost.backward()
            self.opt.step()
            if hour % 75 == 0:
                print(f"hour {hour}: pinball {cost.item():.4f}")

    def report(self):
        return " | ".join(f"{k}: {s:.3f}" for k, s in self.spreads.items())
