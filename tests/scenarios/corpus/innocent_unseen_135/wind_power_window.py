# gradwatch-corpus: kind=none
"""Wind power from wind vectors; the display shows the mean of the last 12 losses."""
from collections import deque
from dataclasses import dataclass, field

import torch

torch.set_num_threads(1)
from torch import nn


@dataclass
class SmoothedValue:
    size: int = 12
    window: deque = field(default_factory=deque)

    def __post_init__(self):
        self.window = deque(maxlen=self.size)

    def add(self, v):
        self.window.append(v)

    @property
    def median(self):
        return torch.stack(list(self.window)).median().item()


class Turbine(nn.Module):
    def __init__(self):
        super().__init__()
        self.hub = nn.Bilinear(2, 3, 8)
        self.curve = nn.Sequential(nn.Softplus(), nn.Linear(8, 8), nn.Softplus(), nn.Linear(8, 1))

    def forward(self, wind, site):
        return self.curve(self.hub(wind, site)).squeeze(-1)


def measurements(n=32):
    wind, site = torch.randn(n, 2) * 2, torch.rand(n, 3)
    speed = wind.norm(dim=1) * (0.8 + 0.4 * site[:, 0])
    return wind, site, torch.sigmoid(2 * (speed - 2.5))


class Loop:
    def __init__(self):
        self.net = Turbine()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=5e-3)
        self.shown = {"mse": SmoothedValue(), "mae": SmoothedValue(4)}

    def one(self):
        wind, site, power = measurements()
        pred = self.net(wind, site)
        mse, mae = (pred - power).pow(2).mean(), (pred - power).abs().mean()
        self.opt.zero_grad(set_to_none=True)
        (mse + 0.1 * mae).backward()
        self.opt.step()
        self.shown["mse"].add(mse)
        self.shown["mae"].add(mae)


if __name__ == "__main__":
    torch.manual_seed(15)
    loop = Loop()
    for i in range(1, 1201):
        loop.one()
        if i % 300 == 0:
            print(i, {k: round(v.median, 4) for k, v in loop.shown.items()})
