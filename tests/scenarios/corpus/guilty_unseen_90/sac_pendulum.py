# gradwatch-corpus: kind=second-backward
# holder: info.log_pi | log_pi | info
# first-bad: 90
# notice: 0
# Soft actor-critic on a hand written pendulum. Restructured from CleanRL's sac_continuous_action.py
import math
import random
from collections import deque
from typing import NamedTuple

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(17)
random.seed(17)

GAMMA, TAU, BATCH = 0.97, 0.01, 48
LEARN_AFTER, FIXED_ALPHA_UNTIL, TOTAL = 100, 280, 700
TARGET_ENTROPY = -1.0


class Pendulum:
    def reset(self):
        self.th, self.w, self.t = random.uniform(-math.pi, math.pi), random.uniform(-1, 1), 0
        return self.obs()

    def obs(self):
        return [math.cos(self.th), math.sin(self.th), self.w / 8]

    def step(self, u):
        u = max(-2.0, min(2.0, 2 * u))
        ang = (self.th + math.pi) % (2 * math.pi) - math.pi
        r = -(ang ** 2 + 0.1 * self.w ** 2 + 0.001 * u ** 2)
        self.w = max(-8.0, min(8.0, self.w + (15 * math.sin(self.th) + 3 * u) * 0.05))
        self.th += self.w * 0.05
        self.t += 1
        return self.obs(), r / 8, self.t >= 100


def mlp(i, o, h=32):
    return nn.Sequential(nn.Linear(i, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU(), nn.Linear(h, o))


class Sample(NamedTuple):
    action: torch.Tensor
    log_pi: torch.Tensor


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = mlp(3, 2)

    def sample(self, s):
        mu, log_std = self.body(s).chunk(2, -1)
        dist = torch.distributions.Normal(mu, log_std.clamp(-4, 1).exp())
        raw = dist.rsample()
        a = torch.tanh(raw)
        logp = dist.log_prob(raw) - torch.log(1 - a.pow(2) + 1e-6)
        return Sample(a, logp.sum(-1, keepdim=True))


class Temperature:
    def __init__(self):
        self.log_alpha = torch.zeros(1, requires_grad=True)
        self.automatic = False

    @property
    def value(self):
        return self.log_alpha.exp().item() * 0.2

    def accumulate(self, log_pi):
        if not self.automatic:
            return
        loss = -(self.log_alpha * (log_pi + TARGET_ENTROPY)).mean()  # <- culprit
        loss.backward()  # <- culprit


actor, temp = Actor(), Temperature()
q1, q2, t1, t2 = (mlp(4, 1) for _ in range(4))
t1.load_state_dict(q1.state_dict())
t2.load_state_dict(q2.state_dict())
critic_params = [*q1.parameters(), *q2.parameters()]
opt = torch.optim.Adam([
    {"params": list(actor.parameters()), "lr": 1e-3},
    {"params": critic_params, "lr": 1e-3},
    {"params": [temp.log_alpha], "lr": 3e-3},
])
replay = deque(maxlen=5000)


def learn():
    s, a, r, s2, d = (torch.tensor(c, dtype=torch.float) for c in zip(*random.sample(replay, BATCH)))
    a, r, d = a[:, None], r[:, None], d[:, None]
    with torch.no_grad():
        nxt = actor.sample(s2)
        sa2 = torch.cat([s2, nxt.action], -1)
        target = r + GAMMA * (1 - d) * (torch.min(t1(sa2), t2(sa2)) - temp.value * nxt.log_pi)
    sa = torch.cat([s, a], -1)
    info = actor.sample(s)
    san = torch.cat([s, info.action], -1)
    q_loss = F.mse_loss(q1(sa), target) + F.mse_loss(q2(sa), target)
    pi_loss = (temp.value * info.log_pi - torch.min(q1(san), q2(san))).mean()
    opt.zero_grad()
    pi_loss.backward()
    for p in critic_params:  # the policy term must not move the critics
        p.grad = None
    q_loss.backward()
    temp.accumulate(info.log_pi)  # <- culprit
    opt.step()
    with torch.no_grad():
        for net, tgt in ((q1, t1), (q2, t2)):
            for p, tp in zip(net.parameters(), tgt.parameters()):
                tp.lerp_(p, TAU)
    return q_loss.item(), pi_loss.item()


env, ret = Pendulum(), 0.0
obs = env.reset()
for t in range(TOTAL):
    temp.automatic = t >= FIXED_ALPHA_UNTIL
    with torch.no_grad():
        act = actor.sample(torch.tensor([obs])).action.item()
    nobs, rew, done = env.step(act)
    replay.append((obs, act, rew, nobs, 0.0))
    obs, ret = nobs, ret + rew
    if done:
        obs = env.reset()
        print(f"t={t} return={ret:.2f}")
        ret = 0.0
    if t >= LEARN_AFTER and t % 2 == 0:
        ql, pl = learn()
