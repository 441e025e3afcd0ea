# gradwatch-corpus: kind=graph-held
# holder: spent | pacer.gi_frame.f_locals["spent"] | self.pacer | campaign.pacer
# first-bad: 1
"""Learn a bid-shading policy for first-price auctions while a proportional pacer
keeps the campaign inside its daily budget."""
import itertools
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(99)


def budget_pacer(budget, horizon, gain=2.0):
    """Coroutine: send it what an interval cost, get the throttle for the next one."""
    spent = 0.0
    throttle = 1.0
    for tick in itertools.count(1):
        cost = yield throttle
        spent = spent + cost  # <- culprit
        planned = budget * min(1.0, tick / horizon)
        throttle = min(1.5, max(0.2, 1.0 + gain * (planned - float(spent)) / budget))


@dataclass
class Market:
    features: int = 10
    batch: int = 128
    generator: torch.Generator = field(default_factory=lambda: torch.Generator().manual_seed(7))

    def __post_init__(self):
        self.value_w = torch.randn(self.features, generator=self.generator) * 0.3
        self.price_w = torch.randn(self.features, generator=self.generator) * 0.3

    def interval(self):
        x = torch.randn(self.batch, self.features, generator=self.generator)
        value = F.softplus(x @ self.value_w + 1.0)
        noise = 0.2 * torch.randn(self.batch, generator=self.generator)
        rival = F.softplus(x @ self.price_w + 0.3 + noise)
        return x, value, rival


class ShadingPolicy(nn.Module):
    def __init__(self, features, hidden=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(features + 1, hidden), nn.SiLU(), nn.Linear(hidden, 1))

    def forward(self, x, value):
        h = self.net(torch.cat([x, value.unsqueeze(-1)], dim=-1)).squeeze(-1)
        return value * torch.sigmoid(h)


@dataclass
class Outcome:
    surplus: torch.Tensor
    cost: torch.Tensor
    wins: float


class Campaign:
    def __init__(self, market, policy, budget, horizon):
        self.market = market
        self.policy = policy
        self.temperature = 0.15
        self.pacer = budget_pacer(budget, horizon)
        self.throttle = next(self.pacer)

    def play(self):
        x, value, rival = self.market.interval()
        bid = self.throttle * self.policy(x, value)
        win = torch.sigmoid((bid - rival) / self.temperature)
        return Outcome(
            surplus=(win * (value - bid)).mean(),
            cost=(win * bid).sum(),
            wins=win.gt(0.5).float().mean().item(),
        )

    def settle(self, outcome):
        self.throttle = self.pacer.send(outcome.cost)  # <- culprit


def learn(campaign, optimizer, horizon):
    for interval in range(horizon):
        outcome = campaign.play()
        optimizer.zero_grad(set_to_none=True)
        (-outcome.surplus).backward()
        optimizer.step()
        campaign.settle(outcome)
        if interval % 60 == 0:
            print(
                f"interval {interval:3d}: surplus {outcome.surplus.item():.4f}"
                f" win-rate {outcome.wins:.2f} throttle {campaign.throttle:.3f}"
            )


def main(horizon=300):
    market = Market()
    policy = ShadingPolicy(market.features)
    optimizer = torch.optim.RMSprop(policy.parameters(), lr=2e-3)
    campaign = Campaign(market, policy, budget=40.0 * horizon, horizon=horizon)
    learn(campaign, optimizer, horizon)
    print("end of day, throttle", round(campaign.throttle, 3))


if __name__ == "__main__":
    main()
