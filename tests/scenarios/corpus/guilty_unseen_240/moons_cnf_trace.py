# gradwatch-corpus: kind=second-backward
# first-bad: 16
"""Continuous normalizing flow on two moons, Hutchinson trace estimator.

Trained with explicit Euler and a kinetic regulariser; every so often the
relative size of the two gradient contributions is reported.
"""
import math
from typing import Iterator, List

import torch

Params = List[torch.Tensor]


def moons(n: int) -> torch.Tensor:
    phi = math.pi * torch.rand(n)
    side = (torch.rand(n) < 0.5).float()
    x = torch.cos(phi) * (1.0 - 2.0 * side) + side
    y = torch.sin(phi) * (1.0 - 2.0 * side) + 0.5 * side
    pts = torch.stack([x - 0.5, y - 0.25], dim=-1)
    return 1.5 * pts + 0.08 * torch.randn(n, 2)


def glorot(sizes: List[int]) -> Params:
    params: Params = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        bound = math.sqrt(6.0 / (a + b))
        params.append(torch.empty(a, b).uniform_(-bound, bound).requires_grad_())
        params.append(torch.zeros(b, requires_grad=True))
    return params


def velocity(params: Params, t: float, z: torch.Tensor) -> torch.Tensor:
    h = torch.cat([z, torch.full((z.shape[0], 1), t)], dim=-1)
    n = len(params) // 2
    for k in range(n):
        h = h @ params[2 * k] + params[2 * k + 1]
        if k < n - 1:
            h = torch.nn.functional.softplus(h)
    return h


def divergence(params: Params, t: float, z: torch.Tensor, eps: torch.Tensor):
    out, jvp = torch.func.jvp(lambda zz: velocity(params, t, zz), (z,), (eps,))
    return out, (jvp * eps).sum(-1)


def integrate(params: Params, x: torch.Tensor, n_steps: int = 6):
    eps = torch.randn_like(x).sign()
    dt = 1.0 / n_steps
    logdet = torch.zeros(x.shape[0])
    kinetic = torch.zeros(())
    for k in range(n_steps):
        v, div = divergence(params, 1.0 - k * dt, x, eps)
        x = x - dt * v
        logdet = logdet - dt * div
        kinetic = kinetic + dt * (v ** 2).sum(-1).mean()
    return x, logdet, kinetic


def losses(params: Params, x: torch.Tensor):
    z, logdet, kinetic = integrate(params, x)
    logp = -0.5 * (z ** 2).sum(-1) - math.log(2.0 * math.pi) + logdet
    return -logp.mean(), kinetic


def flat_norm(grads) -> float:
    return math.sqrt(sum(float((g ** 2).sum()) for g in grads if g is not None))


def momentum_descent(params: Params, lr: float, mu: float = 0.9) -> Iterator[None]:
    vel = [torch.zeros_like(p) for p in params]
    grads = yield
    while True:
        with torch.no_grad():
            scale = min(1.0, 5.0 / (flat_norm(grads) + 1e-12))
            for p, v, g in zip(params, vel, grads):
                v.mul_(mu).add_(g, alpha=scale)
                p.add_(v, alpha=-lr)
        grads = yield


def main() -> None:
    torch.manual_seed(314)
    params = glorot([3, 32, 32, 2])
    stepper = momentum_descent(params, lr=5e-3)
    next(stepper)
    for it in range(120):
        nll, kinetic = losses(params, moons(128))
        objective = nll + 0.05 * kinetic
        grads = torch.autograd.grad(objective, params)  # <- culprit
        if it % 15 == 0 and it > 0:
            share = torch.autograd.grad(kinetic, params, allow_unused=True)  # <- culprit
            print(f"{it:4d} nll {nll.item():.3f} kinetic {kinetic.item():.3f} share {flat_norm(share) / flat_norm(grads):.3f}")
        stepper.send(grads)


if __name__ == "__main__":
    main()
