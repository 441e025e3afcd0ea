# gradwatch-corpus: kind=graph-held
# holder: self.ledger | cellar.ledger | vintner.cellar.ledger
# first-bad: 1
"""Neural contextual bandit which picks an irrigation plan for each vineyard block, with an ensemble for exploration."""
from dataclasses import dataclass, field
from typing import List

import torch
from torch import nn


@dataclass
class Pour:
    block: int
    plan: int
    promise: torch.Tensor
    doubt: torch.Tensor
    crop: float


@dataclass
class Cellar:
    ledger: List[Pour] = field(default_factory=list)

    def shelve(self, pour):
        self.ledger.append(pour)  # <- culprit

    def calibration(self, last=50):
        recent = self.ledger[-last:]
        gaps = [abs(pour.promise.item() - pour.crop) for pour in recent]
        return sum(gaps) / len(gaps)


class Terroir:
    def __init__(self, blocks, traits, plans):
        self.soil = torch.randn(blocks, traits)
        self.taste = torch.randn(traits, plans) / traits ** 0.5
        self.blocks = blocks

    def morning(self):
        block = int(torch.randint(0, self.blocks, (1,)))
        weather = 0.3 * torch.randn(self.soil.shape[1])
        return block, self.soil[block] + weather

    def harvest(self, sight, plan):
        return float(torch.tanh(sight @ self.taste[:, plan]) + 0.05 * torch.randn(()))


class Taster(nn.Module):
    def __init__(self, traits, plans, width=40):
        super().__init__()
        self.palate = nn.Sequential(
            nn.Linear(traits, width),
            nn.Mish(),
            nn.Linear(width, width),
            nn.Mish(),
        )
        self.score = nn.Linear(width, plans)

    def forward(self, sight):
        return self.score(self.palate(sight))


class Policy:
    def choose(self, mean, spread):
        raise NotImplementedError


class Optimist(Policy):
    def __init__(self, zeal):
        self.zeal = zeal

    def choose(self, mean, spread):
        return int((mean + self.zeal * spread).argmax())


class Vintner:
    def __init__(self, traits, plans, tasters=3):
        self.tasters = nn.ModuleList([Taster(traits, plans) for _ in range(tasters)])
        self.policy = Optimist(0.8)
        self.cellar = Cellar()
        self.opt = torch.optim.SGD(self.tasters.parameters(), lr=0.03, momentum=0.8)

    def day(self, terroir):
        block, sight = terroir.morning()
        votes = torch.stack([taster(sight) for taster in self.tasters])
        mean = votes.mean(0)
        spread = votes.std(0)
        plan = self.policy.choose(mean, spread)
        crop = terroir.harvest(sight, plan)
        masks = torch.bernoulli(torch.full((len(self.tasters),), 0.7))
        regret = (masks * (votes[:, plan] - crop) ** 2).mean()
        self.opt.zero_grad()
        regret.backward()
        self.opt.step()
        pour = Pour(block, plan, mean[plan], spread[plan], crop)  # <- culprit
        self.cellar.shelve(pour)  # <- culprit
        return crop


def main():
    torch.manual_seed(61)
    terroir = Terroir(blocks=9, traits=12, plans=5)
    vintner = Vintner(traits=12, plans=5)
    total = 0.0
    for day in range(150):
        total += vintner.day(terroir)
        if (day + 1) % 50 == 0:
            print(f"day {day + 1}: mean crop {total / (day + 1):.3f} calibration {vintner.cellar.calibration():.3f}")


if __name__ == "__main__":
    main()
