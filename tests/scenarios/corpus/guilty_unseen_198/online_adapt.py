# gradwatch-corpus: kind=graph-chain
# holder: fast | self.fast | learner.fast
# first-bad: 4
"""Test-time adaptation of a forecaster over a drifting stream (fast weights, second order)."""
import argparse

import torch
from torch import nn
from torch.func import functional_call
import torch.nn.functional as F


class Forecaster(nn.Module):
    def __init__(self, lag=8, h=16):
        super().__init__()
        self.a = nn.Linear(lag, h)
        self.b = nn.Linear(h, 1)

    def forward(self, x):
        return self.b(torch.tanh(self.a(x))).squeeze(-1)


def stream(n, lag, seed=0):
    g = torch.Generator().manual_seed(seed)
    t = torch.arange(n + lag + 1).float()
    freq = 0.15 + 0.05 * torch.sin(t / 200)
    series = torch.sin(torch.cumsum(freq, 0)) + 0.05 * torch.randn(len(t), generator=g)
    x = series.unfold(0, lag, 1)[:n]
    y = series[lag:lag + n]
    return x, y


class OnlineLearner:
    def __init__(self, model, inner_lr, prox):
        self.model = model
        self.inner_lr = inner_lr
        self.prox = prox
        self.fast = dict(model.named_parameters())

    def predict(self, x):
        return functional_call(self.model, self.fast, (x,))

    def adapt(self, x, y):
        loss = F.mse_loss(self.predict(x), y)
        anchor = sum((w - p.detach()).pow(2).sum() for w, p in zip(self.fast.values(), self.model.parameters()))
        total = loss + self.prox * anchor
        grads = torch.autograd.grad(total, list(self.fast.values()), create_graph=True)
        self.fast = {k: w - self.inner_lr * g for (k, w), g in zip(self.fast.items(), grads)}  # <- culprit
        return loss.item()


def pretrain(model, x, y, epochs=3):
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    for _ in range(epochs):
        opt.zero_grad()
        F.mse_loss(model(x), y).backward()
        opt.step()
    opt.zero_grad(set_to_none=True)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--inner-lr", type=float, default=0.02)
    p.add_argument("--prox", type=float, default=1e-3)
    p.add_argument("--chunk", type=int, default=6)
    p.add_argument("--rounds", type=int, default=420)
    o = p.parse_args()
    torch.manual_seed(5)
    x, y = stream(o.chunk * (o.rounds + 10), 8)
    model = Forecaster()
    pretrain(model, x[:40], y[:40])
    learner = OnlineLearner(model, o.inner_lr, o.prox)
    err = 0.0
    for r in range(o.rounds):
        lo = 40 + r * o.chunk
        xb, yb = x[lo:lo + o.chunk], y[lo:lo + o.chunk]
        if len(xb) == 0:
            break
        e = learner.adapt(xb, yb)
        err = e if r == 0 else 0.95 * err + 0.05 * e
        if r % 60 == 0:
            print(f"round {r} running mse {err:.4f}")
    print("final", err)


if __name__ == "__main__":
    main()
