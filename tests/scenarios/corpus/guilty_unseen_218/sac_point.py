# gradwatch-corpus: kind=second-backward
# first-bad: 20
"""Soft actor-critic for a 2-D point mass (reproduction of Haarnoja et al. 2018b)."""
import copy
import random
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Normal

torch.manual_seed(4)
random.seed(4)

GAMMA, TAU, BATCH, TUNE_AFTER = 0.97, 0.01, 64, 20


def mlp(i, o, h=48):
    return nn.Sequential(nn.Linear(i, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU(), nn.Linear(h, o))


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = mlp(4, 4)

    def forward(self, s):
        mu, log_std = self.body(s).chunk(2, -1)
        dist = Normal(mu, log_std.clamp(-4, 1).exp())
        u = dist.rsample()
        a = torch.tanh(u)
        logp = (dist.log_prob(u) - torch.log(1 - a.pow(2) + 1e-6)).sum(-1)
        return a, logp


class PointMass:
    def reset(self):
        self.s = torch.cat([torch.rand(2) * 2 - 1, torch.zeros(2)])
        self.k = 0
        return self.s

    def step(self, a):
        x, v = self.s[:2], self.s[2:]
        v = 0.9 * v + 0.1 * a
        x = x + v
        self.s = torch.cat([x, v])
        self.k += 1
        return self.s, -x.norm().item(), self.k >= 25


policy = Policy()
q1, q2 = mlp(6, 1), mlp(6, 1)
q1_t, q2_t = copy.deepcopy(q1), copy.deepcopy(q2)
log_alpha = torch.zeros(1, requires_grad=True)
pi_opt = torch.optim.Adam(policy.parameters(), lr=1e-3)
q_opt = torch.optim.Adam([*q1.parameters(), *q2.parameters()], lr=1e-3)
alpha_opt = torch.optim.Adam([log_alpha], lr=1e-3)
replay = deque(maxlen=3000)

env = PointMass()
s = env.reset()


def collect(n):
    global s
    for _ in range(n):
        with torch.no_grad():
            a, _ = policy(s)
        s2, r, done = env.step(a)
        replay.append((s, a, r, s2, float(done)))
        s = env.reset() if done else s2


collect(BATCH)
for it in range(120):
    collect(5)
    S, A, R, S2, D = zip(*random.sample(replay, BATCH))
    S, A, S2 = torch.stack(S), torch.stack(A), torch.stack(S2)
    R, D = torch.tensor(R), torch.tensor(D)
    alpha = log_alpha.exp().detach()

    with torch.no_grad():
        a2, lp2 = policy(S2)
        sa2 = torch.cat([S2, a2], -1)
        target = R + GAMMA * (1 - D) * (torch.min(q1_t(sa2), q2_t(sa2)).squeeze(-1) - alpha * lp2)
    sa = torch.cat([S, A], -1)
    q_loss = F.mse_loss(q1(sa).squeeze(-1), target) + F.mse_loss(q2(sa).squeeze(-1), target)
    q_opt.zero_grad()
    q_loss.backward()
    q_opt.step()

    a, logp = policy(S)
    q = torch.min(q1(torch.cat([S, a], -1)), q2(torch.cat([S, a], -1))).squeeze(-1)
    pi_loss = (alpha * logp - q).mean()
    pi_opt.zero_grad()
    pi_loss.backward()
    pi_opt.step()

    if it >= TUNE_AFTER:
        alpha_loss = -(log_alpha * (logp - 2.0)).mean()  # <- culprit
        alpha_opt.zero_grad()
        alpha_loss.backward()
        alpha_opt.step()

    with torch.no_grad():
        for net, tgt in ((q1, q1_t), (q2, q2_t)):
            for p, pt in zip(net.parameters(), tgt.parameters()):
                pt.lerp_(p, TAU)
    if it % 10 == 0:
        print(it, q_loss.item(), pi_loss.item(), log_alpha.exp().item())
