# gradwatch-corpus: kind=none
"""Learning to optimise: an LSTM proposes coordinate updates for random quadratics, its state and the
optimizee stay attached across an unroll of eight and the unrolls follow each other on the same task."""
from dataclasses import dataclass, replace

import torch
from torch import nn


@dataclass(frozen=True)
class Run:
    theta: torch.Tensor
    h: torch.Tensor
    c: torch.Tensor
    age: int

    def snipped(self):
        leaf = lambda t: torch.empty_like(t).copy_(t.data).requires_grad_()
        return replace(self, theta=leaf(self.theta), h=leaf(self.h), c=leaf(self.c))


class Quadratic:
    def __init__(self, dim, g):
        self.W = torch.randn(dim, dim, generator=g) / dim ** 0.5
        self.y = torch.randn(dim, generator=g)

    def __call__(self, theta):
        return (theta @ self.W.T - self.y).pow(2).mean()


class Proposer(nn.Module):
    def __init__(self, hidden=12):
        super().__init__()
        self.cell = nn.LSTMCell(2, hidden)
        self.out = nn.Linear(hidden, 1)
        nn.init.normal_(self.out.weight, std=0.05)
        self.hidden = hidden

    def start(self, dim):
        z = torch.zeros(dim, self.hidden)
        return Run(torch.randn(dim).requires_grad_(), z, z.clone(), 0)

    def forward(self, run, grad):
        g = grad.detach()
        feats = torch.stack([g.sign() * g.abs().log1p(), g.abs().clamp(max=1)], 1)
        h, c = self.cell(feats, (run.h, run.c))
        return Run(run.theta - 0.1 * self.out(h).squeeze(1), h, c, run.age + 1)


class Unroller:
    def __init__(self, proposer, g, length=8, lifetime=40, dim=10):
        self.proposer, self.g = proposer, g
        self.length, self.lifetime, self.dim = length, lifetime, dim
        self.run = None
        self.trajectory = []

    def __iter__(self):
        while True:
            if self.run is None or self.run.age >= self.lifetime:
                self.task, self.run = Quadratic(self.dim, self.g), self.proposer.start(self.dim)
                self.trajectory.clear()
            total = 0.0
            for _ in range(self.length):
                value = self.task(self.run.theta)
                (grad,) = torch.autograd.grad(value, self.run.theta, retain_graph=True)
                total = total + value
                self.run = self.proposer(self.run, grad)
                self.trajectory.append(self.run)
            yield total + self.task(self.run.theta)
            self.run = self.run.snipped()


def main(meta_steps=500):
    torch.manual_seed(12)
    proposer = Proposer()
    meta = torch.optim.Adam(proposer.parameters(), lr=3e-3)
    unroller = Unroller(proposer, torch.Generator().manual_seed(1))
    for i, loss in zip(range(meta_steps), unroller):
        meta.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(proposer.parameters(), 1.0)
        meta.step()
        if i % 100 == 0:
            travelled = (unroller.trajectory[-1].theta - unroller.trajectory[0].theta).norm().item()
            print(i, f"{loss.item():.3f} travelled {travelled:.3f}")


if __name__ == "__main__":
    main()
