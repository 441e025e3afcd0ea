import torch
from torch import nn
from torch.distributions import Categorical


class Agent:
    def __init__(self, n_in, n_actions, gamma=0.98):
        self.pi = nn.Sequential(nn.Linear(n_in, 24), nn.ReLU(), nn.Linear(24, n_actions))
        self.opt = torch.optim.Adam(self.pi.parameters(), lr=2e-3)
        self.gamma = gamma
        self.log_probs, self.rewards = [], []

    def choose(self, obs):
        dist = Categorical(logits=self.pi(obs))
        a = dist.sample()
        self.log_probs.append(dist.log_prob(a).item())  # <- culprit
        return a.item()

    def returns(self):
        out, g = [], 0.0
        for r in self.rewards[::-1]:
            g = r + self.gamma * g
            out.append(g)
        out = torch.tensor(out[::-1])
        return (out - out.mean()) / (out.std() + 1e-6)

    def learn(self):
        loss = -(torch.tensor(self.log_probs) * self.returns()).sum()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.log_probs, self.rewards = [], []
