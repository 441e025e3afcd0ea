# gradwatch-corpus: kind=none
from collections import defaultdict
from dataclasses import dataclass, field

import torch
from torch import nn
from torch.distributions import Bernoulli

torch.set_num_threads(1)


@dataclass
class Season:
    limit: int
    logps: list = field(default_factory=list)
    honey: list = field(default_factory=list)
    bonus: torch.Tensor = 0.0

    def add(self, dist, action, gain):
        self.logps.append(dist.log_prob(action).sum())
        self.honey.append(gain)
        self.bonus = self.bonus + dist.entropy().sum()

    @property
    def over(self):
        return len(self.logps) >= self.limit or (self.honey and self.honey[-1] < -1.5)

    def objective(self, baseline):
        togo = torch.tensor(self.honey).flip(0).cumsum(0).flip(0) - baseline
        return -(torch.stack(self.logps) * togo).sum() - 0.01 * self.bonus


class Apiary:
    def __init__(self):
        self.policy = nn.Sequential(nn.Linear(4, 12), nn.Tanh(), nn.Linear(12, 2))
        self.opt = torch.optim.Adam(self.policy.parameters(), lr=4e-3)
        self.season = None
        self.stats = defaultdict(float)

    def play(self, limit):
        self.season = Season(limit)
        weather = torch.randn(4)
        while not self.season.over:
            dist = Bernoulli(logits=self.policy(weather))
            action = dist.sample()
            gain = (action[0] * weather[0] - action[1] * weather[1] - 0.1).item()
            self.season.add(dist, action, gain)
            weather = 0.7 * weather + 0.5 * torch.randn(4)
        return self.season

    def learn(self, k):
        season = self.play(limit=4 + k % 13)
        goal = season.objective(self.stats["baseline"])
        self.opt.zero_grad()
        goal.backward()
        self.opt.step()
        total = sum(season.honey)
        self.stats["baseline"] += 0.05 * (total / len(season.honey) - self.stats["baseline"])
        self.stats["total"] += total


if __name__ == "__main__":
    torch.manual_seed(50)
    a = Apiary()
    for k in range(500):
        a.learn(k)
    print(dict(a.stats), len(a.season.logps))
