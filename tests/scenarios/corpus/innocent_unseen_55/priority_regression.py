# gradwatch-corpus: kind=none
"""Regression with replay ordered by error; priorities live in a sum tree."""
from typing import NamedTuple

import torch
from torch import nn


class Item(NamedTuple):
    x: torch.Tensor
    y: torch.Tensor


class SumTree:
    """Binary tree over `size` leaves; tree[i] = p, tree.find(mass) -> leaf."""

    def __init__(self, size):
        self.size = size
        self.node = torch.zeros(2 * size)

    def __setitem__(self, leaf, p):
        i = leaf + self.size
        self.node[i] = p
        while i > 1:
            i //= 2
            self.node[i] = self.node[2 * i] + self.node[2 * i + 1]

    def __getitem__(self, leaf):
        return self.node[leaf + self.size]

    @property
    def total(self):
        return self.node[1].item()

    def find(self, mass):
        i = 1
        while i < self.size:
            left = self.node[2 * i].item()
            if mass <= left or self.node[2 * i + 1].item() == 0:
                i = 2 * i
            else:
                mass -= left
                i = 2 * i + 1
        return i - self.size


class Replay:
    def __init__(self, size=128):
        self.tree = SumTree(size)
        self.items = [None] * size
        self.errors = {}
        self.at = 0

    def add(self, item, p=1.0):
        self.items[self.at] = item
        self.tree[self.at] = p
        self.at = (self.at + 1) % self.tree.size

    def sample(self, n):
        leaves = [self.tree.find(m.item()) for m in torch.rand(n) * self.tree.total]
        batch = Item(*map(torch.stack, zip(*(self.items[i] for i in leaves))))
        return leaves, batch

    def update(self, leaves, err):
        with torch.no_grad():
            rank = err.abs().pow(0.6) + 1e-3
        for leaf, p, e in zip(leaves, rank, err.detach()):
            self.tree[leaf] = p
            self.errors[leaf] = e

    def worst(self):
        return max((e.abs().item() for e in self.errors.values()), default=0.0)


def main():
    torch.manual_seed(14)
    w = torch.randn(10)
    net = nn.Sequential(nn.Linear(10, 48), nn.GELU(), nn.Linear(48, 48), nn.GELU(), nn.Linear(48, 1))
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    replay = Replay()

    def collect(n):
        for _ in range(n):
            x = torch.randn(10)
            replay.add(Item(x, torch.sin(x @ w)))

    collect(128)
    for step in range(130):
        collect(4)
        leaves, batch = replay.sample(24)
        err = net(batch.x).squeeze(1) - batch.y
        loss = err.square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        replay.update(leaves, err)
        if step % 26 == 0:
            print(f"step {step:3d} loss {loss.item():.4f} worst {replay.worst():.3f} mass {replay.tree.total:.2f}")


if __name__ == "__main__":
    main()
