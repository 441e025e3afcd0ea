# gradwatch-corpus: kind=none
"""Docking a ferry: actor-critic with one update at the end of every manoeuvre."""
from dataclasses import dataclass, field

import torch
from torch import nn
from torch.distributions import Normal


class Harbour:
    """Ferry at distance x from the pier with speed v; thrust against wind and drag."""

    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)

    def cast_off(self):
        self.x = 1.0 + torch.rand(1, generator=self.gen).item()
        self.v = 0.0
        self.wind = 0.05 * torch.randn(1, generator=self.gen).item()
        return self.view()

    def view(self):
        return torch.tensor([self.x, self.v, self.wind * 10])

    def push(self, thrust):
        thrust = max(-1.0, min(1.0, thrust))
        self.v = 0.9 * self.v + 0.1 * (thrust + self.wind)
        self.x = self.x + 0.5 * self.v
        ashore = self.x < 0
        reward = -abs(self.x) - 0.05 * thrust * thrust - (4.0 * abs(self.v) if ashore else 0.0)
        return self.view(), reward, ashore


@dataclass
class Manoeuvre:
    """All that is needed for the update, collected while the ferry moves."""
    log_probs: list = field(default_factory=list)
    values: list = field(default_factory=list)
    entropies: list = field(default_factory=list)
    rewards: list = field(default_factory=list)

    def returns(self, gamma):
        out, total = [], 0.0
        for reward in reversed(self.rewards):
            total = reward + gamma * total
            out.append(total)
        return torch.tensor(out[::-1])

    def clear(self):
        for items in (self.log_probs, self.values, self.entropies, self.rewards):
            items.clear()


class Skipper(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, hidden), nn.Tanh())
        self.mean = nn.Linear(hidden, 1)
        self.value = nn.Linear(hidden, 1)
        self.log_std = nn.Parameter(torch.tensor([-0.5]))

    def forward(self, view):
        z = self.body(view)
        return Normal(self.mean(z), self.log_std.exp()), self.value(z)


class Captain:
    def __init__(self, skipper, gamma=0.95, lr=3e-3):
        self.skipper, self.gamma = skipper, gamma
        self.optimizer = torch.optim.Adam(skipper.parameters(), lr=lr)
        self.trip = Manoeuvre()

    def thrust(self, view):
        dist, value = self.skipper(view)
        action = dist.sample()
        self.trip.log_probs.append(dist.log_prob(action))
        self.trip.values.append(value)
        self.trip.entropies.append(dist.entropy())
        return action.item()

    def learn(self):
        values = torch.cat(self.trip.values)
        returns = self.trip.returns(self.gamma)
        advantage = returns - values.detach()
        actor = -(torch.cat(self.trip.log_probs) * advantage).mean()
        critic = nn.functional.smooth_l1_loss(values, returns)
        loss = actor + critic - 0.003 * torch.cat(self.trip.entropies).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.trip.clear()


def sail(harbour, captain, limit=20):
    view, total = harbour.cast_off(), 0.0
    for _ in range(limit):
        view, reward, ashore = harbour.push(captain.thrust(view))
        captain.trip.rewards.append(reward)
        total += reward
        if ashore:
            break
    captain.learn()
    return total


if __name__ == "__main__":
    torch.manual_seed(40)
    port, captain = Harbour(seed=40), Captain(Skipper())
    totals = []
    for trip in range(220):
        totals.append(sail(port, captain))
        if trip % 55 == 54:
            print(f"trip {trip + 1}: mean total of the last 55 {sum(totals[-55:]) / 55:.2f}")
