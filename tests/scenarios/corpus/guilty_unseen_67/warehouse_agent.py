# gradwatch-corpus: kind=inplace-modified
# holder: agent.trunk.2.weight | trunk.2.weight | self.trunk.2.weight | agent.trunk[2].weight | self.trunk[2].weight | value_loss | values
# first-bad: 8
# notice: 1
"""Order-picking agent: restocking decisions with a policy and a value head.

The value head is trained alone for a few rounds, then both together.
"""
import argparse
from contextlib import contextmanager
from typing import NamedTuple

import torch
from torch import nn
from torch.distributions import Categorical

torch.set_num_threads(1)


class Rollout(NamedTuple):
    stock: torch.Tensor
    action: torch.Tensor
    reward: torch.Tensor


class Warehouse:
    """Shelves lose stock at random; refilling the emptiest one pays best."""

    def __init__(self, shelves, gen):
        self.shelves, self.gen = shelves, gen

    def observe(self, n):
        return torch.rand(n, self.shelves, generator=self.gen)

    def pay(self, stock, action):
        return (1 - stock.gather(1, action[:, None]).squeeze(1)) - stock.mean(1)


class Agent(nn.Module):
    def __init__(self, shelves, width=32):
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Linear(shelves, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh()
        )
        self.policy = nn.Linear(width, shelves)
        self.value = nn.Linear(width, 1)

    def decide(self, z):
        return Categorical(logits=self.policy(z))

    def appraise(self, z):
        return self.value(z).squeeze(-1)


class Phases:
    """Named optimisation phases, each with its own optimizer and clipping."""

    def __init__(self, max_norm=0.5):
        self.max_norm = max_norm
        self._table = {}

    def add(self, name, params, lr):
        params = list(params)
        self._table[name] = (params, torch.optim.Adam(params, lr=lr))

    @contextmanager
    def __call__(self, name):
        params, optimizer = self._table[name]
        optimizer.zero_grad(set_to_none=True)
        yield optimizer
        nn.utils.clip_grad_norm_(params, self.max_norm)
        optimizer.step()  # <- culprit


@torch.no_grad()
def collect(agent, house, n):
    stock = house.observe(n)
    action = agent.decide(agent.trunk(stock)).sample()
    return Rollout(stock, action, house.pay(stock, action))


def update(agent, phases, roll, joint):
    z = agent.trunk(roll.stock)
    values = agent.appraise(z)
    value_loss = (values - roll.reward).pow(2).mean()
    if joint:
        dist = agent.decide(z)
        advantage = roll.reward - values.detach()
        policy_loss = -(dist.log_prob(roll.action) * advantage).mean() - 0.01 * dist.entropy().mean()
        with phases("policy"):  # <- culprit
            policy_loss.backward(retain_graph=True)
    with phases("value"):
        value_loss.backward()  # <- culprit
    return value_loss.item(), roll.reward.mean().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--rounds", type=int, default=200)
    ap.add_argument("--warmup", type=int, default=8)
    ap.add_argument("--shelves", type=int, default=6)
    opts = ap.parse_args()
    torch.manual_seed(2)
    agent = Agent(opts.shelves)
    phases = Phases()
    phases.add("policy", [*agent.trunk.parameters(), *agent.policy.parameters()], lr=3e-3)
    phases.add("value", [*agent.trunk.parameters(), *agent.value.parameters()], lr=3e-3)
    house = Warehouse(opts.shelves, torch.Generator().manual_seed(6))
    for r in range(opts.rounds):
        loss, pay = update(agent, phases, collect(agent, house, 64), joint=r >= opts.warmup)
        if r % 4 == 0:
            print(f"round {r}: value loss {loss:.4f}, mean pay {pay:+.3f}")


if __name__ == "__main__":
    main()
