import torch
from torch import nn


class Ant(nn.Module):
    def __init__(self, d=3, h=16):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(d, h), nn.Tanh())
        self.pi = nn.Linear(h, 2)
        self.v = nn.Linear(h, 1)
        self.r = nn.Linear(h, 1)

    def decide(self, obs):
        h = self.trunk(obs)
        dist = torch.distributions.Categorical(logits=self.pi(h))
        a = dist.sample()
        return a.item(), dist.log_prob(a), dist.entropy(), self.v(h).squeeze(-1)

    def value(self, obs):
        return self.v(self.trunk(obs)).squeeze(-1)

    def reward_head(self, obs):
        return self.r(self.trunk(obs)).squeeze(-1)
