# gradwatch-corpus: kind=none
"""A2C for a one-corridor roguelike: transitions with their log-probs wait in a rollout until it is full."""
from collections import deque
from dataclasses import dataclass, field
from typing import List

import torch
from torch import nn
from torch.distributions import Categorical


class Corridor:
    length = 9

    def __init__(self, gen):
        self.gen = gen
        self.reset()

    def reset(self):
        self.at = 0
        self.trap = int(torch.randint(2, self.length - 1, (1,), generator=self.gen))
        self.turns = 0
        return self.view()

    def view(self):
        here = torch.zeros(2 * self.length)
        here[self.at] = 1
        here[self.length + self.trap] = 1
        return here

    def step(self, move):
        self.turns += 1
        reach = 2 if move == 1 else 1
        self.at = min(self.length - 1, self.at + reach)
        if self.at == self.trap:
            return self.view(), -1.0, True
        done = self.at == self.length - 1 or self.turns > 30
        return self.view(), (1.0 if done else -0.02), done


@dataclass
class Rollout:
    logps: List[torch.Tensor] = field(default_factory=list)
    values: List[torch.Tensor] = field(default_factory=list)
    entropies: List[torch.Tensor] = field(default_factory=list)
    rewards: List[float] = field(default_factory=list)
    dones: List[bool] = field(default_factory=list)

    def loss(self, bootstrap, gamma=0.97):
        ret = bootstrap
        targets = []
        for r, d in zip(reversed(self.rewards), reversed(self.dones)):
            ret = r + gamma * ret * (1.0 - float(d))
            targets.append(ret)
        targets = torch.tensor(targets[::-1])
        values = torch.stack(self.values)
        adv = targets - values
        policy = -(torch.stack(self.logps) * adv.detach()).mean()
        return policy + 0.5 * adv.pow(2).mean() - 0.01 * torch.stack(self.entropies).mean()


class Brain(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2 * Corridor.length, 32), nn.Tanh())
        self.pi = nn.Linear(32, 2)
        self.v = nn.Linear(32, 1)

    def forward(self, obs):
        h = self.body(obs)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


def main(updates=120, n_steps=8):
    torch.manual_seed(7)
    env = Corridor(torch.Generator().manual_seed(7))
    brain = Brain()
    opt = torch.optim.Adam(brain.parameters(), lr=5e-3)
    outcomes = deque(maxlen=50)
    obs = env.reset()
    for u in range(updates):
        rollout = Rollout()
        for _ in range(n_steps):
            dist, value = brain(obs)
            move = dist.sample()
            obs, reward, done = env.step(move.item())
            rollout.logps.append(dist.log_prob(move))
            rollout.values.append(value)
            rollout.entropies.append(dist.entropy())
            rollout.rewards.append(reward)
            rollout.dones.append(done)
            if done:
                outcomes.append(float(reward > 0))
                obs = env.reset()
        with torch.no_grad():
            tail = brain(obs)[1].item()
        loss = rollout.loss(tail)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if u % 30 == 29:
            print(f"update {u + 1} escape rate {sum(outcomes) / max(1, len(outcomes)):.2f}")


if __name__ == "__main__":
    main()
