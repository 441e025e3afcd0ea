# gradwatch-corpus: kind=graph-chain
# holder: self.state.var | self.norm.state.var | model.norm.state.var | self.state | self.norm.state | model.norm.state
# first-bad: 1
"""Regression with a streaming normaliser between stem and head."""
import math
from dataclasses import dataclass, replace

import torch
from torch import nn

torch.manual_seed(55)


@dataclass(frozen=True)
class Moments:
    mean: torch.Tensor
    var: torch.Tensor
    count: int = 0

    @classmethod
    def blank(cls, width):
        return cls(mean=torch.zeros(width), var=torch.ones(width))

    def rate(self, floor):
        return max(floor, 1.0 / (self.count + 1))


class StreamNorm(nn.Module):
    """Like BatchNorm, but train and test use the same running moments."""

    def __init__(self, width, floor=0.05, eps=1e-4):
        super().__init__()
        self.floor = floor
        self.eps = eps
        self.state = Moments.blank(width)
        self.gain = nn.Parameter(torch.ones(width))
        self.shift = nn.Parameter(torch.zeros(width))

    def _blend(self, h):
        s = self.state
        r = s.rate(self.floor)
        mean = torch.lerp(s.mean, h.mean(0), r)
        var = torch.lerp(s.var, h.var(0, unbiased=False), r)
        return mean, var

    def _commit(self, mean, var):
        self.state = replace(self.state, mean=mean.detach(), var=var, count=self.state.count + 1)  # <- culprit

    def forward(self, h):
        if self.training:
            mean, var = self._blend(h)
            self._commit(mean, var)  # <- culprit
        else:
            mean, var = self.state.mean, self.state.var
        return (h - mean) * torch.rsqrt(var + self.eps) * self.gain + self.shift


class Net(nn.Module):
    def __init__(self, d_in=20, width=48):
        super().__init__()
        self.stem = nn.Linear(d_in, width)
        self.norm = StreamNorm(width)
        self.head = nn.Sequential(nn.SiLU(), nn.Linear(width, 32), nn.SiLU(), nn.Linear(32, 1))

    def forward(self, x):
        return self.head(self.norm(self.stem(x))).squeeze(-1)


def make_stream(n, d_in=20, batch=64):
    w = torch.randn(d_in) / math.sqrt(d_in)
    for t in range(n):
        drift = 1.0 + 0.5 * math.sin(t / 15)
        x = drift * torch.randn(batch, d_in)
        yield x, torch.tanh(x @ w) + 0.05 * torch.randn(batch)


def main():
    model = Net()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    huber = nn.SmoothL1Loss()
    smooth = None
    for t, (x, y) in enumerate(make_stream(90)):
        model.train()
        loss = huber(model(x), y)
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        smooth = loss.item() if smooth is None else 0.9 * smooth + 0.1 * loss.item()
        if t % 15 == 0:
            print(f"t={t:3d} loss={smooth:.4f} seen={model.norm.state.count}")
    model.eval()
    with torch.no_grad():
        x, y = next(make_stream(1))
        print("final", round(huber(model(x), y).item(), 4))


if __name__ == "__main__":
    main()
