import torch
from torch import nn
from torch.nn import functional as F


class Agent:
    def __init__(self, ns, na, gamma=0.95):
        self.policy = nn.Sequential(nn.Linear(ns, 24), nn.ReLU(), nn.Linear(24, na), nn.Tanh())
        self.q = nn.Sequential(nn.Linear(ns + na, 24), nn.ReLU(), nn.Linear(24, 1))
        self.pi_opt = torch.optim.Adam(self.policy.parameters(), lr=1e-3)
        self.q_opt = torch.optim.Adam(self.q.parameters(), lr=1e-3)
        self.gamma = gamma

    def Q(self, s, a):
        return self.q(torch.cat([s, a], 1))

    def update(self, batch):
        s, a, r, s2 = batch
        with torch.no_grad():
            target = r + self.gamma * self.Q(s2, self.policy(s2))
        q_loss = F.mse_loss(self.Q(s, a), target)
        pi_loss = -self.Q(s, self.policy(s)).mean()  # <- culprit

        self.q_opt.zero_grad()
        q_loss.backward()
        self.q_opt.step()  # <- culprit

        self.pi_opt.zero_grad()
        pi_loss.backward()  # <- culprit
        self.pi_opt.step()
        return {"q": q_loss.item(), "pi": pi_loss.item()}
