# gradwatch-corpus: kind=none
# after: lambeq PR #251 discussion (.item() is enough), neural bandit repositories: a growing log of plain floats
"""Neural bandit for ad placement: a growing log of events (tuples of small numbers), retrained on samples of it."""
from __future__ import annotations

import math
import random
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass(slots=True)
class Event:
    user: int
    ad: int
    hour: int
    reward: float
    p: float


@dataclass
class Journal:
    """Everything that happened, for training and for the off-policy estimate."""

    events: list[Event] = field(default_factory=list)
    loss: list[float] = field(default_factory=list)
    regret: list[float] = field(default_factory=list)

    def sample(self, n: int) -> list[Event]:
        return random.choices(self.events, k=n)

    def ips(self) -> float:
        return sum(e.reward / max(e.p, 0.05) for e in self.events) / len(self.events)


class ClickModel(nn.Module):
    def __init__(self, users: int, ads: int, dim: int = 12) -> None:
        super().__init__()
        self.user = nn.Embedding(users, dim)
        self.ad = nn.Embedding(ads, dim)
        self.hour = nn.Embedding(24, dim)
        self.mlp = nn.Sequential(nn.Linear(3 * dim, 48), nn.ReLU(), nn.Dropout(0.1), nn.Linear(48, 1))

    def forward(self, user, ad, hour):
        return self.mlp(torch.cat([self.user(user), self.ad(ad), self.hour(hour)], -1)).squeeze(-1)


class World:
    def __init__(self, users: int, ads: int) -> None:
        rng = random.Random(5)
        self.taste = [[rng.gauss(-1.5, 1.0) for _ in range(ads)] for _ in range(users)]

    def click_prob(self, user: int, ad: int, hour: int) -> float:
        return 1 / (1 + math.exp(-self.taste[user][ad] - 0.5 * math.sin(hour / 24 * 2 * math.pi)))


class Agent:
    def __init__(self, users: int, ads: int, eps: float = 0.1) -> None:
        self.model = ClickModel(users, ads)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=3e-3)
        self.ads, self.eps = ads, eps

    @torch.inference_mode()
    def choose(self, users: list[int], hour: int) -> list[tuple[int, float]]:
        self.model.eval()
        u = torch.tensor(users).unsqueeze(1).expand(-1, self.ads)
        a = torch.arange(self.ads).expand(len(users), -1)
        best = self.model(u, a, torch.full_like(a, hour)).argmax(1).tolist()
        out = []
        for b in best:
            ad = random.randrange(self.ads) if random.random() < self.eps else b
            out.append((ad, self.eps / self.ads + (1 - self.eps) * (ad == b)))
        return out

    def learn(self, batch: list[Event]) -> float:
        self.model.train()
        user, ad, hour = (torch.tensor([getattr(e, k) for e in batch]) for k in ("user", "ad", "hour"))
        reward = torch.tensor([e.reward for e in batch])
        loss = nn.functional.binary_cross_entropy_with_logits(self.model(user, ad, hour), reward)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


def main() -> None:
    random.seed(0)
    torch.manual_seed(0)
    users, ads = 50, 8
    world, agent, journal = World(users, ads), Agent(users, ads), Journal()
    for tick in range(400):
        hour = tick % 24
        visitors = random.sample(range(users), 12)
        for user, (ad, p) in zip(visitors, agent.choose(visitors, hour)):
            click = float(random.random() < world.click_prob(user, ad, hour))
            journal.events.append(Event(user, ad, hour, click, p))
            best = max(world.click_prob(user, a, hour) for a in range(ads))
            journal.regret.append(best - world.click_prob(user, ad, hour))
        journal.loss.append(agent.learn(journal.sample(128)))
        if (tick + 1) % 100 == 0:
            print(f"tick {tick + 1}: loss {sum(journal.loss[-50:]) / 50:.3f} "
                  f"regret {sum(journal.regret[-600:]) / 600:.3f} ips {journal.ips():.3f}")


if __name__ == "__main__":
    main()
