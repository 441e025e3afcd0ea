# gradwatch-corpus: kind=second-backward
# holder: self.spun | turn.spun | stage.spun | flow.stages[4].spun
# first-bad: 11
"""Normalising flow over auroral brightness vectors with orthogonal mixing by the matrix exponential."""
import math

import torch
from torch import nn

OPTIONS = {
    "bands": 8,
    "stages": 3,
    "hidden": 32,
    "warmup": 10,
    "spin_every": 4,
    "nights": 90,
}


def sky(count, bands):
    hue = torch.rand(count, 1) * 2 * math.pi
    k = torch.arange(1, bands + 1).float()
    glow = torch.sin(hue * k) / k.sqrt()
    return glow + 0.1 * torch.randn(count, bands)


class Stage(nn.Module):
    def forward(self, x):
        raise NotImplementedError

    def dusk(self, night):
        pass


class Turn(Stage):
    """Rotation exp(A - A^T); it is recomputed only now and then once training has settled."""

    def __init__(self, bands, warmup, spin_every):
        super().__init__()
        self.skew = nn.Parameter(0.1 * torch.randn(bands, bands))
        self.warmup = warmup
        self.spin_every = spin_every
        self.spun = None

    def dusk(self, night):
        if night < self.warmup or night % self.spin_every == 2:  # <- culprit
            self.spun = None

    def rotation(self):
        if self.spun is None:
            self.spun = torch.matrix_exp(self.skew - self.skew.t())  # <- culprit
        return self.spun  # <- culprit

    def forward(self, x):
        return x @ self.rotation(), x.new_zeros(x.shape[0])


class Shear(Stage):
    def __init__(self, bands, hidden):
        super().__init__()
        self.half = bands // 2
        self.net = nn.Sequential(
            nn.Linear(self.half, hidden),
            nn.SiLU(),
            nn.Linear(hidden, 2 * (bands - self.half)),
        )

    def forward(self, x):
        still = x[:, : self.half]
        moved = x[:, self.half :]
        log_scale, shift = self.net(still).chunk(2, dim=1)
        log_scale = torch.tanh(log_scale)
        moved = moved * log_scale.exp() + shift
        return torch.cat([still, moved], dim=1), log_scale.sum(1)


class AuroraFlow(nn.Module):
    def __init__(self, options):
        super().__init__()
        stages = []
        for _ in range(options["stages"]):
            stages.append(Turn(options["bands"], options["warmup"], options["spin_every"]))
            stages.append(Shear(options["bands"], options["hidden"]))
        self.stages = nn.ModuleList(stages)

    def dusk(self, night):
        for stage in self.stages:
            stage.dusk(night)

    def log_prob(self, x):
        volume = 0.0
        for stage in self.stages:
            x, piece = stage(x)
            volume = volume + piece
        base = -0.5 * (x ** 2 + math.log(2 * math.pi)).sum(1)
        return base + volume


def main():
    torch.manual_seed(66)
    flow = AuroraFlow(OPTIONS)
    optimizer = torch.optim.Adamax(flow.parameters(), lr=4e-3)
    for night in range(OPTIONS["nights"]):
        flow.dusk(night)
        surprise = -flow.log_prob(sky(96, OPTIONS["bands"])).mean()
        optimizer.zero_grad()
        surprise.backward()
        optimizer.step()
        if night % 5 == 0:
            print(f"night {night:2d} surprise {surprise.item():.3f}")


if __name__ == "__main__":
    main()
