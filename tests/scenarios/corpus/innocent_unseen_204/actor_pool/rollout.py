from dataclasses import dataclass, field
from typing import List

import torch


@dataclass
class Rollout:
    horizon: int
    log_probs: List[torch.Tensor] = field(default_factory=list)
    values: List[torch.Tensor] = field(default_factory=list)
    entropies: List[torch.Tensor] = field(default_factory=list)
    rewards: List[torch.Tensor] = field(default_factory=list)

    def add(self, log_prob, value, entropy, reward):
        self.log_probs.append(log_prob)
        self.values.append(value)
        self.entropies.append(entropy)
        self.rewards.append(reward)

    @property
    def full(self):
        return len(self.rewards) == self.horizon

    @property
    def mean_reward(self):
        return torch.stack(self.rewards).mean()

    def returns(self, tail, gamma):
        out = []
        for reward in reversed(self.rewards):
            tail = reward + gamma * tail
            out.append(tail)
        return torch.stack(out[::-1])

    def loss(self, bootstrap, gamma):
        returns = self.returns(bootstrap, gamma)
        values = torch.stack(self.values)
        advantage = (returns - values).detach()
        policy = -(torch.stack(self.log_probs) * advantage).mean()
        return policy + 0.5 * (returns - values).pow(2).mean() - 0.01 * torch.stack(self.entropies).mean()

    def clear(self):
        for items in (self.log_probs, self.values, self.entropies, self.rewards):
            items.clear()
