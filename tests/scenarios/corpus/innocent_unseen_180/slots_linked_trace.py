# gradwatch-corpus: kind=none
"""Denoising autoencoder; a doubly linked trace of recent steps with a trimmed tail."""
from __future__ import annotations

from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass(slots=True)
class Step:
    index: int
    recon: torch.Tensor
    loss: torch.Tensor
    older: Step | None = None
    newer: Step | None = None


@dataclass(slots=True)
class Trace:
    depth: int
    head: Step | None = None
    tail: Step | None = None
    count: int = 0
    best: float = field(default=float("inf"))

    def append(self, index, recon, loss):
        node = Step(index, recon, loss, older=self.head)
        if self.head is not None:
            self.head.newer = node
        else:
            self.tail = node
        self.head = node
        self.count += 1
        self.best = min(self.best, loss.item())
        if self.count > self.depth:
            old = self.tail
            self.tail = old.newer
            self.tail.older = None
            old.newer = None
            self.count -= 1

    def walk(self):
        node = self.head
        while node is not None:
            yield node
            node = node.older


class Dae(nn.Module):
    def __init__(self, dim=24, code=6):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(dim, 32), nn.GELU(), nn.Linear(32, code))
        self.dec = nn.Sequential(nn.Linear(code, 32), nn.GELU(), nn.Linear(32, dim))

    def forward(self, x):
        return self.dec(self.enc(x))


def main():
    torch.manual_seed(0)
    basis = torch.randn(5, 24)
    model = Dae()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    trace = Trace(depth=35)
    for it in range(600):
        clean = torch.randn(48, 5) @ basis
        noisy = clean + 0.3 * torch.randn_like(clean)
        recon = model(noisy)
        loss = (recon - clean).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        trace.append(it, recon, loss)
        if it % 120 == 119:
            losses = [s.loss.item() for s in trace.walk()]
            spread = torch.stack([s.recon.detach().std() for s in trace.walk()])
            slope = (losses[0] - losses[-1]) / len(losses)
            print(f"it {it + 1}: best {trace.best:.4f} slope {slope:+.2e} spread {spread.mean():.3f} n={len(losses)}")


if __name__ == "__main__":
    main()
