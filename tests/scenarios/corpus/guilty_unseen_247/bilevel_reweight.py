# gradwatch-corpus: kind=inplace-modified
# holder: val_loss | outer | outer.val_loss | snap | snap.val_loss | p | theta
# first-bad: 9
"""Bilevel sample re-weighting under label noise: a weighting net is tuned every tenth step on clean data."""
from collections import namedtuple

import torch
import torch.nn.functional as F


Problem = namedtuple("Problem", "x y clean_x clean_y flipped")
Outer = namedtuple("Outer", "inner val_loss")


def toy_problem(n=400, d=12, k=4, noise=0.35, seed=6):
    gen = torch.Generator().manual_seed(seed)
    centers = 1.5 * torch.randn(k, d, generator=gen)
    y_true = torch.randint(0, k, (n,), generator=gen)
    x = centers[y_true] + torch.randn(n, d, generator=gen)
    flipped = torch.rand(n, generator=gen) < noise
    y = torch.where(flipped, (y_true + 1) % k, y_true)
    clean_y = torch.randint(0, k, (64,), generator=gen)
    clean_x = centers[clean_y] + torch.randn(64, d, generator=gen)
    return Problem(x, y, clean_x, clean_y, flipped)


def build(sizes):
    tensors = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        tensors.append((torch.randn(a, b) / a ** 0.5).requires_grad_())
        tensors.append(torch.zeros(b, requires_grad=True))
    return tensors


def net(theta, x):
    layers = list(zip(theta[0::2], theta[1::2]))
    for w, b in layers[:-1]:
        x = F.silu(x @ w + b)
    w, b = layers[-1]
    return x @ w + b


def sample_weights(phi, losses):
    feats = torch.stack([losses, losses.log1p()], 1)
    return torch.sigmoid(net(phi, feats)).squeeze(1)


def look_ahead(theta, phi, batch, prob, lr):
    x, y = batch
    losses = F.cross_entropy(net(theta, x), y, reduction="none")
    w = sample_weights(phi, losses.detach())
    inner = (w * losses).sum() / w.sum().clamp(min=1e-3)
    grads = torch.autograd.grad(inner, theta, create_graph=True)
    moved = [p - lr * g for p, g in zip(theta, grads)]
    val_loss = F.cross_entropy(net(moved, prob.clean_x), prob.clean_y)
    return Outer(inner, val_loss)


def plain(theta, phi, batch):
    x, y = batch
    losses = F.cross_entropy(net(theta, x), y, reduction="none")
    with torch.no_grad():
        w = sample_weights(phi, losses)
    return (w * losses).sum() / w.sum().clamp(min=1e-3)


@torch.no_grad()
def descend(tensors, grads, buffers, lr, mu=0.9):
    for p, g, m in zip(tensors, grads, buffers):
        m.mul_(mu).add_(g)
        p.add_(m, alpha=-lr)  # <- culprit


def main(steps=100, lr=0.05, meta_lr=0.5, every=10):
    torch.manual_seed(6)
    prob = toy_problem()
    theta = build([12, 32, 4])
    phi = build([2, 16, 1])
    theta_buf = [torch.zeros_like(p) for p in theta]
    phi_buf = [torch.zeros_like(p) for p in phi]
    for step in range(steps):
        idx = torch.randint(0, len(prob.x), (50,))
        batch = (prob.x[idx], prob.y[idx])
        tune = step % every == every - 1
        if tune:
            outer = look_ahead(theta, phi, batch, prob, lr)  # <- culprit
        inner = plain(theta, phi, batch)
        grads = torch.autograd.grad(inner, theta)
        descend(theta, grads, theta_buf, lr)  # <- culprit
        if tune:
            hyper = torch.autograd.grad(outer.val_loss, phi)  # <- culprit
            descend(phi, hyper, phi_buf, meta_lr, mu=0.0)
            print(f"{step:3d} inner {inner.item():.3f} val {outer.val_loss.item():.3f}")


if __name__ == "__main__":
    main()
