# gradwatch-corpus: kind=none
# about: one KL graph walked by many Hessian-vector products with retain_graph (last one without); rollouts under no_grad
"""Natural policy gradient: conjugate gradient on Fisher-vector products taken from one KL, then a backtracking search."""
import functools

import torch
from torch import nn
from torch.distributions import Normal, kl_divergence
from torch.nn.utils import parameters_to_vector, vector_to_parameters

torch.manual_seed(5)


class Gait(nn.Module):
    def __init__(self, o=6, a=2):
        super().__init__()
        self.mu = nn.Sequential(nn.Linear(o, 32), nn.Tanh(), nn.Linear(32, a))
        self.log_std = nn.Parameter(torch.full((a,), -.5))

    def forward(self, o):
        return Normal(self.mu(o), self.log_std.exp())


A_, B_ = torch.eye(6) * .95 + .05 * torch.randn(6, 6), .3 * torch.randn(2, 6)


@torch.no_grad()
def rollout(policy, walkers=40, length=15):
    s = torch.randn(walkers, 6)
    S, U, R = [], [], []
    for _ in range(length):
        u = policy(s).sample()
        S.append(s), U.append(u)
        s = torch.tanh(s @ A_ + u @ B_)
        R.append(-s.square().sum(1) - .02 * u.square().sum(1))
    togo = torch.stack(R).flip(0).cumsum(0).flip(0)
    adv = (togo - togo.mean(1, keepdim=True)) / (togo.std(1, keepdim=True) + 1e-5)
    return torch.cat(S), torch.cat(U), adv.flatten(), torch.stack(R).sum(0).mean().item()


def conjugate(Av, b, rounds=8):
    x, r = torch.zeros_like(b), b.clone()
    p, rr = r.clone(), b @ b
    for _ in range(rounds):
        Ap = Av(p)
        a = rr / (p @ Ap)
        x += a * p
        r -= a * Ap
        new = r @ r
        if new < 1e-9:
            break
        p, rr = r + new / rr * p, new
    return x


def fisher(slopes, weights, v, damp=.05, keep=True):
    hv = torch.autograd.grad(slopes @ v, weights, retain_graph=keep)
    return torch.cat([h.reshape(-1) for h in hv]) + damp * v


policy = Gait()
weights = list(policy.parameters())
radius = .01
for update in range(220):
    s, u, adv, score = rollout(policy)
    now = policy(s)
    lp = now.log_prob(u).sum(1)
    gain = ((lp - lp.detach()).exp() * adv).mean()
    g = parameters_to_vector(torch.autograd.grad(gain, weights, retain_graph=True))
    old = Normal(now.mean.detach(), now.stddev.detach())
    kl = kl_divergence(old, now).sum(1).mean()
    slopes = parameters_to_vector(torch.autograd.grad(kl, weights, create_graph=True))
    direction = conjugate(functools.partial(fisher, slopes, weights), g)
    stride = (2 * radius / (direction @ fisher(slopes, weights, direction, keep=False)).clamp_min(1e-8)).sqrt()
    base = parameters_to_vector(weights).detach()
    with torch.no_grad():
        for shrink in (1, .5, .25, .125, 0):
            vector_to_parameters(base + shrink * stride * direction, weights)
            cand = policy(s)
            better = ((cand.log_prob(u).sum(1) - lp).exp() * adv).mean() > gain
            if better and kl_divergence(old, cand).sum(1).mean() < 1.5 * radius:
                break
    if update % 20 == 0:
        print(f"update {update} return {score:.3f} kl radius {radius} shrink {shrink}")
