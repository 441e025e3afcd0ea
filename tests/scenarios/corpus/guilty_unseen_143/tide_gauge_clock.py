# gradwatch-corpus: kind=graph-chain
# holder: gauge.offset | self.offset
# first-bad: 1
# notice: 5
# Harmonic analysis of a tide gauge whose clock runs fast; amplitudes, phases and the rate of the clock
# are estimated together while the record is read day by day.
import math

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(12)

PERIODS = torch.tensor([12.42, 12.00, 23.93, 25.82])
TRUE_RATE = 2.0e-3


def observe(day):
    h = torch.arange(24.0) + 24.0 * day
    true_h = h + TRUE_RATE * day
    arg = 2 * math.pi * true_h[:, None] / PERIODS
    eta = (torch.tensor([1.0, 0.4, 0.25, 0.2]) * torch.cos(arg - 0.3)).sum(1)
    return h, eta + 0.03 * torch.randn(24)


class Gauge(nn.Module):
    def __init__(self):
        super().__init__()
        self.ab = nn.Parameter(0.1 * torch.randn(4, 2))
        self.rate = nn.Parameter(torch.tensor(0.0))
        self.offset = torch.tensor(0.0)

    def next_day(self):
        self.offset = self.offset + self.rate  # <- culprit

    def forward(self, hours):
        arg = 2 * math.pi * (hours + self.offset)[:, None] / PERIODS
        return (self.ab[:, 0] * torch.cos(arg) + self.ab[:, 1] * torch.sin(arg)).sum(1)


gauge = Gauge()
optimiser = torch.optim.Adam([{"params": [gauge.ab], "lr": 1e-2}, {"params": [gauge.rate], "lr": 1e-5}])
for day in range(365):
    hours, eta = observe(day)
    gauge.next_day()
    rms2 = (gauge(hours) - eta).pow(2).mean()
    optimiser.zero_grad()
    rms2.backward()
    optimiser.step()
    if day % 60 == 0:
        print(f"day {day:3d}  rms {rms2.item() ** 0.5:.3f}  rate {gauge.rate.item():.2e}")
