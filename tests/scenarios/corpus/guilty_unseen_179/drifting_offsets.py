# gradwatch-corpus: kind=graph-chain
# holder: self.table | offsets.table
# first-bad: 1
"""Sensor calibration: per-sensor offsets are smoothed before they correct the readings."""
import torch
from torch import nn

torch.manual_seed(83)


class SmoothedOffsets(nn.Module):
    def __init__(self, sensors, rate=0.2, span=16):
        super().__init__()
        self.raw = nn.Parameter(torch.zeros(sensors))
        self.rate = rate
        self.span = span
        self.table = torch.zeros(sensors)
        self.clock = 0
        self.last_cut = 0

    def advance(self):
        self.clock += 1
        if self.clock - self.last_cut >= self.span:
            self.table = self.table.detach()
        self.last_cut = self.clock
        self.table = torch.lerp(self.table, self.raw, self.rate)  # <- culprit
        return self.table

    def forward(self, readings):
        return readings - self.advance()


class Estimator(nn.Module):
    def __init__(self, sensors):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(sensors, 24), nn.Tanh(), nn.Linear(24, 2))

    def forward(self, x):
        return self.net(x)


class Field:
    """A plane with two hidden sources, seen by biased sensors."""

    def __init__(self, sensors):
        self.gain = torch.randn(2, sensors)
        self.bias = torch.randn(sensors)

    def draw(self, batch):
        source = torch.randn(batch, 2)
        readings = torch.tanh(source @ self.gain) + self.bias
        return readings + 0.05 * torch.randn_like(readings), source

    def walk(self):
        self.bias += 0.005 * torch.randn_like(self.bias)


def main():
    sensors = 14
    field = Field(sensors)
    offsets = SmoothedOffsets(sensors)
    estimator = Estimator(sensors)
    optimizer = torch.optim.Adam(
        [{"params": estimator.parameters()}, {"params": offsets.parameters(), "lr": 1e-2}], lr=3e-3)
    history = []
    for step in range(500):
        readings, source = field.draw(32)
        corrected = offsets(readings)
        error = nn.functional.mse_loss(estimator(corrected), source)
        centred = corrected.mean(0).pow(2).mean()
        loss = error + 0.1 * centred
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        field.walk()
        history.append(error.item())
        if step % 50 == 49:
            recent = sum(history[-50:]) / 50
            gap = (offsets.raw.detach() - field.bias).abs().mean().item()
            print(f"{step} error {recent:.4f} gap {gap:.3f}")


if __name__ == "__main__":
    main()
