# gradwatch-corpus: kind=graph-chain
# holder: carry.q | carry.p | carry
# first-bad: 1
"""Learn the non-conservative correction to a Lennard-Jones-like 2D cluster.

The reference trajectory comes from a "fine" integrator with a known drag
field; the model integrates the coarse potential plus a small learned force.
"""
import math
from collections import namedtuple

import torch

Phase = namedtuple("Phase", "q p")
Carry = namedtuple("Carry", "q p step")

torch.manual_seed(11)
torch.set_default_dtype(torch.float64)

N_PART = 9
DT = 0.01
SUBSTEPS = 3


def lattice(n_side=3, spacing=1.15):
    grid = torch.arange(n_side, dtype=torch.float64) * spacing
    xx, yy = torch.meshgrid(grid, grid, indexing="ij")
    return torch.stack([xx.reshape(-1), yy.reshape(-1)], dim=-1)


def pair_force(q):
    rij = q[:, None, :] - q[None, :, :]
    r2 = (rij ** 2).sum(-1) + torch.eye(q.shape[0])
    inv6 = (1.0 / (r2 + 0.1)) ** 3
    mag = 24.0 * (2.0 * inv6 ** 2 - inv6) / (r2 + 0.1)
    mag = mag * (1.0 - torch.eye(q.shape[0]))
    return 0.05 * (mag[..., None] * rij).sum(1)


def trap_force(q):
    centre = q.mean(0, keepdim=True).detach()
    return -0.5 * (q - centre)


def true_drag(q, p):
    return -0.8 * p + 0.1 * torch.sin(q)


def init_params(sizes):
    params = []
    for m, n in zip(sizes[:-1], sizes[1:]):
        w = torch.randn(m, n) * math.sqrt(1.0 / m)
        b = torch.zeros(n)
        params.extend([w.requires_grad_(), b.requires_grad_()])
    return params


def mlp(params, x):
    pairs = list(zip(params[0::2], params[1::2]))
    for w, b in pairs[:-1]:
        x = torch.tanh(x @ w + b)
    w, b = pairs[-1]
    return x @ w + b


def verlet(phase, extra, n):
    q, p = phase
    for _ in range(n):
        p = p + 0.5 * DT * (pair_force(q) + trap_force(q) + extra(q, p))
        q = q + DT * p
        p = p + 0.5 * DT * (pair_force(q) + trap_force(q) + extra(q, p))
    return Phase(q, p)


def reference(phase):
    while True:
        with torch.no_grad():
            phase = verlet(phase, true_drag, SUBSTEPS)
        yield phase


def make_loss(params):
    def learned(q, p):
        return mlp(params, torch.cat([q, p], dim=-1))

    def loss_fn(carry, target):
        out = verlet(Phase(carry.q, carry.p), learned, SUBSTEPS)  # <- culprit
        mismatch = ((out.q - target.q) ** 2).mean() + 0.3 * ((out.p - target.p) ** 2).mean()
        return mismatch, Carry(out.q, out.p, carry.step + 1)  # <- culprit

    return loss_fn


def sgd_step(params, grads, lr, clip=1.0):
    norm = torch.sqrt(sum((g ** 2).sum() for g in grads))
    scale = torch.clamp(clip / (norm + 1e-8), max=1.0)
    return [(w - lr * scale * g).detach().requires_grad_() for w, g in zip(params, grads)]


def main():
    params = init_params([4, 16, 2])
    q0 = lattice()
    p0 = 0.3 * torch.randn(N_PART, 2)
    truth = reference(Phase(q0, p0))
    carry = Carry(q0.clone(), p0.clone(), 0)
    for it in range(70):
        target = next(truth)
        loss_fn = make_loss(params)
        loss, carry = loss_fn(carry, target)  # <- culprit
        grads = torch.autograd.grad(loss, params, retain_graph=True)
        params = sgd_step(params, grads, lr=0.02)
        if it % 10 == 0:
            kin = 0.5 * (carry.p.detach() ** 2).sum()
            print(f"{it:4d} loss {loss.item():.3e} kinetic {kin.item():.3f}")


if __name__ == "__main__":
    main()
