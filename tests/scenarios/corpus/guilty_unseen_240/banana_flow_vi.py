# gradwatch-corpus: kind=graph-held
# holder: box.level | smooth.box.level | level
# first-bad: 1
# Variational inference for a banana-shaped posterior: RealNVP base + reverse KL.
import itertools
import types

import torch

torch.manual_seed(1234)


def coupling_params(d_in, hidden):
    return {
        "W1": (torch.randn(d_in, hidden) * 0.3).requires_grad_(),
        "b1": torch.zeros(hidden, requires_grad=True),
        "W2": (torch.randn(hidden, 2 * d_in) * 0.05).requires_grad_(),
        "b2": torch.zeros(2 * d_in, requires_grad=True),
    }


def coupling(p, z, flip):
    a, b = z.chunk(2, dim=-1)
    if flip:
        a, b = b, a
    h = torch.tanh(a @ p["W1"] + p["b1"])
    shift, raw = (h @ p["W2"] + p["b2"]).chunk(2, dim=-1)
    s = 1.5 * torch.tanh(raw)
    b = b * torch.exp(s) + shift
    out = torch.cat([b, a], -1) if flip else torch.cat([a, b], -1)
    return out, s.sum(-1)


def flow(stack, z):
    ldj = torch.zeros(z.shape[0])
    for k, p in enumerate(stack):
        z, inc = coupling(p, z, flip=bool(k % 2))
        ldj = ldj + inc
    return z, ldj


def log_banana(x):
    pairs = x.reshape(x.shape[0], -1, 2)
    u = pairs[..., 0]
    v = pairs[..., 1]
    return (-0.5 * (u / 1.5) ** 2 - 0.5 * ((v - 0.5 * u ** 2 + 1.0) / 0.6) ** 2).sum(-1)


def base_logp(z):
    return torch.distributions.Normal(0.0, 1.0).log_prob(z).sum(-1)


def rmsprop(params, lr, rho=0.95):
    sq = [torch.zeros_like(p) for p in params]

    @torch.no_grad()
    def step(grads):
        for p, g, s in zip(params, grads, sq):
            s.mul_(rho).addcmul_(g, g, value=1.0 - rho)
            p.sub_(lr * g / (s.sqrt() + 1e-6))

    return step


def exp_smoother(rate):
    box = types.SimpleNamespace(level=None, n=0)

    def update(value):
        if box.level is None:
            box.level = value  # <- culprit
        else:
            box.level = (1.0 - rate) * box.level + rate * value  # <- culprit
        box.n += 1
        return box.level

    update.box = box
    return update


DIM = 4
stack = [coupling_params(DIM // 2, 32) for _ in range(6)]
params = list(itertools.chain.from_iterable(p.values() for p in stack))
step = rmsprop(params, lr=2e-3)
smooth = exp_smoother(0.05)

for it in range(160):
    z0 = torch.randn(128, DIM)
    x, ldj = flow(stack, z0)
    weight = min(1.0, 0.2 + it / 60.0)
    elbo = (weight * log_banana(x) + ldj - base_logp(z0)).mean()
    step(torch.autograd.grad(-elbo, params))
    level = smooth(elbo)  # <- culprit
    if it % 20 == 0:
        print(f"{it:4d}  elbo {elbo.item():8.3f}  smoothed {level.item():8.3f}")

with torch.no_grad():
    x, ldj = flow(stack, torch.randn(512, DIM))
    print("posterior mean", x.mean(0).numpy().round(2), "sd", x.std(0).numpy().round(2))
