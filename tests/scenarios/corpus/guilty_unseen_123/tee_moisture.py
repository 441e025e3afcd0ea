# gradwatch-corpus: kind=graph-held
# holder: for_report
# first-bad: 1
# notice: 8
# Soil-moisture retrieval from brightness temperatures; the training loop is a generator that is teed,
# one branch drives the run and the other is summarised when the season is over.
import itertools
import statistics

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(6)


def season(days=420, stations=14):
    g = torch.Generator().manual_seed(12)
    wet = torch.rand(stations, generator=g)
    for day in range(days):
        wet = (0.97 * wet + 0.3 * (torch.rand(stations, generator=g) > 0.93)).clamp(0, 1)
        veg = torch.full((stations,), 0.5 + 0.4 * torch.sin(torch.tensor(day / 58.0)).item())
        tb_h = 280 - 90 * wet + 12 * veg + torch.randn(stations, generator=g)
        tb_v = 285 - 60 * wet + 8 * veg + torch.randn(stations, generator=g)
        yield torch.stack([(tb_h - 250) / 30, (tb_v - 260) / 20, veg], 1), wet


class Retrieval(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 16), nn.SiLU(), nn.Linear(16, 2))

    def forward(self, x):
        mean, spread = self.body(x).unbind(-1)
        return torch.sigmoid(mean), nn.functional.softplus(spread) + 1e-2


def training(model, opt):
    for obs, wet in season():
        mean, spread = model(obs)
        nll = (spread.log() + 0.5 * ((wet - mean) / spread).square()).mean()
        opt.zero_grad()
        nll.backward()
        opt.step()
        yield nll  # <- culprit


def consume(it, every):
    for day, nll in enumerate(it):
        if day % every == every - 1:
            print("day", day + 1, "nll", f"{nll.item():+.3f}")


model = Retrieval()
opt = torch.optim.NAdam(model.parameters(), lr=2e-3)
live, for_report = itertools.tee(training(model, opt))  # <- culprit
consume(live, every=105)
whole = [float(v.detach()) for v in for_report]
print("median", statistics.median(whole), "best", min(whole))
