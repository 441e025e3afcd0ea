# gradwatch-corpus: kind=none
"""Soft actor-critic with twin critics and learned temperature on a 1-d reacher."""
import copy

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Normal

torch.set_num_threads(1)
torch.manual_seed(52)
np.random.seed(52)


class Buffer:
    def __init__(self, size, n_obs, n_act):
        self.s = np.zeros((size, n_obs), np.float32)
        self.a = np.zeros((size, n_act), np.float32)
        self.r = np.zeros((size, 1), np.float32)
        self.s2 = np.zeros((size, n_obs), np.float32)
        self.size, self.i, self.n = size, 0, 0

    def add(self, s, a, r, s2):
        self.s[self.i], self.a[self.i], self.r[self.i], self.s2[self.i] = s, a, r, s2
        self.i = (self.i + 1) % self.size
        self.n = min(self.n + 1, self.size)

    def sample(self, k):
        j = np.random.randint(0, self.n, k)
        return [torch.from_numpy(t[j]) for t in (self.s, self.a, self.r, self.s2)]


def mlp(i, o):
    return nn.Sequential(nn.Linear(i, 32), nn.ReLU(), nn.Linear(32, o))


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = mlp(2, 2)

    def forward(self, s):
        mu, log_std = self.net(s).chunk(2, -1)
        d = Normal(mu, log_std.clamp(-5, 1).exp())
        u = d.rsample()
        a = torch.tanh(u)
        logp = (d.log_prob(u) - torch.log(1 - a.pow(2) + 1e-6)).sum(-1, keepdim=True)
        return a, logp


def q(net, s, a):
    return net(torch.cat([s, a], -1))


actor, q1, q2 = Actor(), mlp(3, 1), mlp(3, 1)
t1, t2 = copy.deepcopy(q1), copy.deepcopy(q2)
a_opt = torch.optim.Adam(actor.parameters(), lr=1e-3)
q_opt = torch.optim.Adam([*q1.parameters(), *q2.parameters()], lr=2e-3)
log_alpha = torch.zeros(1, requires_grad=True)
al_opt = torch.optim.Adam([log_alpha], lr=3e-3)
buf = Buffer(300, 2, 1)
s, rewards = np.random.randn(2).astype(np.float32), []
for t in range(160):
    with torch.no_grad():
        a = actor(torch.from_numpy(s))[0].numpy()
    s2 = np.array([s[0] + 0.3 * a[0], s[1]], np.float32)
    r = -abs(s2[0] - s2[1])
    buf.add(s, a, r, s2)
    rewards.append(float(r))
    s = np.random.randn(2).astype(np.float32) if t % 20 == 19 else s2
    if t < 60:
        continue
    bs, ba, br, bs2 = buf.sample(32)
    alpha = log_alpha.exp().detach()
    with torch.no_grad():
        a2, lp2 = actor(bs2)
        y = br + 0.95 * (torch.min(q(t1, bs2, a2), q(t2, bs2, a2)) - alpha * lp2)
    q_loss = F.mse_loss(q(q1, bs, ba), y) + F.mse_loss(q(q2, bs, ba), y)
    q_opt.zero_grad()
    q_loss.backward()
    q_opt.step()
    pi, logp = actor(bs)
    pi_loss = (alpha * logp - torch.min(q(q1, bs, pi), q(q2, bs, pi))).mean()
    a_opt.zero_grad()
    pi_loss.backward()
    a_opt.step()
    al_loss = -(log_alpha * (logp + 1.0).detach()).mean()
    al_opt.zero_grad()
    al_loss.backward()
    al_opt.step()
    for net, tgt in ((q1, t1), (q2, t2)):
        for p, tp in zip(net.parameters(), tgt.parameters()):
            tp.data.copy_(0.98 * tp.data + 0.02 * p.data)
    if t % 30 == 0:
        print(t, "q %.3f pi %.3f alpha %.3f" % (q_loss.item(), pi_loss.item(), alpha.item()), "r %.3f" % np.mean(rewards[-20:]))
