# gradwatch-corpus: kind=none
"""Predator-prey rates from trap counts; plain gradient steps with tail averaging (notebook export)."""
from collections import deque

import torch

torch.set_num_threads(1)
torch.manual_seed(49)

# %% [1]
dt, n_t = 0.1, 20
true = torch.tensor([1.0, 0.6, 0.8, 0.5])


def field(s, r):
    prey, pred = s
    return torch.stack([r[0] * prey - r[1] * prey * pred, r[3] * prey * pred - r[2] * pred])


def orbit(s, r):
    out = []
    for _ in range(n_t):
        k1 = field(s, r)
        s = s + dt * field(s + 0.5 * dt * k1, r)
        out.append(s)
    return torch.stack(out)


s0 = torch.tensor([1.0, 0.8])
counts = orbit(s0, true) * (1 + 0.02 * torch.randn(n_t, 2))


# %% [2]
def step(theta, lr):
    gap = (orbit(s0, theta.exp()) - counts).pow(2).mean()
    gap.backward()
    nxt = (theta - lr * theta.grad).detach().requires_grad_()
    return nxt, gap


def summarise(tail):
    return torch.stack([t.exp() for t in tail]).mean(0)


# %% [3]
theta = torch.full((4,), -0.5, requires_grad=True)
tail = deque(maxlen=10)
gaps = []
for k in range(700):
    theta, gap = step(theta, 0.05)
    tail.append(theta)
    gaps.append(gap.item())
    if k % 140 == 139:
        print(k, round(gaps[-1], 5), [round(v, 3) for v in summarise(tail).tolist()])
