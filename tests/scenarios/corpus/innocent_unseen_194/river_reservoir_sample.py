# gradwatch-corpus: kind=none
import random

import torch
import torch.nn as nn

torch.manual_seed(55)
rng = random.Random(55)


class Reservoir:
    """A uniform sample of all that was seen (algorithm R)."""

    def __init__(self, k):
        self.k = k
        self.seen = 0
        self.sample = []

    def add(self, item):
        self.seen += 1
        if len(self.sample) < self.k:
            self.sample.append(item)
            return
        j = rng.randrange(self.seen)
        if j < self.k:
            self.sample[j] = item

    def mean(self, f):
        return sum(f(s) for s in self.sample) / len(self.sample)


class RunoffModel(nn.Module):
    def __init__(self, days=14, hidden=24):
        super().__init__()
        self.unit_hydrograph = nn.Parameter(torch.zeros(days))
        self.loss_rate = nn.Sequential(nn.Linear(3, hidden), nn.Tanh(), nn.Linear(hidden, 1))
        self.base = nn.Parameter(torch.tensor(0.1))

    def forward(self, rain, basin):
        kept = torch.sigmoid(self.loss_rate(basin))
        kernel = self.unit_hydrograph.softmax(0)
        return self.base.abs() + kept.squeeze(-1) * (rain * kernel).sum(1)


def basin_batch(n, days=14):
    rain = torch.distributions.Exponential(1.0).sample((n, days))
    basin = torch.rand(n, 3)
    lag = torch.arange(days, dtype=torch.float32)
    kernel = torch.exp(-0.5 * ((lag - 9) / 2.0) ** 2)
    kernel = kernel / kernel.sum()
    keep = 0.2 + 0.6 * basin[:, 0] * basin[:, 1]
    return rain, basin, 0.3 + keep * (rain * kernel).sum(1)


def nash_sutcliffe(pred, obs):
    return 1 - (pred - obs).pow(2).sum() / (obs - obs.mean()).pow(2).sum()


model = RunoffModel()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
reservoir = Reservoir(k=24)

for day in range(540):
    rain, basin, obs = basin_batch(40)
    pred = model(rain, basin)
    nse = nash_sutcliffe(pred, obs)
    loss = 1 - nse

    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

    reservoir.add({"day": day, "nse": nse, "bias": (pred - obs).mean()})
    if (day + 1) % 90 == 0:
        nse_mean = reservoir.mean(lambda s: s["nse"].item())
        bias = reservoir.mean(lambda s: s["bias"].item())
        oldest = min(s["day"] for s in reservoir.sample)
        print(f"day {day + 1}: nse {nse.item():.3f}, sampled nse {nse_mean:.3f} bias {bias:+.3f} from day {oldest}")

print("kernel peak at lag", int(model.unit_hydrograph.argmax()))
