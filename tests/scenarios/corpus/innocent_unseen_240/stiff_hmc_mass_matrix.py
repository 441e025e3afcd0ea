# gradwatch-corpus: kind=none
# Hamiltonian Monte Carlo with a learned diagonal mass matrix: the step is tuned
# on expected squared jump distance, differentiated through the leapfrog.
import math
from typing import NamedTuple

import torch


class Chain(NamedTuple):
    q: torch.Tensor
    accepted: torch.Tensor


class Tuning(NamedTuple):
    log_eps: torch.Tensor
    log_mass: torch.Tensor


def neg_logp(q):
    scales = torch.tensor([0.2, 1.0, 3.0, 0.5, 2.0])
    funnel = 0.1 * (q[..., 0] / 0.2).tanh() * q[..., 1] ** 2
    return 0.5 * ((q / scales) ** 2).sum(-1) + funnel


def potential_grad(q, differentiable):
    if not q.requires_grad:
        q = q.detach().requires_grad_()
    (g,) = torch.autograd.grad(neg_logp(q).sum(), q, create_graph=differentiable)
    return g


def leapfrog(q, p, tuning, n, differentiable):
    eps = tuning.log_eps.exp()
    inv_mass = torch.exp(-tuning.log_mass)
    p = p - 0.5 * eps * potential_grad(q, differentiable)
    for k in range(n):
        q = q + eps * inv_mass * p
        step = eps if k < n - 1 else 0.5 * eps
        p = p - step * potential_grad(q, differentiable)
    return q, p


def hamiltonian(q, p, tuning):
    kin = 0.5 * (p ** 2 * torch.exp(-tuning.log_mass)).sum(-1)
    return neg_logp(q) + kin + 0.5 * tuning.log_mass.sum()


def propose(chain, tuning, n=5):
    p0 = torch.randn_like(chain.q) * torch.exp(0.5 * tuning.log_mass)
    q1, p1 = leapfrog(chain.q, p0, tuning, n, differentiable=True)
    log_a = hamiltonian(chain.q, p0, tuning) - hamiltonian(q1, p1, tuning)
    return q1, torch.clamp(log_a, max=0.0).exp()


def objective(chain, tuning):
    q1, prob = propose(chain, tuning)
    jump = ((q1 - chain.q) ** 2).sum(-1)
    esjd = (prob * jump).mean()
    ridge = 0.01 * (tuning.log_mass ** 2).sum()
    return -torch.log(esjd + 1e-6) + ridge, q1, prob


def metropolis(chain, q1, prob):
    take = torch.rand_like(prob) < prob
    q = torch.where(take[:, None], q1, chain.q)
    return Chain(q.detach(), take.float().mean().detach())


def robbins_monro(tuning, grads, k):
    lr = 0.1 / (1.0 + 0.02 * k)
    return Tuning(*[(t.detach() - lr * g.clamp(-1.0, 1.0)).requires_grad_() for t, g in zip(tuning, grads)])


def main():
    torch.manual_seed(17)
    tuning = Tuning(
        torch.tensor(math.log(0.1), requires_grad=True),
        torch.zeros(5, requires_grad=True),
    )
    chain = Chain(torch.randn(64, 5), torch.ones(()))
    draws = []
    for k in range(120):
        obj, q1, prob = objective(chain, tuning)
        grads = torch.autograd.grad(obj, tuning)
        chain = metropolis(chain, q1, prob)
        tuning = robbins_monro(tuning, grads, k)
        if k >= 80:
            draws.append(chain.q.mean(0))
        if k % 20 == 0:
            print(f"{k:3d} obj {obj.item():+.3f} acc {chain.accepted.item():.2f} eps {tuning.log_eps.exp().item():.3f}")
    print("posterior mean", torch.stack(draws).mean(0).numpy().round(2))


if __name__ == "__main__":
    main()
