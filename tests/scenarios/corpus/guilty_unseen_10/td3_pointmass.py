# gradwatch-corpus: kind=inplace-modified
# first-bad: 1
"""TD3 on a point mass that has to be parked at the origin. Follows the authors' pseudo-code with a delayed policy; the
losses are put together in one place to have them side by side in the log."""
import copy
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

SEED = 3
random.seed(SEED)
torch.manual_seed(SEED)


def mlp(sizes, out=None):
    layers = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        layers += [nn.Linear(a, b), nn.ReLU()]
    layers.pop()
    return nn.Sequential(*layers, *([out] if out else []))


class PointMass:
    def reset(self):
        self.p, self.v, self.t = torch.rand(2) * 2 - 1, torch.zeros(2), 0
        return torch.cat([self.p, self.v])

    def step(self, a):
        self.v = 0.9 * self.v + 0.1 * a
        self.p = self.p + 0.2 * self.v
        self.t += 1
        r = -(self.p.norm() + 0.05 * a.norm()).item()
        return torch.cat([self.p, self.v]), r, self.t >= 50


class Replay:
    def __init__(self, cap, n_s, n_a):
        self.s, self.a = torch.zeros(cap, n_s), torch.zeros(cap, n_a)
        self.r, self.s2 = torch.zeros(cap, 1), torch.zeros(cap, n_s)
        self.cap, self.n = cap, 0

    def put(self, s, a, r, s2):
        i = self.n % self.cap
        self.s[i], self.a[i], self.r[i, 0], self.s2[i] = s, a, r, s2
        self.n += 1

    def get(self, k):
        i = torch.randint(0, min(self.n, self.cap), (k,))
        return self.s[i], self.a[i], self.r[i], self.s2[i]


class TwinQ(nn.Module):
    def __init__(self, n_s, n_a, w=64):
        super().__init__()
        self.q1, self.q2 = mlp((n_s + n_a, w, w, 1)), mlp((n_s + n_a, w, w, 1))

    def forward(self, s, a):
        x = torch.cat([s, a], 1)
        return self.q1(x), self.q2(x)


class TD3:
    def __init__(self, n_s=4, n_a=2, gamma=0.98, tau=0.01, delay=2):
        self.actor = mlp((n_s, 64, 64, n_a), nn.Tanh())
        self.critic = TwinQ(n_s, n_a)
        self.actor_t, self.critic_t = copy.deepcopy(self.actor), copy.deepcopy(self.critic)
        self.opt_a = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.opt_c = torch.optim.Adam(self.critic.parameters(), lr=1e-3)
        self.gamma, self.tau, self.delay = gamma, tau, delay

    @torch.no_grad()
    def act(self, s, noise=0.2):
        return (self.actor(s) + noise * torch.randn(2)).clamp(-1, 1)

    @torch.no_grad()
    def target(self, r, s2):
        eps = (0.2 * torch.randn(len(s2), 2)).clamp(-0.5, 0.5)
        a2 = (self.actor_t(s2) + eps).clamp(-1, 1)
        return r + self.gamma * torch.minimum(*self.critic_t(s2, a2))

    def losses(self, batch, with_policy):
        s, a, r, s2 = batch
        y = self.target(r, s2)
        q1, q2 = self.critic(s, a)
        out = {"critic": F.mse_loss(q1, y) + F.mse_loss(q2, y)}
        if with_policy:
            out["actor"] = -self.critic(s, self.actor(s))[0].mean()  # <- culprit
        return out

    def update(self, batch, it):
        losses = self.losses(batch, with_policy=it % self.delay == self.delay - 1)
        self.opt_c.zero_grad()
        losses["critic"].backward()
        self.opt_c.step()  # <- culprit
        if "actor" in losses:
            self.opt_a.zero_grad()
            losses["actor"].backward()  # <- culprit
            self.opt_a.step()
            self.follow(self.actor_t, self.actor)
            self.follow(self.critic_t, self.critic)
        return {k: v.item() for k, v in losses.items()}

    @torch.no_grad()
    def follow(self, slow, fast):
        for p, q in zip(slow.parameters(), fast.parameters()):
            p.lerp_(q, self.tau)


env, agent, replay = PointMass(), TD3(), Replay(5000, 4, 2)
s, ret, returns = env.reset(), 0.0, []
for _ in range(200):
    a = torch.rand(2) * 2 - 1
    s2, r, done = env.step(a)
    replay.put(s, a, r, s2)
    s = env.reset() if done else s2

s = env.reset()
for it in range(600):
    a = agent.act(s)
    s2, r, done = env.step(a)
    replay.put(s, a, r, s2)
    ret += r
    s = s2
    if done:
        returns.append(ret)
        s, ret = env.reset(), 0.0
    info = agent.update(replay.get(64), it)
    if it % 100 == 99:
        print(it + 1, {k: round(v, 4) for k, v in info.items()}, "last return %.2f" % (returns[-1] if returns else 0))
