# gradwatch-corpus: kind=none
"""Meta-learned surrogate for enzyme kinetics: adapt to one reaction in two
inner steps (differentiated through), evaluate on held-out concentrations."""
import functools

import torch
from torch.func import grad, vmap

torch.manual_seed(91)
INNER = 2


def michaelis(s, vmax, km, hill):
    return vmax * s ** hill / (km ** hill + s ** hill)


def reaction(gen):
    vmax = 0.5 + 1.5 * torch.rand(1, generator=gen)
    km = 0.3 + 1.2 * torch.rand(1, generator=gen)
    hill = 1.0 + torch.rand(1, generator=gen)
    s = 4.0 * torch.rand(24, generator=gen)
    v = michaelis(s, vmax, km, hill) + 0.02 * torch.randn(24, generator=gen)
    return s[:, None], v


def tasks(n, per_batch, seed=91):
    gen = torch.Generator().manual_seed(seed)
    for _ in range(n):
        pairs = [reaction(gen) for _ in range(per_batch)]
        yield tuple(torch.stack(col) for col in zip(*pairs))


def predict(theta, s):
    h = torch.tanh(s @ theta["w1"] + theta["b1"])
    h = torch.tanh(h @ theta["w2"] + theta["b2"])
    return (h @ theta["w3"]).squeeze(-1)


def mse(theta, s, v):
    return ((predict(theta, s) - v) ** 2).mean()


def adapt(theta, s, v):
    rate = torch.exp(theta["log_rate"])
    fast = {k: t for k, t in theta.items() if k != "log_rate"}
    for _ in range(INNER):
        g = grad(mse)(fast, s, v)
        fast = {k: fast[k] - rate * g[k] for k in fast}
    return fast


def outer(theta, s, v):
    fast = adapt(theta, s[:12], v[:12])
    return mse(fast, s[12:], v[12:])


def batch_loss(theta, s, v):
    return vmap(functools.partial(outer, theta))(s, v)


theta = {
    "w1": torch.randn(1, 24),
    "b1": torch.zeros(24),
    "w2": torch.randn(24, 24) / 24 ** 0.5,
    "b2": torch.zeros(24),
    "w3": torch.randn(24, 1) / 24 ** 0.5,
    "log_rate": torch.tensor(-2.5),
}
theta = {k: v.requires_grad_() for k, v in theta.items()}
opt = torch.optim.Adam(theta.values(), lr=3e-3)
curve = []

for it, (s, v) in enumerate(tasks(120, 8)):
    per_task = batch_loss(theta, s, v)
    loss = per_task.mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    curve.append(per_task.detach().median())
    if it % 20 == 0:
        print(f"{it:3d} post-adapt mse {loss.item():.4f} inner rate {theta['log_rate'].exp().item():.4f}")

print("median over last 20", torch.stack(curve[-20:]).mean().item())
