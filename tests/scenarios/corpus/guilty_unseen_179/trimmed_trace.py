# gradwatch-corpus: kind=graph-held
# holder: self.trace | monitor.trace
# first-bad: 1
"""Crop-yield regression with quantile outputs and a plateau monitor."""
import torch
from torch import nn

torch.manual_seed(97)
QUANTILES = torch.tensor([0.1, 0.5, 0.9])


def keep_last(items, n):
    if len(items) > n:
        items = items[-n:]
    return items


class PlateauMonitor:
    def __init__(self, window, factor=0.7):
        self.window = window
        self.factor = factor
        self.trace = []
        self.cooldown = window
        self.drops = 0

    def observe(self, loss, optimizer):
        self.trace.append(loss)  # <- culprit
        recent = keep_last(self.trace, self.window)
        self.cooldown -= 1
        if self.cooldown > 0 or len(recent) < self.window:
            return
        half = self.window // 2
        values = torch.stack(recent).detach()
        if values[half:].mean() > 0.995 * values[:half].mean():
            for group in optimizer.param_groups:
                group["lr"] = max(group["lr"] * self.factor, 1e-5)
            self.drops += 1
            self.cooldown = self.window


class YieldNet(nn.Module):
    def __init__(self, soils=6, features=9, width=32):
        super().__init__()
        self.soil = nn.Embedding(soils, 5)
        self.net = nn.Sequential(nn.Linear(features + 5, width), nn.ReLU(), nn.Dropout(0.1), nn.Linear(width, 3))

    def forward(self, soil, weather):
        out = self.net(torch.cat([self.soil(soil), weather], dim=1))
        median = out[:, :1]
        below = median - nn.functional.softplus(out[:, 1:2])
        above = median + nn.functional.softplus(out[:, 2:3])
        return torch.cat([below, median, above], dim=1)


def pinball(prediction, y):
    diff = y[:, None] - prediction
    return torch.maximum(QUANTILES * diff, (QUANTILES - 1) * diff).mean()


def fields(n=48):
    soil = torch.randint(0, 6, (n,))
    weather = torch.randn(n, 9)
    y = 0.4 * soil.float() + weather[:, 0] - 0.5 * weather[:, 1] ** 2
    return soil, weather, y + (0.2 + 0.1 * soil.float()) * torch.randn(n)


def main():
    net = YieldNet()
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
    monitor = PlateauMonitor(window=40)
    for step in range(600):
        soil, weather, y = fields()
        prediction = net(soil, weather)
        loss = pinball(prediction, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        monitor.observe(loss, optimizer)
        if step % 75 == 0:
            inside = ((prediction[:, 0] < y) & (y < prediction[:, 2])).float().mean().item()
            lr = optimizer.param_groups[0]["lr"]
            print(f"{step} pinball {loss.item():.4f} coverage {inside:.2f} lr {lr:.5f} drops {monitor.drops}")


if __name__ == "__main__":
    main()
