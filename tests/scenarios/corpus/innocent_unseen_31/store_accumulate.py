# gradwatch-corpus: kind=none
"""Quantile sales forecaster with gradient accumulation over micro-batches;
each micro-batch adds up the losses of all regions before its backward."""
from collections import defaultdict
from dataclasses import dataclass

import torch
import torch.nn as nn

QUANTILES = torch.tensor([0.1, 0.5, 0.9])


@dataclass
class Plan:
    regions: int = 4
    micro: int = 3
    batch: int = 32
    steps: int = 80


class RegionData:
    def __init__(self, region, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.w = torch.randn(10, generator=self.g)
        self.scale = 0.3 + 0.2 * region

    def draw(self, n):
        x = torch.randn(n, 10, generator=self.g)
        noise = torch.randn(n, generator=self.g) * self.scale * (1 + x[:, 0].abs())
        return x, x @ self.w + noise


class QuantileNet(nn.Module):
    def __init__(self, regions):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(10, 32), nn.ReLU())
        self.heads = nn.ModuleList(nn.Linear(32, 3) for _ in range(regions))

    def forward(self, x, region):
        return self.heads[region](self.trunk(x))


def pinball(pred, y):
    err = y.unsqueeze(1) - pred
    return torch.maximum(QUANTILES * err, (QUANTILES - 1) * err).mean()


class LossBook:
    """Holds this step's loss of every region; closed at the end of the step."""

    def __init__(self):
        self.open = defaultdict(float)
        self.closed = []

    def add(self, region, loss):
        self.open[region] = self.open[region] + loss

    def close(self, n):
        self.closed.append({r: float(v.detach()) / n for r, v in self.open.items()})
        self.open.clear()


def coverage(net, data, region):
    with torch.no_grad():
        x, y = data.draw(400)
        p = net(x, region)
        return ((y > p[:, 0]) & (y < p[:, 2])).float().mean().item()


def main():
    plan = Plan()
    torch.manual_seed(40)
    data = [RegionData(r, 100 + r) for r in range(plan.regions)]
    net, book = QuantileNet(plan.regions), LossBook()
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    for step in range(plan.steps):
        opt.zero_grad()
        for _ in range(plan.micro):
            part = 0.0
            for r, d in enumerate(data):
                x, y = d.draw(plan.batch)
                loss = pinball(net(x, r), y)
                part = part + loss
                book.add(r, loss.detach())
            (part / (plan.micro * plan.regions)).backward()
        opt.step()
        book.close(plan.micro)
        if step % 20 == 0:
            print(step, {r: round(v, 3) for r, v in book.closed[-1].items()})
    print("80% interval coverage:", [round(coverage(net, d, r), 2) for r, d in enumerate(data)])


if __name__ == "__main__":
    main()
