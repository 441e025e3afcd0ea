# gradwatch-corpus: kind=none
# coding: utf-8
# Learned optimiser (coordinatewise GRU) for random quadratics + Rosenbrock-ish valleys.
# In[1]:
import torch

torch.manual_seed(30)
B, d, h = 24, 6, 16
span, n_up = 4, 3            # optimiser steps in a chunk, chunks to one meta update

# In[2]:
w = {}
for g in "rzn":
    w["W" + g] = torch.randn(2, h) * 0.5
    w["R" + g] = torch.randn(h, h) / h**0.5
    w["b" + g] = torch.zeros(h)
w["o"] = torch.randn(h, 1) * 0.05
w = {k: v.requires_grad_() for k, v in w.items()}


def cell(x, s):
    r = torch.sigmoid(x @ w["Wr"] + s @ w["Rr"] + w["br"])
    z = torch.sigmoid(x @ w["Wz"] + s @ w["Rz"] + w["bz"])
    c = torch.tanh(x @ w["Wn"] + r * (s @ w["Rn"]) + w["bn"])
    return (1 - z) * c + z * s


def feat(g):
    a = g.abs() + 1e-6
    return torch.stack([torch.log(a) / 5, torch.sign(g)], -1)


# In[3]:
def problem():
    M = torch.randn(B, d, d) / d**0.5
    H = torch.einsum("bij,bkj->bik", M, M) + 0.05 * torch.eye(d)
    xs = torch.randn(B, d)
    return H, xs


def f(x, H, xs):
    e = x - xs
    q = 0.5 * torch.einsum("bi,bij,bj->b", e, H, e)
    return q + 0.1 * (e[:, 1:] - e[:, :-1] ** 2).pow(2).sum(1)


def df(x, H, xs):
    x = x.detach().requires_grad_()
    return torch.autograd.grad(f(x, H, xs).sum(), x)[0]


# In[4]:
opt = torch.optim.Adam(w.values(), lr=3e-3)
H, xs = problem()
x, s = torch.zeros(B, d), torch.zeros(B, d, h)
parts, log, age = [], [], 0

for k in range(64 * n_up):
    l = 0.0
    for _ in range(span):
        s = cell(feat(df(x, H, xs)), s)
        x = x + 0.1 * (s @ w["o"]).squeeze(-1)
        l = l + f(x, H, xs).mean() / span
    parts.append(l)

    if len(parts) == n_up:
        J = sum((i + 1) * p for i, p in enumerate(parts)) / sum(range(1, n_up + 1))
        opt.zero_grad()
        J.backward()
        torch.nn.utils.clip_grad_norm_(w.values(), 1.0)
        opt.step()
        log.append(J.detach())
        parts = []
        x, s = x.detach(), s.detach()
        age += 1
        if age == 3:
            (H, xs), age = problem(), 0
            x, s = torch.zeros(B, d), torch.zeros(B, d, h)
        if len(log) % 12 == 0:
            print(f"update {len(log):3d}  J {torch.stack(log[-12:]).mean():.4f}")

# In[5]: test against gradient descent
with torch.no_grad():
    H, xs = problem()
    xa = xb = torch.zeros(B, d)
    s = torch.zeros(B, d, h)
    for _ in range(50):
        with torch.enable_grad():
            ga, gb = df(xa, H, xs), df(xb, H, xs)
        s = cell(feat(ga), s)
        xa = xa + 0.1 * (s @ w["o"]).squeeze(-1)
        xb = xb - 0.1 * gb
    print(f"after 50 steps: learned {f(xa, H, xs).mean():.4f}   gd {f(xb, H, xs).mean():.4f}")
