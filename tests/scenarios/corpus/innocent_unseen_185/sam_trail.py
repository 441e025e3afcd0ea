# gradwatch-corpus: kind=none
"""Sharpness-aware training of a fraud scorer; a linked trail keeps the last sharpness readings."""
import torch
from torch import nn
import torch.nn.functional as F


class Mark:
    __slots__ = ("flat", "sharp", "prev")

    def __init__(self, flat, sharp, prev):
        self.flat, self.sharp, self.prev = flat, sharp, prev


class Trail:
    def __init__(self, depth):
        self.depth, self.tip = depth, None

    def mark(self, flat, sharp):
        self.tip = Mark(flat, sharp, self.tip)
        node, n = self.tip, 1
        while node.prev is not None and n < self.depth:
            node, n = node.prev, n + 1
        node.prev = None

    def __iter__(self):
        node = self.tip
        while node is not None:
            yield node
            node = node.prev

    def sharpness(self):
        gaps = [(m.sharp - m.flat).item() for m in self]
        return sum(gaps) / len(gaps), len(gaps)


class SAM:
    def __init__(self, params, base, rho=0.05):
        self.params, self.base, self.rho = list(params), base, rho
        self.moved = []

    @torch.no_grad()
    def ascend(self):
        norm = torch.stack([p.grad.norm() for p in self.params]).norm() + 1e-12
        for p in self.params:
            e = p.grad * (self.rho / norm)
            p.add_(e)
            self.moved.append(e)
        self.base.zero_grad()

    @torch.no_grad()
    def descend(self):
        for p, e in zip(self.params, self.moved):
            p.sub_(e)
        self.moved.clear()
        self.base.step()
        self.base.zero_grad()


def transactions(gen, n):
    x = torch.randn(n, 14, generator=gen)
    score = x[:, 0] * x[:, 1] + x[:, 2].abs() - 1.2
    y = (score + 0.3 * torch.randn(n, generator=gen) > 0).float()
    return x, y


def main(steps=450):
    torch.manual_seed(90)
    gen = torch.Generator().manual_seed(91)
    net = nn.Sequential(nn.Linear(14, 48), nn.ReLU(), nn.Linear(48, 24), nn.ReLU(), nn.Linear(24, 1), nn.Flatten(0))
    sam = SAM(net.parameters(), torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9))
    trail = Trail(depth=25)
    for step in range(steps):
        x, y = transactions(gen, 64)
        flat = F.binary_cross_entropy_with_logits(net(x), y)
        flat.backward()
        sam.ascend()
        sharp = F.binary_cross_entropy_with_logits(net(x), y)
        sharp.backward()
        sam.descend()
        trail.mark(flat, sharp)
        if step % 75 == 0:
            gap, n = trail.sharpness()
            print(f"step {step} loss {flat.item():.4f} sharpness {gap:.5f} over {n}")


if __name__ == "__main__":
    main()
