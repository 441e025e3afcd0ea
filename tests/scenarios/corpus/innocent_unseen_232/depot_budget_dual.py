# gradwatch-corpus: kind=none
"""Assigns parcels to depots with a soft assignment net under capacity limits (dual ascent on the multipliers)."""
import traceback

import torch
from torch import nn


class CapacityAlarm(Exception):
    def __init__(self, depot, share):
        super().__init__(f"depot {depot} at {share:.2f}")
        self.depot = depot


class ParcelFlow:
    def __init__(self, depots, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.sites = torch.rand(depots, 2, generator=self.gen)

    def day(self, n):
        spot = torch.rand(n, 2, generator=self.gen).pow(1.5)
        weight = torch.rand(n, 1, generator=self.gen)
        cost = torch.cdist(spot, self.sites)
        return torch.cat([spot, weight], dim=1), cost


class Assigner(nn.Module):
    def __init__(self, depots):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 32), nn.SiLU(), nn.Linear(32, depots))

    def forward(self, x):
        return self.net(x).softmax(dim=1)


class DualState:
    def __init__(self, depots, limit, rate):
        self.price = torch.zeros(depots)
        self.limit = limit
        self.rate = rate
        self.used = torch.zeros(depots)

    def penalty(self, load):
        return (self.price * (load - self.limit)).sum()

    @torch.no_grad()
    def ascend(self, load):
        self.price.add_(self.rate * (load - self.limit)).clamp_(min=0)
        self.used.mul_(0.9).add_(load, alpha=0.1)


class Incidents:
    def __init__(self):
        self.notes = []

    def file(self, day, err):
        where = traceback.extract_tb(err.__traceback__)[-1].name
        self.notes.append((day, str(err), where))


class Planner:
    def __init__(self, depots, seed):
        self.flow = ParcelFlow(depots, seed)
        self.model = Assigner(depots)
        self.dual = DualState(depots, limit=1.0 / depots + 0.05, rate=0.5)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=5e-3)
        self.incidents = Incidents()
        self.last_cost = None

    def inspect(self, load):
        worst = int(load.argmax())
        if load[worst] > 2 * self.dual.limit:
            raise CapacityAlarm(worst, float(load[worst].detach()))

    def plan(self):
        x, cost = self.flow.day(96)
        share = self.model(x)
        load = share.mean(0)
        travel = (share * cost).sum(1).mean()
        loss = travel + self.dual.penalty(load)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.dual.ascend(load)
        self.last_cost = travel.item()
        self.inspect(load)

    def run(self, days):
        for day in range(days):
            try:
                self.plan()
            except CapacityAlarm as err:
                self.incidents.file(day, err)
            if day % 40 == 39:
                peak = self.dual.used.max().item()
                print(f"day {day + 1} travel {self.last_cost:.4f} peak share {peak:.3f} incidents {len(self.incidents.notes)}")


def main():
    torch.manual_seed(44)
    planner = Planner(5, 44)
    planner.run(160)
    for note in planner.incidents.notes[:3]:
        print(note)


if __name__ == "__main__":
    main()
