# gradwatch-corpus: kind=graph-chain
# holder: s
# first-bad: 1
# notice: 5
# Neural CA that has to hold a pattern while it is being knocked about. Functional throughout.
import math
from functools import partial, reduce

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call

torch.set_num_threads(1)
torch.manual_seed(5)
C, H, N = 6, 14, 2          # channels, side, batch
T, K = 90, 4                # outer steps, CA ticks per step
SHIFT = ((0, 0), (0, 1), (0, -1), (1, 0), (-1, 0))


class Rule(nn.Module):
    def __init__(self, c, h=24):
        super().__init__()
        self.a = nn.Conv2d(c * len(SHIFT), h, 1)
        self.b = nn.Conv2d(h, c, 1, bias=False)
        nn.init.normal_(self.b.weight, std=1e-2)

    def forward(self, s):
        z = torch.cat([s.roll(d, (2, 3)) for d in SHIFT], 1)
        return self.b(F.silu(self.a(z)))


def ring(h):
    g = torch.linspace(-1, 1, h)
    r = torch.hypot(*torch.meshgrid(g, g, indexing="ij"))
    return torch.exp(-((r - 0.55) / 0.18) ** 2)


def tick(f, w, s, _):
    keep = (torch.rand(s.shape[0], 1, *s.shape[2:]) < 0.6).float()
    return torch.tanh(0.95 * s + keep * functional_call(f, w, (s,)))


def knock(s, p):
    """Wipe a random square out of every grid of the batch."""
    m = torch.ones(s.shape[0], 1, H, H)
    for i, (y, x) in enumerate(torch.randint(0, H - 3, (s.shape[0], 2)).tolist()):
        if torch.rand(()) < p:
            m[i, :, y:y + 3, x:x + 3] = 0
    return s * m


def seed(n):
    s = torch.zeros(n, C, H, H)
    s[:, :, H // 2, H // 2] = 1
    return s


def energy(goal, s):
    return F.mse_loss(s[:, 0], goal.expand(s.shape[0], -1, -1)) + 1e-3 * s[:, 1:].square().mean()


def adam(w, g, m, v, t, lr=4e-3, b=(0.9, 0.99), eps=1e-8):
    m = {k: b[0] * m[k] + (1 - b[0]) * g[k] for k in w}
    v = {k: b[1] * v[k] + (1 - b[1]) * g[k] ** 2 for k in w}
    c = lr * math.sqrt(1 - b[1] ** t) / (1 - b[0] ** t)
    w = {k: (w[k] - c * m[k] / (v[k].sqrt() + eps)).detach().requires_grad_() for k in w}
    return w, m, v


def advance(f, goal, w, s):
    s = reduce(partial(tick, f, w), range(K), knock(s, 0.5))
    L = energy(goal, s)
    g = torch.autograd.grad(L, tuple(w.values()))
    return dict(zip(w, g)), s, L.item()  # <- culprit


f, goal = Rule(C), ring(H)
w = {k: p.detach().clone().requires_grad_() for k, p in f.named_parameters()}
m = v = {k: torch.zeros_like(p) for k, p in w.items()}
s, log = seed(N), []
for t in range(1, T + 1):
    g, s, e = advance(f, goal, w, s)  # <- culprit
    w, m, v = adam(w, g, m, v, t)
    log.append(e)
    if t % 15 == 0:
        print(f"{t:4d} {sum(log[-15:]) / 15:.5f}")

with torch.no_grad():
    s = reduce(partial(tick, f, w), range(20 * K), seed(1))
    print("from seed:", round(energy(goal, s).item(), 5))
