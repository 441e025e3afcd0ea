# gradwatch-corpus: kind=graph-held
# holder: self.by_region[region] | store.by_region[region] | self.by_region | store.by_region
# first-bad: 1
"""Wheat yield regression from weather series, with a field store for regional summaries."""
from collections import OrderedDict, defaultdict
from dataclasses import dataclass

import torch
import torch.nn as nn


@dataclass
class Entry:
    field: int
    region: str
    yields: torch.Tensor
    target: torch.Tensor


class FieldStore:
    def __init__(self, capacity):
        self.capacity = capacity
        self.entries = OrderedDict()
        self.by_region = defaultdict(list)

    def put(self, field, region, yields, target):
        entry = Entry(field, region, yields, target)
        self.entries[field] = entry
        self.entries.move_to_end(field)
        self.by_region[region].append(entry)  # <- culprit
        while len(self.entries) > self.capacity:
            self.entries.popitem(last=False)  # <- culprit

    def get(self, field):
        entry = self.entries.get(field)
        if entry is not None:
            self.entries.move_to_end(field)
        return entry

    def region_bias(self, region, last=5):
        rows = self.by_region[region][-last:]
        if not rows:
            return float("nan")
        with torch.no_grad():
            return torch.cat([r.yields - r.target for r in rows]).mean().item()


class YieldNet(nn.Module):
    def __init__(self, channels=3):
        super().__init__()
        self.season = nn.GRU(channels, 20, batch_first=True)
        self.soil = nn.Linear(2, 20)
        self.out = nn.Linear(40, 1)

    def forward(self, weather, soil):
        _, h = self.season(weather)
        return self.out(torch.cat([h[-1], torch.tanh(self.soil(soil))], -1)).squeeze(-1)


REGIONS = ("north", "valley", "coast", "plateau")


def season(gen, field, n=12, weeks=14):
    offset = 0.3 * (field % 4) - 0.45
    weather = torch.randn(n, weeks, 3, generator=gen) + offset
    soil = torch.rand(n, 2, generator=gen)
    rain, heat = weather[:, 4:10, 0].mean(1), weather[:, 7:, 1].mean(1)
    target = 1 + 0.8 * torch.tanh(rain) - 0.5 * heat.relu() + soil[:, 0] - 0.5 * soil[:, 1]
    return weather, soil, target + 0.05 * torch.randn(n, generator=gen)


def main():
    torch.manual_seed(10)
    gen = torch.Generator().manual_seed(110)
    net = YieldNet()
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    store = FieldStore(capacity=16)
    for step in range(460):
        field = int(torch.randint(0, 40, (1,), generator=gen))
        region = REGIONS[field % 4]
        weather, soil, target = season(gen, field)
        yields = net(weather, soil)
        loss = nn.functional.smooth_l1_loss(yields, target)
        past = store.get((field + 4) % 40)
        if past is not None:
            loss = loss + 0.02 * (yields.mean() - past.yields.detach().mean()).pow(2)
        opt.zero_grad()
        loss.backward()
        opt.step()
        store.put(field, region, yields, target)
        if step % 90 == 89:
            print(step + 1, f"{loss.item():.4f}", {r: round(store.region_bias(r), 3) for r in REGIONS})


if __name__ == "__main__":
    main()
