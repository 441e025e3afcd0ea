# gradwatch-corpus: kind=second-backward
# first-bad: 0
"""Soft actor-critic on a toy point mass, automatic temperature."""
import copy
import random
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Normal

torch.manual_seed(3)
random.seed(3)
torch.set_num_threads(1)


class PointMass:
    horizon = 40

    def reset(self):
        self.x = torch.randn(2)
        self.v = torch.zeros(2)
        self.t = 0
        return torch.cat([self.x, self.v])

    def step(self, a):
        self.v = 0.9 * self.v + 0.1 * a
        self.x = self.x + self.v
        self.t += 1
        r = -self.x.pow(2).sum() - 0.01 * a.pow(2).sum()
        return torch.cat([self.x, self.v]), float(r), self.t >= self.horizon


def mlp(i, o, h=64):
    return nn.Sequential(nn.Linear(i, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU(), nn.Linear(h, o))


class Actor(nn.Module):
    def __init__(self, s=4, a=2):
        super().__init__()
        self.net = mlp(s, 2 * a)

    def forward(self, s):
        mu, log_std = self.net(s).chunk(2, -1)
        dist = Normal(mu, log_std.clamp(-5, 1).exp())
        u = dist.rsample()
        a = torch.tanh(u)
        logp = dist.log_prob(u).sum(-1) - torch.log(1 - a.pow(2) + 1e-6).sum(-1)
        return a, logp


class TwinQ(nn.Module):
    def __init__(self, s=4, a=2):
        super().__init__()
        self.q1, self.q2 = mlp(s + a, 1), mlp(s + a, 1)

    def forward(self, s, a):
        sa = torch.cat([s, a], -1)
        return self.q1(sa).squeeze(-1), self.q2(sa).squeeze(-1)


class Temperature(nn.Module):
    def __init__(self, target_entropy):
        super().__init__()
        self.log_alpha = nn.Parameter(torch.zeros(()))
        self.target_entropy = target_entropy

    @property
    def alpha(self):
        return self.log_alpha.exp().detach()

    def loss(self, logp):
        gap = logp + self.target_entropy  # <- culprit
        return -(self.log_alpha * gap).mean()  # <- culprit


class SAC:
    def __init__(self, gamma=0.98, tau=0.01, lr=3e-4):
        self.actor, self.critic = Actor(), TwinQ()
        self.target = copy.deepcopy(self.critic).requires_grad_(False)
        self.temp = Temperature(target_entropy=-2.0)
        self.gamma, self.tau = gamma, tau
        self.opt_pi = torch.optim.Adam(self.actor.parameters(), lr=lr)
        self.opt_q = torch.optim.Adam(self.critic.parameters(), lr=lr)
        self.opt_t = torch.optim.Adam(self.temp.parameters(), lr=lr)

    def update(self, s, a, r, s2, d):
        self.critic.requires_grad_(False)
        pi, logp = self.actor(s)
        q = torch.min(*self.critic(s, pi))
        loss_pi = (self.temp.alpha * logp - q).mean()
        self.opt_pi.zero_grad()
        loss_pi.backward()
        self.critic.requires_grad_(True)

        loss_t = self.temp.loss(logp)  # <- culprit
        self.opt_t.zero_grad()
        loss_t.backward()
        self.opt_pi.step()
        self.opt_t.step()

        with torch.no_grad():
            a2, logp2 = self.actor(s2)
            y = r + self.gamma * (1 - d) * (torch.min(*self.target(s2, a2)) - self.temp.alpha * logp2)
        q1, q2 = self.critic(s, a)
        loss_q = F.mse_loss(q1, y) + F.mse_loss(q2, y)
        self.opt_q.zero_grad()
        loss_q.backward()
        self.opt_q.step()
        with torch.no_grad():
            for p, t in zip(self.critic.parameters(), self.target.parameters()):
                t.lerp_(p, self.tau)
        return loss_q.item(), loss_pi.item()


def main(steps=250, start=64):
    env, agent, memory = PointMass(), SAC(), deque(maxlen=2000)
    s = env.reset()
    for t in range(steps):
        with torch.no_grad():
            a = agent.actor(s)[0] if t > start else torch.rand(2) * 2 - 1
        s2, r, done = env.step(a)
        memory.append((s, a, torch.tensor(r), s2, torch.tensor(float(done))))
        s = env.reset() if done else s2
        if t >= start:
            batch = [torch.stack(c) for c in zip(*random.sample(memory, 64))]
            out = agent.update(*batch)
            if t % 20 == 0:
                print(t, out)


main()
