# gradwatch-corpus: kind=inplace-modified
# first-bad: 2
"""TD3 on a one-step-ahead linear reacher; losses are built first, then every optimizer is applied."""
import argparse
import copy
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Batch:
    s: torch.Tensor
    a: torch.Tensor
    r: torch.Tensor
    s2: torch.Tensor


class Memory:
    def __init__(self, size, sd, ad, rng):
        self.rng, self.size, self.n = rng, size, 0
        self.s, self.s2 = np.zeros((2, size, sd), np.float32)
        self.a = np.zeros((size, ad), np.float32)
        self.r = np.zeros(size, np.float32)

    def put(self, s, a, r, s2):
        i = self.n % self.size
        self.s[i], self.a[i], self.r[i], self.s2[i] = s, a, r, s2
        self.n += 1

    def sample(self, k):
        idx = self.rng.integers(0, min(self.n, self.size), k)
        return Batch(*(torch.from_numpy(v[idx]) for v in (self.s, self.a, self.r, self.s2)))


def net(i, o, out=None):
    layers = [nn.Linear(i, 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU(), nn.Linear(48, o)]
    return nn.Sequential(*layers, *([out] if out else []))


class Agent(nn.Module):
    def __init__(self, sd, ad):
        super().__init__()
        self.pi = net(sd, ad, nn.Tanh())
        self.q1, self.q2 = net(sd + ad, 1), net(sd + ad, 1)

    def q(self, s, a):
        sa = torch.cat([s, a], -1)
        return self.q1(sa).squeeze(-1), self.q2(sa).squeeze(-1)


class TD3:
    def __init__(self, sd, ad, delay=2, gamma=0.95, tau=0.02, lr=1e-3):
        self.live = Agent(sd, ad)
        self.slow = copy.deepcopy(self.live).requires_grad_(False)
        self.delay, self.gamma, self.tau = delay, gamma, tau
        critic = [*self.live.q1.parameters(), *self.live.q2.parameters()]
        self.opts = {"critic": torch.optim.Adam(critic, lr), "actor": torch.optim.Adam(self.live.pi.parameters(), lr)}
        self.it = 0

    @torch.no_grad()
    def target(self, b):
        noise = (0.2 * torch.randn_like(b.a)).clamp(-0.5, 0.5)
        a2 = (self.slow.pi(b.s2) + noise).clamp(-1, 1)
        return b.r + self.gamma * torch.min(*self.slow.q(b.s2, a2))

    def losses(self, b):
        y = self.target(b)
        q1, q2 = self.live.q(b.s, b.a)
        out = {"critic": F.mse_loss(q1, y) + F.mse_loss(q2, y)}
        if self.it % self.delay == self.delay - 1:
            out["actor"] = -self.live.q(b.s, self.live.pi(b.s))[0].mean()  # <- culprit
        return out

    def update(self, b):
        parts = self.losses(b)  # <- culprit
        for name, loss in parts.items():
            self.opts[name].zero_grad()
            loss.backward()
            self.opts[name].step()  # <- culprit
        with torch.no_grad():
            for p, t in zip(self.live.parameters(), self.slow.parameters()):
                t.lerp_(p, self.tau)
        self.it += 1
        return {k: v.item() for k, v in parts.items()}


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=200)
    ap.add_argument("--warm", type=int, default=40)
    args = ap.parse_args()
    torch.manual_seed(4)
    torch.set_num_threads(1)
    rng = np.random.default_rng(4)
    mem, agent = Memory(500, 4, 2, rng), TD3(4, 2)
    s = rng.standard_normal(4).astype(np.float32)
    for t in range(args.steps):
        with torch.no_grad():
            a = agent.live.pi(torch.from_numpy(s)).numpy()
        a = np.clip(a + 0.2 * rng.standard_normal(2), -1, 1).astype(np.float32)
        s2 = s.copy()
        s2[:2] += 0.3 * a
        mem.put(s, a, -float(np.abs(s2[:2] - s2[2:]).sum()), s2)
        s = s2 if (t + 1) % 25 else rng.standard_normal(4).astype(np.float32)
        if t >= args.warm:
            info = agent.update(mem.sample(32))
            if t % 20 == 0:
                print(t, info)


main()
