# gradwatch-corpus: kind=graph-chain
# holder: level | self.level | smoother.level
# first-bad: 1
# notice: 5
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(21)


class SeasonalSmoother(nn.Module):
    """Additive exponential smoothing for hourly electricity load: level + learned profile of the hour."""

    def __init__(self, period=24, gain=0.08):
        super().__init__()
        self.profile = nn.Parameter(torch.zeros(period))
        self.trend = nn.Parameter(torch.zeros(()))
        self.gain = gain
        self.level = torch.tensor(50.0)

    def forecast(self, hour):
        return self.level + self.trend + self.profile[hour % len(self.profile)]

    def assimilate(self, hour, load):
        deseasoned = load - self.profile[hour % len(self.profile)]
        drifted = self.level + self.trend
        self.level = torch.lerp(drifted, deseasoned, self.gain)  # <- culprit


def hourly_load(hours, seed):
    g = torch.Generator().manual_seed(seed)
    h = torch.arange(hours)
    daily = 8 * torch.sin(2 * torch.pi * h / 24) + 3 * torch.cos(4 * torch.pi * h / 24)
    return 52 + 0.01 * h + daily + torch.randn(hours, generator=g)


def run(days=16):
    smoother = SeasonalSmoother()
    opt = torch.optim.Adagrad(smoother.parameters(), lr=0.4)
    day_err = 0.0
    for hour, load in enumerate(hourly_load(24 * days, 5)):
        opt.zero_grad()
        miss = smoother.forecast(hour) - load
        loss = torch.nn.functional.huber_loss(miss, torch.zeros(()), delta=3.0)
        loss.backward()
        opt.step()
        smoother.assimilate(hour, load)
        day_err += abs(miss.item())
        if hour % 96 == 95:
            print("day", hour // 24, "mean abs miss", round(day_err / 96, 3))
            day_err = 0.0


run()
