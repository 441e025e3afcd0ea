# gradwatch-corpus: kind=none
# after: A2C-like repositories that collect n decisions with their graphs and spend them in one actor update
"""Stock keeping in a depot: the critic learns at every decision, the actor once per n decisions.

The log-probabilities wait (with graph) in the open segment until the segment is closed.
"""
from dataclasses import dataclass, field
from typing import List, NamedTuple

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class Config:
    goods: int = 8
    n: int = 6
    decisions: int = 240
    depots: int = 16
    gamma: float = 0.97


class Decision(NamedTuple):
    logp: torch.Tensor
    entropy: torch.Tensor
    advantage: torch.Tensor


@dataclass
class Segment:
    decisions: List[Decision] = field(default_factory=list)

    def add(self, *args):
        self.decisions.append(Decision(*args))
        return self

    def __len__(self):
        return len(self.decisions)

    def objective(self, beta=0.01):
        logp, entropy, advantage = (torch.stack(c) for c in zip(*self.decisions))
        return -(logp * advantage).mean() - beta * entropy.mean()


class Depots:
    def __init__(self, cfg):
        self.cfg = cfg
        self.stock = torch.full((cfg.depots, cfg.goods), 3.0)
        self.demand = torch.rand(cfg.goods) * 2

    def order(self, amount):
        self.stock = 0.8 * self.stock + amount
        sold = torch.minimum(self.stock, torch.poisson(self.demand.expand_as(self.stock)))
        self.stock = self.stock - sold
        reward = (2.0 * sold - 0.3 * self.stock - 0.5 * amount).mean(1)
        return reward, self.stock


def net(cfg, out):
    return nn.Sequential(nn.Linear(cfg.goods, 64), nn.Tanh(), nn.Linear(64, out))


class Planner:
    def __init__(self, cfg):
        self.cfg = cfg
        self.actor, self.critic = net(cfg, cfg.goods * 4), net(cfg, 1)
        self.opt_actor = torch.optim.Adam(self.actor.parameters(), lr=2e-3)
        self.opt_critic = torch.optim.Adam(self.critic.parameters(), lr=2e-3)
        self.segment = Segment()
        self.objectives = []

    def decide(self, stock):
        logits = self.actor(stock).view(-1, self.cfg.goods, 4)
        policy = torch.distributions.Categorical(logits=logits)
        amount = policy.sample()
        return amount, policy.log_prob(amount).sum(1), policy.entropy().sum(1)

    def criticise(self, stock, reward, after):
        value = self.critic(stock).squeeze(1)
        with torch.no_grad():
            goal = reward + self.cfg.gamma * self.critic(after).squeeze(1)
        loss = F.mse_loss(value, goal)
        self.opt_critic.zero_grad()
        loss.backward()
        self.opt_critic.step()
        return (goal - value).detach()

    def close(self):
        segment, self.segment = self.segment, Segment()
        loss = segment.objective()
        self.opt_actor.zero_grad()
        loss.backward()
        self.opt_actor.step()
        self.objectives.append(loss.item())

    def run(self, world):
        income, stock = [], world.stock
        for _ in range(self.cfg.decisions):
            amount, logp, entropy = self.decide(stock)
            reward, after = world.order(amount.float())
            advantage = self.criticise(stock, reward, after)
            self.segment = self.segment.add(logp, entropy, advantage)
            if len(self.segment) == self.cfg.n:
                self.close()
            income.append(float(reward.mean()))
            stock = after
        return income


if __name__ == "__main__":
    torch.manual_seed(4)
    cfg = Config()
    planner = Planner(cfg)
    income = planner.run(Depots(cfg))
    k = len(income) // 4
    print(f"income {sum(income[:k]) / k:.3f} -> {sum(income[-k:]) / k:.3f}; {len(planner.objectives)} actor updates")
