# gradwatch-corpus: kind=none
"""MAML on sinusoid regression, two tasks per meta-batch."""
import math
from functools import partial

import torch
from torch import nn
import torch.nn.functional as F
from torch.func import functional_call


def sample_task(gen, k=10):
    amp = 0.5 + 4 * torch.rand(1, generator=gen)
    phase = math.pi * torch.rand(1, generator=gen)
    x = 10 * torch.rand(2 * k, 1, generator=gen) - 5
    y = amp * torch.sin(x + phase)
    return (x[:k], y[:k]), (x[k:], y[k:])


class MAML:
    def __init__(self, model, inner_lr=0.01, inner_steps=2):
        self.model, self.inner_lr, self.inner_steps = model, inner_lr, inner_steps
        self.fast = {}
        self.query_losses = []

    def adapt(self, apply, support):
        x, y = support
        self.fast = dict(self.model.named_parameters())
        for _ in range(self.inner_steps):
            loss = F.mse_loss(apply(self.fast, (x,)), y)
            grads = torch.autograd.grad(loss, tuple(self.fast.values()), create_graph=True)
            self.fast = {k: w - self.inner_lr * g for (k, w), g in zip(self.fast.items(), grads)}
        return self.fast

    def meta_loss(self, tasks):
        self.query_losses.clear()
        apply = partial(functional_call, self.model)
        for support, (xq, yq) in tasks:
            weights = self.adapt(apply, support)
            self.query_losses.append(F.mse_loss(apply(weights, (xq,)), yq))
        return torch.stack(self.query_losses).mean()


def main(iters=400):
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(12)
    learner = MAML(nn.Sequential(nn.Linear(1, 32), nn.ReLU(), nn.Linear(32, 1)))
    opt = torch.optim.Adam(learner.model.parameters(), lr=1e-3)
    best = math.inf
    for it in range(iters):
        loss = learner.meta_loss([sample_task(gen) for _ in range(2)])
        opt.zero_grad()
        loss.backward()
        opt.step()
        best = min(best, loss.item())
        if it % 50 == 0:
            print(it, f"{loss.item():.3f} best {best:.3f}", [round(v.item(), 2) for v in learner.query_losses])


if __name__ == "__main__":
    main()
