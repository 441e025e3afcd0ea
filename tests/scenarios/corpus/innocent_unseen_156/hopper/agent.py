from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import nn
from torch.distributions import Categorical


@dataclass
class Episode:
    logps: list = field(default_factory=list)
    values: list = field(default_factory=list)
    entropies: list = field(default_factory=list)
    rewards: list = field(default_factory=list)

    def returns(self, gamma=0.97):
        out, run = [], 0.0
        for r in reversed(self.rewards):
            run = r + gamma * run
            out.append(run)
        return torch.tensor(out[::-1])

    def closed(self):
        """For the archive: numbers only."""
        return Episode(*([float(v) for v in xs] for xs in (self.logps, self.values, self.entropies, self.rewards)))


class ActorCritic(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, width), nn.Tanh())
        self.pi = nn.Linear(width, 2)
        self.v = nn.Linear(width, 1)
        self.archive = []

    def act(self, obs, episode):
        z = self.body(obs)
        dist = Categorical(logits=self.pi(z))
        action = dist.sample()
        episode.logps.append(dist.log_prob(action))
        episode.values.append(self.v(z).squeeze(-1))
        episode.entropies.append(dist.entropy())
        return action.item()

    def loss(self, target, values, logps, entropies):
        advantage = (target - values).detach()
        return -(logps * advantage).mean() + 0.5 * F.smooth_l1_loss(values, target) - 0.01 * entropies.mean()
