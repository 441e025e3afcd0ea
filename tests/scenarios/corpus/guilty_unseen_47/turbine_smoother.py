# gradwatch-corpus: kind=graph-held
# holder: self.rows | journal.rows | book.rows
# first-bad: 1
"""Power curve of a wind turbine with an input-gradient penalty for a smooth response."""
from dataclasses import dataclass, field
from typing import Any, Dict, List

import torch
from torch import nn


@dataclass
class Journal:
    every: int = 20
    rows: List[Dict[str, Any]] = field(default_factory=list)

    def note(self, **values):
        self.rows.append(values)  # <- culprit
        if len(self.rows) % self.every == 0:
            last = self.rows[-self.every:]
            means = {k: float(sum(float(r[k]) for r in last) / len(last)) for k in values}
            print(len(self.rows), {k: round(v, 4) for k, v in means.items()})


def wind_farm(n, gen):
    speed = torch.rand(n, generator=gen) * 20
    density = 1.0 + 0.3 * torch.rand(n, generator=gen)
    yaw = 20 * torch.randn(n, generator=gen)
    power = (density * speed.clamp(3, 13) ** 3 / 2200) * torch.cos(torch.deg2rad(yaw)).clamp(min=0) ** 2
    power = torch.where(speed < 3, torch.zeros_like(power), power)
    x = torch.stack([speed / 10 - 1, density - 1.15, yaw / 20], 1)
    return x, power + 0.05 * torch.randn(n, generator=gen)


def roughness(net, x):
    x = x.detach().requires_grad_()
    slope, = torch.autograd.grad(net(x).sum(), x, create_graph=True)
    return slope.pow(2).sum(1).mean()


def make_net():
    return nn.Sequential(nn.Linear(3, 40), nn.SiLU(), nn.Linear(40, 40), nn.SiLU(), nn.Linear(40, 1))


def train(net, x, y, journal, steps=160, batch=64, weight=0.01):
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    for _ in range(steps):
        pick = torch.randint(0, len(x), (batch,))
        fit = nn.functional.mse_loss(net(x[pick]).squeeze(1), y[pick])
        rough = roughness(net, x[pick] + 0.05 * torch.randn(batch, 3))
        loss = fit + weight * rough
        opt.zero_grad()
        loss.backward()
        opt.step()
        journal.note(fit=fit.item(), rough=rough, total=loss.item())  # <- culprit


def main():
    torch.manual_seed(18)
    gen = torch.Generator().manual_seed(18)
    x, y = wind_farm(2000, gen)
    net = make_net()
    journal = Journal()
    train(net, x, y, journal)
    with torch.no_grad():
        rms = (net(x).squeeze(1) - y).pow(2).mean().sqrt().item()
    print(f"rms {rms:.4f} after {len(journal.rows)} steps")


if __name__ == "__main__":
    main()
