import random
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class Row:
    obs: torch.Tensor
    action: int
    logp: torch.Tensor
    value: torch.Tensor
    reward: float


class Buffer:
    def __init__(self, capacity=20_000, seed=0):
        self.capacity, self.rows = capacity, []
        self.rng = random.Random(seed)

    def __len__(self):
        return len(self.rows)

    def push(self, row):
        if len(self.rows) == self.capacity:
            self.rows.pop(0)
        self.rows.append(row)  # <- culprit

    def sample(self, k):
        return self.rng.sample(self.rows, min(k, len(self.rows)))


class Learner:
    def __init__(self, obs_dim, actions):
        self.trunk = nn.Sequential(nn.Linear(obs_dim, 32), nn.ReLU())
        self.policy, self.critic = nn.Linear(32, actions), nn.Linear(32, 1)
        params = [*self.trunk.parameters(), *self.policy.parameters(), *self.critic.parameters()]
        self.opt = torch.optim.Adam(params, lr=2e-3)
        self.buffer = Buffer()

    def heads(self, obs):
        h = self.trunk(obs)
        return torch.distributions.Categorical(logits=self.policy(h)), self.critic(h).squeeze(-1)

    def act(self, obs):
        dist, value = self.heads(obs)  # <- culprit
        action = dist.sample()
        self.pending = (int(action), dist.log_prob(action), value)  # <- culprit
        return int(action)

    def remember(self, obs, reward):
        action, logp, value = self.pending
        self.buffer.push(Row(obs, action, logp, value, reward))  # <- culprit

    def learn(self, k):
        rows = self.buffer.sample(k)
        obs = torch.stack([r.obs for r in rows])
        act = torch.tensor([r.action for r in rows])
        rew = torch.tensor([r.reward for r in rows])
        old = torch.tensor([r.logp.item() for r in rows])
        dist, value = self.heads(obs)
        ratio = (dist.log_prob(act) - old).exp()
        adv = rew - value.detach()
        loss = -torch.min(ratio * adv, ratio.clamp(0.8, 1.2) * adv).mean() + F.mse_loss(value, rew)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()
