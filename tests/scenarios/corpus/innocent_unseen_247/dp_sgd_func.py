# gradwatch-corpus: kind=none
"""Differentially private logistic/MLP training with per-example gradients through torch.func."""
import math

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call, grad, vmap


class TabularNet(nn.Module):
    def __init__(self, d, width, classes):
        super().__init__()
        self.inp = nn.Linear(d, width)
        self.mid = nn.Linear(width, width)
        self.out = nn.Linear(width, classes)

    def forward(self, x):
        h = F.gelu(self.inp(x))
        h = h + F.gelu(self.mid(h))
        return self.out(h)


def make_private_grad(model, clip, sigma, gen):
    def example_loss(params, x, y):
        logits = functional_call(model, params, (x.unsqueeze(0),))
        return F.cross_entropy(logits, y.unsqueeze(0))

    per_example = vmap(grad(example_loss), in_dims=(None, 0, 0))

    def private(params, x, y):
        grads = per_example(params, x, y)
        n = x.size(0)
        squared = sum(g.flatten(1).pow(2).sum(1) for g in grads.values())
        factor = (clip / (squared.sqrt() + 1e-6)).clamp(max=1.0)
        out = {}
        for name, g in grads.items():
            shaped = factor.view(-1, *([1] * (g.dim() - 1)))
            total = (g * shaped).sum(0)
            total = total + sigma * clip * torch.randn(total.shape, generator=gen)
            out[name] = total / n
        return out, squared.sqrt().mean()

    return private


def momentum_update(params, velocity, grads, lr, mu):
    velocity = {k: mu * velocity[k] + grads[k] for k in params}
    params = {k: params[k] - lr * velocity[k] for k in params}
    return params, velocity


def sample(n, d, gen, w):
    x = torch.randn(n, d, generator=gen)
    y = (torch.tanh(x @ w[0]) @ w[1]).argmax(1)
    return x, y


def main():
    gen = torch.Generator().manual_seed(12)
    torch.manual_seed(12)
    d, classes = 18, 3
    w = (torch.randn(d, 10, generator=gen), torch.randn(10, classes, generator=gen))
    model = TabularNet(d, 32, classes)
    params = {k: v.detach() for k, v in model.named_parameters()}
    velocity = {k: torch.zeros_like(v) for k, v in params.items()}
    private = make_private_grad(model, clip=1.0, sigma=0.4, gen=gen)
    norms = []
    for it in range(120):
        x, y = sample(64, d, gen, w)
        grads, norm = private(params, x, y)
        lr = 0.25 * 0.5 * (1 + math.cos(math.pi * it / 120))
        params, velocity = momentum_update(params, velocity, grads, lr, 0.9)
        norms.append(norm)
        if it % 24 == 23:
            xt, yt = sample(400, d, gen, w)
            with torch.no_grad():
                acc = (functional_call(model, params, (xt,)).argmax(1) == yt).float().mean()
            print(f"{it + 1:4d} acc {acc.item():.3f} mean norm {torch.stack(norms).mean().item():.3f}")


if __name__ == "__main__":
    main()
