# gradwatch-corpus: kind=inplace-modified
# holder: critic | self.critic | critic.weight | learner.critic | pi
# first-bad: 0
# notice: 0
"""DDPG-like learner on a one-link reacher."""
import copy
import torch
from torch import nn

torch.set_num_threads(1)


class Learner:
    def __init__(self, d_s, d_a, tau=0.01):
        self.actor = nn.Sequential(nn.Linear(d_s, 16), nn.Tanh(), nn.Linear(16, d_a), nn.Tanh())
        self.critic = nn.Sequential(nn.Linear(d_s + d_a, 16), nn.Tanh(), nn.Linear(16, 1))
        self.critic_t = copy.deepcopy(self.critic)
        self.oa = torch.optim.Adam(self.actor.parameters(), 1e-3)
        self.oc = torch.optim.Adam(self.critic.parameters(), 1e-3)
        self.tau = tau

    def losses(self, s, a, r, s2):
        with torch.no_grad():
            boot = r + 0.9 * self.critic_t(torch.cat([s2, self.actor(s2)], 1)).squeeze(1)
        q = self.critic(torch.cat([s, a], 1)).squeeze(1)
        td = (q - boot).pow(2).mean()
        pi = -self.critic(torch.cat([s, self.actor(s)], 1)).mean()  # <- culprit
        return td, pi

    def learn(self, batch):
        td, pi = self.losses(*batch)
        self.oc.zero_grad()
        td.backward()
        self.oc.step()  # <- culprit
        self.oa.zero_grad()
        pi.backward()
        self.oa.step()
        with torch.no_grad():
            for t, p in zip(self.critic_t.parameters(), self.critic.parameters()):
                t.lerp_(p, self.tau)


torch.manual_seed(15)
learner = Learner(3, 1)
for k in range(200):
    s = torch.rand(20, 3) * 2 - 1
    a = torch.rand(20, 1) * 2 - 1
    s2 = s + 0.1 * torch.cat([a, s[:, :2]], 1)
    learner.learn((s, a, -s2.pow(2).sum(1), s2))
