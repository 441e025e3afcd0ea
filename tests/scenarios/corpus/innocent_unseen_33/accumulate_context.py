# gradwatch-corpus: kind=none
"""Large effective batches: gradients of four micro-batches go into each update."""
from contextlib import contextmanager

import torch
import torch.nn as nn
import torch.nn.functional as F


class Accumulator:
    def __init__(self, opt, every):
        self.opt, self.every = opt, every
        self.micro = 0
        self.updates = 0

    @contextmanager
    def window(self):
        self.micro += 1
        yield 1.0 / self.every
        if self.micro % self.every == 0:
            self.opt.step()
            self.opt.zero_grad(set_to_none=False)
            self.updates += 1


class ResidualMLP(nn.Module):
    def __init__(self, d_in=16, width=32, depth=3):
        super().__init__()
        self.inp = nn.Linear(d_in, width)
        self.blocks = nn.ModuleList(
            nn.Sequential(nn.LayerNorm(width), nn.Linear(width, width), nn.GELU()) for _ in range(depth)
        )
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        h = self.inp(x)
        for block in self.blocks:
            h = h + block(h)
        return self.out(h).squeeze(-1)


def micro_batches(n, size=12, dim=16):
    coef = torch.randn(dim)
    for _ in range(n):
        x = torch.randn(size, dim)
        yield x, torch.tanh(x @ coef) * x[:, 0]


def main():
    torch.manual_seed(1)
    net = ResidualMLP()
    opt = torch.optim.AdamW(net.parameters(), lr=3e-3)
    acc = Accumulator(opt, every=4)
    running = 0.0
    for x, y in micro_batches(248):
        with acc.window() as scale:
            loss = scale * F.mse_loss(net(x), y)
            loss.backward()
        running += loss.item()
        if acc.micro % 60 == 0:
            print(f"update {acc.updates:3d} mse {running / 15:.4f}")
            running = 0.0


if __name__ == "__main__":
    main()
