# gradwatch-corpus: kind=graph-chain
# holder: weights | state.weights
# first-bad: 1
"""Bilevel tuning of per-layer step sizes by hypergradients."""
from dataclasses import dataclass

import torch
from torch import nn
import torch.nn.functional as F


@dataclass
class InnerState:
    weights: tuple
    steps: int = 0


def forward(weights, x):
    w1, b1, w2, b2 = weights
    return torch.tanh(x @ w1 + b1) @ w2 + b2


class StepSizes(nn.Module):
    def __init__(self, n, init=0.05):
        super().__init__()
        self.log_lr = nn.Parameter(torch.full((n,), init).log())

    def forward(self, weights, grads):
        lrs = self.log_lr.exp()
        return tuple(w - lr * g for w, lr, g in zip(weights, lrs, grads))


def init_weights(dim=6, width=16):
    shapes = [(dim, width), (width,), (width, 1), (1,)]
    return tuple((0.3 * torch.randn(s)).requires_grad_() for s in shapes)


def split(gen, w_true, n=32):
    x = torch.randn(n, w_true.numel(), generator=gen)
    y = torch.sin(x @ w_true)[:, None]
    return x, y + 0.1 * torch.randn(n, 1, generator=gen)


def main(outer_steps=400):
    torch.manual_seed(2)
    gen = torch.Generator().manual_seed(4)
    w_true = torch.randn(6, generator=gen)
    rule = StepSizes(4)
    meta_opt = torch.optim.Adam(rule.parameters(), lr=1e-2)
    state = InnerState(init_weights())

    for outer in range(outer_steps):
        x, y = split(gen, w_true)
        train_loss = F.mse_loss(forward(state.weights, x), y)
        grads = torch.autograd.grad(train_loss, state.weights)
        state.weights = rule(state.weights, grads)  # <- culprit
        state.steps += 1

        xv, yv = split(gen, w_true)
        val_loss = F.mse_loss(forward(state.weights, xv), yv)
        meta_opt.zero_grad()
        val_loss.backward(retain_graph=True)
        meta_opt.step()

        if outer % 50 == 0:
            lrs = rule.log_lr.exp().tolist()
            print(outer, f"train {train_loss.item():.4f} val {val_loss.item():.4f}", [round(v, 4) for v in lrs])


if __name__ == "__main__":
    main()
