# gradwatch-corpus: kind=graph-chain
# holder: level | floor
# first-bad: 1
"""Policy gradient for a warehouse re-order policy; a slowly moving baseline instead of a per-state one.

The critic is only used to set the baseline level (and the planning report), the actor must not train it.
"""
import math
from collections import namedtuple

import torch
from torch import nn
from torch.distributions import Categorical

Roll = namedtuple("Roll", "stock action gain")
torch.manual_seed(202)
LOTS = torch.tensor([0.0, 5.0, 10.0, 20.0, 40.0])


def rolling(rate):
    """Coroutine: send the newest value estimate, get the smoothed level."""
    level = torch.zeros(())
    while True:
        newest = yield level
        level = torch.lerp(level, newest, rate)  # <- culprit


class Depot:
    def __init__(self, lanes=32, days=12, seed=1):
        self.lanes, self.days = lanes, days
        self.gen = torch.Generator().manual_seed(seed)

    def roll(self, actor):
        stock = 20 + 10 * torch.rand(self.lanes, generator=self.gen)
        seen, acts, gains = [], [], []
        for day in range(self.days):
            wave = torch.full((self.lanes,), math.sin(day / 2))
            view = torch.stack([stock / 50, wave, torch.full((self.lanes,), day / self.days)], 1)
            with torch.no_grad():
                a = Categorical(logits=actor(view)).sample()
            need = torch.poisson(8 + 4 * wave, generator=self.gen)
            stock = stock + LOTS[a]
            sold = torch.minimum(stock, need)
            stock = stock - sold
            gain = sold - 0.1 * stock - 0.8 * (need - sold) - 1.0 * (a > 0)
            seen.append(view), acts.append(a), gains.append(gain)
        return Roll(torch.stack(seen), torch.stack(acts), torch.stack(gains))


def to_go(gain, discount=0.97):
    out, acc = [], torch.zeros_like(gain[0])
    for g in gain.flip(0):
        acc = g + discount * acc
        out.append(acc)
    return torch.stack(out[::-1]) / 50.0


def mlp(out, width=48):
    return nn.Sequential(nn.Linear(3, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, out))


def main(rounds=320):
    actor, critic = mlp(len(LOTS)), mlp(1)
    opt = torch.optim.Adam([{"params": actor.parameters(), "lr": 2e-3}, {"params": critic.parameters(), "lr": 5e-3}])
    depot, baseline = Depot(), rolling(0.1)
    floor = next(baseline)
    actor_weights = list(actor.parameters())
    for r in range(rounds):
        batch = depot.roll(actor)
        future = to_go(batch.gain)
        dist = Categorical(logits=actor(batch.stock))
        surrogate = -(dist.log_prob(batch.action) * (future - floor)).mean() - 0.01 * dist.entropy().mean()
        opt.zero_grad()
        surrogate.backward(inputs=actor_weights)
        fit = (critic(batch.stock).squeeze(-1) - future).pow(2).mean()
        fit.backward()
        floor = baseline.send(critic(batch.stock).mean())  # <- culprit
        opt.step()
        if r % 40 == 0:
            print(f"round {r:3d} profit/day {batch.gain.mean():+.3f} value fit {fit.item():.4f} floor {floor.item():+.3f}")


if __name__ == "__main__":
    main()
