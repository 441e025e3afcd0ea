# gradwatch-corpus: kind=second-backward
# holder: self.state | gauge.state | forecaster.state
# first-bad: 1
# notice: 0
"""Water level at a tidal gauge, read hour by hour; the state is kept between days."""
import math

import torch


torch.set_num_threads(1)


class TideForecaster(torch.nn.Module):
    def __init__(self, hidden=12):
        super().__init__()
        self.cell = torch.nn.GRUCell(2, hidden)
        self.level = torch.nn.Linear(hidden, 1)
        self.state = None

    def start(self, batch):
        self.state = torch.zeros(batch, self.cell.hidden_size)

    def hour(self, reading):
        self.state = self.cell(reading, self.state)  # <- culprit
        return self.level(self.state)


def tide_table(hours, gauges):
    t = torch.arange(hours).float().unsqueeze(1)
    lag = torch.linspace(0, 1.5, gauges)
    m2 = torch.sin(2 * math.pi * t / 12.42 + lag)
    s2 = 0.4 * torch.sin(2 * math.pi * t / 12.0 + 0.5 * lag)
    wind = 0.05 * torch.randn(hours, gauges)
    return torch.stack([m2 + s2 + wind, wind], dim=-1)


def one_day(forecaster, day):
    misfit = 0.0
    for now, nxt in zip(day[:-1], day[1:]):
        misfit = misfit + (forecaster.hour(now) - nxt[:, :1]).abs().mean()
    return misfit / (len(day) - 1)


def train(days=160):
    table = tide_table(24 * days, gauges=3)
    forecaster = TideForecaster()
    forecaster.start(3)
    opt = torch.optim.Adam(forecaster.parameters(), lr=5e-3)
    for d in range(days):
        opt.zero_grad()
        loss = one_day(forecaster, table[24 * d:24 * (d + 1)])
        loss.backward()
        opt.step()
        if d % 20 == 0:
            print(f"day {d}: {loss.item():.4f}")


if __name__ == "__main__":
    torch.manual_seed(1953)
    train()
