# gradwatch-corpus: kind=graph-chain
# holder: self.baseline | agent.baseline
# first-bad: 1
"""Average-cost actor critic for a single-item stock with random demand."""
from dataclasses import dataclass

import torch
from torch import nn
from torch.distributions import Categorical


@dataclass
class Settings:
    capacity: int = 20
    max_order: int = 6
    horizon: int = 25
    episodes: int = 100
    lr: float = 4e-3
    rho: float = 0.9
    value_coef: float = 0.5


class Shop:
    def __init__(self, s: Settings):
        self.s = s
        self.stock = s.capacity // 2

    def step(self, order):
        demand = int(torch.poisson(torch.tensor(2.5)))
        have = min(self.stock + order, self.s.capacity)
        sold = min(have, demand)
        self.stock = have - sold
        return 2.0 * sold - 0.15 * self.stock - 0.4 * order - 1.0 * (demand - sold)


def rbf(stock, capacity, k=9):
    centers = torch.linspace(0, capacity, k)
    return torch.exp(-((stock - centers) ** 2) / (2 * 2.5 ** 2))


class Agent(nn.Module):
    def __init__(self, s: Settings, k=9):
        super().__init__()
        self.s = s
        self.actor = nn.Sequential(nn.Linear(k, 24), nn.Tanh(), nn.Linear(24, s.max_order + 1))
        self.critic = nn.Linear(k, 1)
        self.baseline = torch.zeros(())

    def rollout(self, shop):
        feats, actions, rewards = [], [], []
        for _ in range(self.s.horizon):
            phi = rbf(shop.stock, self.s.capacity)
            with torch.no_grad():
                a = Categorical(logits=self.actor(phi)).sample()
            feats.append(phi)
            actions.append(a)
            rewards.append(shop.step(int(a)))
        return torch.stack(feats), torch.stack(actions), torch.tensor(rewards)

    def losses(self, feats, actions, rewards):
        dist = Categorical(logits=self.actor(feats))
        values = self.critic(feats).squeeze(-1)
        self.baseline = self.s.rho * self.baseline + (1 - self.s.rho) * values.mean()  # <- culprit
        to_go = rewards.flip(0).cumsum(0).flip(0) / self.s.horizon
        advantage = to_go - self.baseline  # <- culprit
        policy_loss = -(dist.log_prob(actions) * advantage).mean()  # <- culprit
        value_loss = (values - to_go).pow(2).mean()
        return policy_loss, value_loss


def train(s: Settings):
    shop = Shop(s)
    agent = Agent(s)
    optimizer = torch.optim.Adam(agent.parameters(), lr=s.lr)
    recent = []
    for ep in range(s.episodes):
        feats, actions, rewards = agent.rollout(shop)
        policy_loss, value_loss = agent.losses(feats, actions, rewards)
        loss = policy_loss + s.value_coef * value_loss
        optimizer.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        optimizer.step()
        recent.append(float(rewards.mean()))
        if (ep + 1) % 20 == 0:
            print(f"episode {ep + 1:4d}  profit/day {sum(recent[-20:]) / 20:.3f}  value loss {value_loss.item():.3f}")


if __name__ == "__main__":
    torch.manual_seed(12)
    train(Settings())
