# gradwatch-corpus: kind=none
import queue

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(71)


class UpsetReport:
    """Losses since the last upset; an upset (or a full queue) is reported."""

    def __init__(self, capacity=60, factor=1.6):
        self.queue = queue.Queue(maxsize=capacity)
        self.factor = factor
        self.level = None
        self.reports = []

    def observe(self, step, loss):
        value = loss.item()
        self.queue.put_nowait((step, loss))
        upset = self.level is not None and value > self.factor * self.level
        self.level = value if self.level is None else 0.9 * self.level + 0.1 * value
        if upset or self.queue.full():
            self.reports.append(self.drain("upset" if upset else "quiet"))

    def drain(self, cause):
        first = last = None
        top = 0.0
        while not self.queue.empty():
            step, loss = self.queue.get_nowait()
            first = step if first is None else first
            last = step
            top = max(top, loss.item())
        return f"{cause:5s} {first:4d}-{last:4d} max {top:.3f}"


class SpotPrice(nn.Module):
    def __init__(self, hours=24, hidden=40):
        super().__init__()
        self.demand = nn.Linear(hours, hidden)
        self.wind = nn.Linear(hours, hidden)
        self.mix = nn.Bilinear(hidden, hidden, hidden)
        self.price = nn.Linear(hidden, hours)

    def forward(self, demand, wind):
        d = torch.tanh(self.demand(demand))
        w = torch.tanh(self.wind(wind))
        return self.price(torch.tanh(self.mix(d, w)) + d)


def market_day(n):
    demand = torch.randn(n, 24).cumsum(1) / 4
    wind = torch.randn(n, 24).cumsum(1) / 4
    price = demand - 0.5 * wind + 0.3 * F.relu(demand - wind)
    if torch.rand(()) < 0.04:
        price = price + 2.0 * torch.randn(n, 1)
    return demand, wind, price


def main(days=520):
    model = SpotPrice()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    report = UpsetReport()
    for day in range(days):
        demand, wind, price = market_day(32)
        loss = F.smooth_l1_loss(model(demand, wind), price)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        report.observe(day, loss)
    for line in report.reports[-8:]:
        print(line)


if __name__ == "__main__":
    main()
