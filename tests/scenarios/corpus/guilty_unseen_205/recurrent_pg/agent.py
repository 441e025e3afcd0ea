import torch
import torch.nn as nn
from torch.distributions import Categorical


class RecurrentPolicy(nn.Module):
    def __init__(self, obs_dim, n_actions, hidden=32):
        super().__init__()
        self.enc = nn.Linear(obs_dim, hidden)
        self.rnn = nn.GRUCell(hidden, hidden)
        self.pi = nn.Linear(hidden, n_actions)
        self.v = nn.Linear(hidden, 1)
        self.hidden = hidden

    def forward(self, obs, h):
        h = self.rnn(torch.relu(self.enc(obs)), h)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1), h


class Agent:
    def __init__(self, policy, num_envs):
        self.policy = policy
        self.h = torch.zeros(num_envs, policy.hidden)
        self.clear()

    def clear(self):
        self.logps, self.values, self.entropies, self.rewards = [], [], [], []

    def act(self, obs):
        dist, value, h = self.policy(obs, self.h)
        self.h = h  # <- culprit
        a = dist.sample()
        self.logps.append(dist.log_prob(a))
        self.values.append(value)
        self.entropies.append(dist.entropy())
        return a

    def loss(self, gamma=0.9, ent_coef=0.01):
        with torch.no_grad():
            R, returns = self.values[-1].clone(), []
            for r in reversed(self.rewards):
                R = r + gamma * R
                returns.insert(0, R)
        returns, values = torch.stack(returns), torch.stack(self.values)
        adv = (returns - values).detach()
        pg = -(torch.stack(self.logps) * adv).mean()
        return pg + 0.5 * (returns - values).pow(2).mean() - ent_coef * torch.stack(self.entropies).mean()
