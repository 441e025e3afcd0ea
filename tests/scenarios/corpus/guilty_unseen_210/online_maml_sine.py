# gradwatch-corpus: kind=graph-chain
# holder: self.fast | learner.fast | params
# first-bad: 1
"""Online adaptation of a sine regressor with learnt per-parameter step sizes."""
import math
from typing import Iterator, NamedTuple

import torch
from torch import nn
from torch.func import functional_call


class TaskBatch(NamedTuple):
    xs: torch.Tensor
    ys: torch.Tensor
    xq: torch.Tensor
    yq: torch.Tensor


def task_stream(seed: int, shots: int = 16) -> Iterator[TaskBatch]:
    g = torch.Generator().manual_seed(seed)
    phase, amp = 0.0, 1.0
    while True:
        phase += 0.05 * torch.randn(1, generator=g).item()
        amp = 0.9 * amp + 0.1 * (1 + torch.rand(1, generator=g).item())
        x = torch.rand(2 * shots, 1, generator=g) * 2 * math.pi - math.pi
        y = amp * torch.sin(x + phase)
        yield TaskBatch(x[:shots], y[:shots], x[shots:], y[shots:])


class Regressor(nn.Module):
    def __init__(self, hidden=40):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(1, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh())
        self.head = nn.Linear(hidden, 1)

    def forward(self, x):
        return self.head(self.body(x))


class OnlineLearner:
    def __init__(self, net: nn.Module, inner_lr: float = 0.01):
        self.net = net
        self.fast = {n: p for n, p in net.named_parameters()}
        self.inner_lr = inner_lr
        self.err = 0.0

    def _mse(self, params, x, y):
        return (functional_call(self.net, params, (x,)) - y).pow(2).mean()

    def _inner_step(self, params, x, y):
        loss = self._mse(params, x, y)
        grads = torch.autograd.grad(loss, list(params.values()), create_graph=False)
        return {n: p - self.inner_lr * g for (n, p), g in zip(params.items(), grads)}, loss.item()  # <- culprit

    def adapt(self, batch: TaskBatch, steps: int = 2):
        params = self.fast
        for _ in range(steps):
            params, support = self._inner_step(params, batch.xs, batch.ys)  # <- culprit
        self.fast = params  # <- culprit
        return support

    @torch.no_grad()
    def evaluate(self, batch: TaskBatch):
        q = self._mse(self.fast, batch.xq, batch.yq).item()
        self.err = 0.95 * self.err + 0.05 * q
        return q


def run(n_rounds=150):
    torch.manual_seed(5)
    learner = OnlineLearner(Regressor())
    stream = task_stream(5)
    for k in range(n_rounds):
        batch = next(stream)
        before = learner.evaluate(batch)
        support = learner.adapt(batch)
        if k % 30 == 0:
            print(f"round {k:3d} pre-adapt {before:.4f} support {support:.4f} ema {learner.err:.4f}")


if __name__ == "__main__":
    run()
