# gradwatch-corpus: kind=memory-climb
# holder: fourier_features | lru_cache | fourier_features.cache_info() | fourier_features.__wrapped__ | cache
# first-bad: 1
"""Random-feature approximation of an RBF kernel machine, trained by SGD on minibatches, with the
length scale picked on a small grid. Follows Rahimi & Recht; for the numerics seminar."""
from functools import lru_cache
import math

import torch

DIM, FEATURES, BATCH = 6, 320, 200


@lru_cache(maxsize=None)
def projection(scale, seed=0):
    g = torch.Generator().manual_seed(seed)
    w = torch.randn(DIM, FEATURES, generator=g) / scale
    b = 2 * math.pi * torch.rand(FEATURES, generator=g)
    return w, b


@lru_cache(maxsize=None)  # <- culprit
def fourier_features(x, scale):
    w, b = projection(scale)
    return math.sqrt(2.0 / FEATURES) * torch.cos(x @ w + b)


def target(x):
    return torch.sin(2 * x[:, 0]) * x[:, 1] + 0.5 * x[:, 2].abs()


class Stream:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)

    def next(self):
        x = torch.randn(BATCH, DIM, generator=self.gen)
        return x, target(x) + 0.05 * torch.randn(BATCH, generator=self.gen)


class KernelMachine(torch.nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.scale = scale
        self.alpha = torch.nn.Linear(FEATURES, 1)

    def phi(self, x):
        return fourier_features(x, self.scale)  # <- culprit

    def forward(self, x):
        return self.alpha(self.phi(x)).squeeze(1)

    def objective(self, x, y, ridge):
        # phi(x) is needed once for the fit and once for the norm in function space
        fit = (self(x) - y).square().mean()
        norm = (self.phi(x) @ self.alpha.weight.T).square().mean()
        return fit + ridge * norm


def train(scale, steps, stream):
    torch.manual_seed(1)
    machine = KernelMachine(scale)
    opt = torch.optim.SGD(machine.parameters(), lr=0.8, momentum=0.9)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps)
    for i in range(steps):
        x, y = stream.next()
        loss = machine.objective(x, y, ridge=1e-4)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        if i % 80 == 0:
            print(f"  scale {scale}  step {i:4d}  loss {loss.item():.4f}")
    return machine


def main():
    x_test = torch.randn(400, DIM, generator=torch.Generator().manual_seed(2))
    y_test = target(x_test)
    stream = Stream(3)
    results = {}
    for scale in (3.0, 2.0, 1.0):
        machine = train(scale, 240, stream)
        with torch.no_grad():
            results[scale] = (machine(x_test) - y_test).square().mean().item()
    best = min(results, key=results.get)
    print({k: round(v, 4) for k, v in results.items()}, "best:", best)


if __name__ == "__main__":
    main()
