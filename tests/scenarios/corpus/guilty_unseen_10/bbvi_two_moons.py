# gradwatch-corpus: kind=graph-held
# holder: smooth | curve | avg
# first-bad: 1
"""Bayesian logistic regression on two moons with mean-field reparameterised variational inference, written as a pipeline
of generators: data -> elbo -> smoothed curve. Assignment 3, probabilistic modelling."""
import math
from itertools import accumulate, count, islice

import torch
from torch.distributions import Normal, kl_divergence
import torch.nn.functional as F

torch.manual_seed(2021)


def two_moons(n, noise=0.12):
    t = torch.rand(n) * math.pi
    y = (torch.arange(n) % 2).float()
    x = torch.where(y > 0, 1 - t.cos(), t.cos())
    z = torch.where(y > 0, 0.5 - t.sin(), t.sin())
    return torch.stack([x, z], 1) + noise * torch.randn(n, 2), y


def rff(x, freqs, phase):
    """random Fourier features"""
    return math.sqrt(2 / freqs.shape[1]) * torch.cos(x @ freqs + phase)


def batches(x, y, size):
    while True:
        perm = torch.randperm(len(x))
        for idx in perm.split(size):
            if len(idx) == size:
                yield x[idx], y[idx]


def init(n_features):
    return {
        "mu": torch.zeros(n_features, requires_grad=True),
        "rho": torch.full((n_features,), -3.0, requires_grad=True),
    }


def posterior(q):
    return Normal(q["mu"], F.softplus(q["rho"]))


def elbo(q, xb, yb, n_total, n_samples=4):
    post = posterior(q)
    w = post.rsample((n_samples,))
    logits = w @ xb.T
    loglik = -F.binary_cross_entropy_with_logits(logits, yb.expand_as(logits), reduction="none").sum(1).mean()
    kl = kl_divergence(post, Normal(0.0, 3.0)).sum()
    return loglik * (n_total / len(xb)) - kl


def ascend(q, stream, n_total, lr=0.03):
    """Takes a step for every batch of the stream and yields the bound, per data point."""
    opt = torch.optim.Adam(q.values(), lr=lr)
    for xb, yb in stream:
        opt.zero_grad()
        bound = elbo(q, xb, yb, n_total) / n_total
        (-bound).backward()
        opt.step()
        yield bound  # <- culprit


def ewma(beta):
    return lambda avg, new: beta * avg + (1 - beta) * new  # <- culprit


N = 600
X, Y = two_moons(N)
freqs, phase = torch.randn(2, 60) * 1.8, torch.rand(60) * 2 * math.pi
PHI = rff(X, freqs, phase)

q = init(PHI.shape[1])
curve = accumulate(ascend(q, batches(PHI, Y, 60), N), ewma(0.97))

for step, smooth in zip(count(), islice(curve, 500)):
    if step % 100 == 0:
        print(f"step {step:4d}   smoothed elbo/N {smooth.item():+.4f}   "
              f"sd {F.softplus(q['rho']).mean().item():.3f}")

with torch.no_grad():
    w = posterior(q).sample((200,))
    prob = torch.sigmoid(w @ PHI.T).mean(0)
    acc = ((prob > 0.5).float() == Y).float().mean().item()
    ent = -(prob * prob.clamp_min(1e-9).log() + (1 - prob) * (1 - prob).clamp_min(1e-9).log()).mean().item()
print(f"accuracy {acc:.3f}, mean predictive entropy {ent:.3f}")
