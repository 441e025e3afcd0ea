# gradwatch-corpus: kind=second-backward
# holder: contexts | contexts[hospital]
# first-bad: 6
"""Length-of-stay model; every hospital has a running context vector (explicit parameter dicts)."""
import itertools
import math

import torch
import torch.nn.functional as F
from torch.utils import _pytree as pytree

HOSPITALS = ("north", "south", "harbour", "hill", "campus", "river")


def dense(g, i, o):
    return {"w": torch.randn(i, o, generator=g) / math.sqrt(i), "b": torch.zeros(o)}


def init(g, feats=14, ctx=8, hidden=32):
    tree = {
        "patient": dense(g, feats, hidden),
        "context": dense(g, hidden, ctx),
        "head": dense(g, hidden + ctx, 1),
    }
    return pytree.tree_map(lambda t: t.requires_grad_(), tree)


def linear(p, x):
    return x @ p["w"] + p["b"]


def forward(tree, x, context):
    h = F.mish(linear(tree["patient"], x))
    summary = torch.tanh(linear(tree["context"], h)).mean(0)
    context = 0.8 * context + 0.2 * summary
    joint = torch.cat([h, context.expand(len(x), -1)], -1)
    return F.softplus(linear(tree["head"], joint)).squeeze(-1), context


def gamma_nll(mean, y, shape=2.0):
    return (shape * (y / mean + mean.log())).mean()


def sgd(tree, grads, lr):
    with torch.no_grad():
        leaves, spec = pytree.tree_flatten(tree)
        new = [(p - lr * g).requires_grad_() for p, g in zip(leaves, grads)]
    return pytree.tree_unflatten(new, spec)


def cohort(g, hospital, n=40):
    x = torch.randn(n, 14, generator=g)
    shift = 0.5 * HOSPITALS.index(hospital)
    rate = F.softplus(x[:, 0] + 0.5 * x[:, 3] + shift) + 0.2
    y = rate * (0.5 + torch.rand(n, generator=g))
    return x, y


def train(steps=96, seed=33):
    g = torch.Generator().manual_seed(seed)
    tree = init(g)
    contexts = {h: torch.zeros(8) for h in HOSPITALS}
    running = 0.0
    for step, hospital in zip(range(steps), itertools.cycle(HOSPITALS)):
        x, y = cohort(g, hospital)
        mean, contexts[hospital] = forward(tree, x, contexts[hospital])  # <- culprit
        loss = gamma_nll(mean.clamp_min(1e-2), y)
        names = pytree.tree_leaves(tree)
        loss.backward()
        grads = [p.grad.clamp(-1, 1) for p in names]
        tree = sgd(tree, grads, lr=0.02)
        running += (loss.item() - running) / (step + 1)
        if step % 3 == 0:
            print(f"{step:3d} {hospital:8s} nll {loss.item():.3f} avg {running:.3f}")
    return tree


if __name__ == "__main__":
    train()
