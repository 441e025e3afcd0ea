# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
"""SAC-style agent on a toy batched pendulum."""
import copy
import math
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class SACConfig:
    hidden: int = 64
    gamma: float = 0.98
    tau: float = 0.01
    alpha: float = 0.1
    lr: float = 1e-3
    capacity: int = 4096
    iters: int = 100
    batch: int = 64


def mlp(i, o, h):
    return nn.Sequential(nn.Linear(i, h), nn.ReLU(), nn.Linear(h, h), nn.ReLU(), nn.Linear(h, o))


class Pendulum:
    def __init__(self, n):
        self.th = (torch.rand(n) * 2 - 1) * math.pi
        self.w = torch.zeros(n)

    def obs(self):
        return torch.stack([self.th.cos(), self.th.sin(), self.w / 8], -1)

    def step(self, u):
        u = u.squeeze(-1) * 2
        ang = (self.th + math.pi) % (2 * math.pi) - math.pi
        r = -(ang ** 2 + 0.1 * self.w ** 2 + 0.001 * u ** 2)
        self.w = (self.w + (15 * self.th.sin() + 3 * u) * 0.05).clamp(-8, 8)
        self.th = self.th + self.w * 0.05
        return self.obs(), r / 10


class Ring:
    def __init__(self, cap):
        self.s, self.a = torch.zeros(cap, 3), torch.zeros(cap, 1)
        self.r, self.s2 = torch.zeros(cap), torch.zeros(cap, 3)
        self.cap, self.i, self.full = cap, 0, 0

    def put(self, s, a, r, s2):
        idx = (torch.arange(len(r)) + self.i) % self.cap
        self.s[idx], self.a[idx], self.r[idx], self.s2[idx] = s, a, r, s2
        self.i = int(idx[-1]) + 1
        self.full = min(self.cap, self.full + len(r))

    def draw(self, n):
        k = torch.randint(0, self.full, (n,))
        return self.s[k], self.a[k], self.r[k], self.s2[k]


class SAC:
    def __init__(self, cfg):
        self.cfg = cfg
        self.pi = mlp(3, 2, cfg.hidden)
        self.q = mlp(4, 1, cfg.hidden)
        self.q_targ = copy.deepcopy(self.q).requires_grad_(False)
        self.opt_pi = torch.optim.Adam(self.pi.parameters(), cfg.lr)
        self.opt_q = torch.optim.Adam(self.q.parameters(), cfg.lr)

    def sample(self, s):
        mu, log_std = self.pi(s).chunk(2, -1)
        std = log_std.clamp(-4, 1).exp()
        z = mu + std * torch.randn_like(mu)
        a = torch.tanh(z)
        logp = -0.5 * ((z - mu) / std) ** 2 - std.log() - torch.log(1 - a ** 2 + 1e-5)
        return a, logp.squeeze(-1)

    def losses(self, s, a, r, s2):
        with torch.no_grad():
            a2, lp2 = self.sample(s2)
            y = r + self.cfg.gamma * (self.q_targ(torch.cat([s2, a2], -1)).squeeze(-1) - self.cfg.alpha * lp2)
        q_loss = (self.q(torch.cat([s, a], -1)).squeeze(-1) - y).pow(2).mean()
        new_a, lp = self.sample(s)
        pi_loss = (self.cfg.alpha * lp - self.q(torch.cat([s, new_a], -1)).squeeze(-1)).mean()  # <- culprit
        return {"q": q_loss, "pi": pi_loss}

    def _apply(self, opt, loss):
        opt.zero_grad()
        loss.backward()
        opt.step()  # <- culprit

    def update(self, batch):
        losses = self.losses(*batch)  # <- culprit
        self._apply(self.opt_q, losses["q"])  # <- culprit
        self._apply(self.opt_pi, losses["pi"])  # <- culprit
        with torch.no_grad():
            for p, t in zip(self.q.parameters(), self.q_targ.parameters()):
                t.lerp_(p, self.cfg.tau)
        return {k: v.item() for k, v in losses.items()}


if __name__ == "__main__":
    torch.manual_seed(2)
    cfg = SACConfig()
    env, agent, ring = Pendulum(32), SAC(cfg), Ring(cfg.capacity)
    s = env.obs()
    for it in range(cfg.iters):
        with torch.no_grad():
            a, _ = agent.sample(s)
        s2, r = env.step(a)
        ring.put(s, a, r, s2)
        s = s2
        stats = agent.update(ring.draw(cfg.batch))
        if it % 20 == 0:
            print(it, stats, f"reward {r.mean():.3f}")
