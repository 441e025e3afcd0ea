# gradwatch-corpus: kind=graph-chain
# holder: self.params | adapter.params
# first-bad: 31
"""Test-time adaptation of a small regressor with weights held outside of the module."""
import math

import torch
from torch import nn
from torch.func import functional_call

WARMUP = 30


class Adapter:
    def __init__(self, model, lr):
        self.model = model
        self.lr = lr
        self.params = {k: p.detach().clone().requires_grad_() for k, p in model.named_parameters()}
        self.seen = 0

    def rate(self):
        if self.seen < WARMUP:
            return self.lr * (self.seen + 1) / WARMUP
        return self.lr * (0.6 + 0.4 * math.cos(self.seen / 60))

    def loss(self, x, y):
        return (functional_call(self.model, self.params, (x,)) - y).square().mean()

    def adapt(self, x, y):
        loss = self.loss(x, y)
        grads = torch.autograd.grad(loss, tuple(self.params.values()))
        rate = self.rate()
        if self.seen < WARMUP:
            norm = torch.stack([g.norm() for g in grads]).norm()
            scale = min(1.0, 0.5 / (norm.item() + 1e-6))
            self.params = {k: (p - rate * scale * g).detach().requires_grad_()
                           for (k, p), g in zip(self.params.items(), grads)}
        else:
            self.params = {k: p - rate * g for (k, p), g in zip(self.params.items(), grads)}  # <- culprit
        self.seen += 1
        return loss.item()

    @torch.no_grad()
    def evaluate(self, x, y):
        return self.loss(x, y).item()


class DriftingSensor:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.w = torch.randn(5, 2, generator=self.gen)

    def read(self, n):
        x = torch.randn(n, 5, generator=self.gen)
        y = torch.sin(x @ self.w) + 0.02 * torch.randn(n, 2, generator=self.gen)
        return x, y

    def drift(self):
        self.w = self.w + 0.005 * torch.randn(5, 2, generator=self.gen)


def main():
    torch.manual_seed(55)
    sensor = DriftingSensor(56)
    net = nn.Sequential(nn.Linear(5, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 2))
    adapter = Adapter(net, lr=0.1)
    errors = []
    for it in range(600):
        errors.append(adapter.adapt(*sensor.read(32)))
        sensor.drift()
        if it % 100 == 99:
            print(it + 1, sum(errors[-50:]) / 50, adapter.evaluate(*sensor.read(64)))


if __name__ == "__main__":
    main()
