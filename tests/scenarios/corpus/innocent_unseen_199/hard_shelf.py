# gradwatch-corpus: kind=none
"""Classifier that keeps a shelf of the hardest batches ever met and revisits them."""
import heapq
import itertools
from dataclasses import dataclass, field

import torch
from torch import nn
import torch.nn.functional as F


@dataclass(order=True)
class Entry:
    score: float
    order: int
    x: torch.Tensor = field(compare=False)
    y: torch.Tensor = field(compare=False)
    logits: torch.Tensor = field(compare=False)
    loss: torch.Tensor = field(compare=False)


class Shelf:
    def __init__(self, capacity):
        self.capacity = capacity
        self.heap = []
        self.tick = itertools.count()

    def offer(self, x, y, logits, loss):
        entry = Entry(loss.item(), next(self.tick), x, y, logits, loss)
        if len(self.heap) < self.capacity:
            heapq.heappush(self.heap, entry)
        else:
            heapq.heappushpop(self.heap, entry)

    def sample(self, gen):
        i = torch.randint(len(self.heap), (1,), generator=gen).item()
        return self.heap[i].x, self.heap[i].y

    def report(self):
        best = heapq.nlargest(3, self.heap)
        return [(e.order, round(e.score, 3), e.logits.argmax(-1).eq(e.y).float().mean().item()) for e in best]


def spirals(gen, n):
    y = torch.randint(3, (n,), generator=gen)
    r = torch.rand(n, generator=gen)
    a = r * 4 + y * 2.09 + 0.15 * torch.randn(n, generator=gen)
    return torch.stack([r * a.sin(), r * a.cos()], 1), y


def main():
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(1)
    net = nn.Sequential(nn.Linear(2, 48), nn.SiLU(), nn.Linear(48, 48), nn.SiLU(), nn.Linear(48, 3))
    opt = torch.optim.AdamW(net.parameters(), lr=4e-3)
    shelf = Shelf(12)
    for it in range(700):
        x, y = spirals(gen, 64)
        logits = net(x)
        loss = F.cross_entropy(logits, y)
        total = loss
        if it > 20:
            hx, hy = shelf.sample(gen)
            total = total + 0.5 * F.cross_entropy(net(hx), hy)
        opt.zero_grad()
        total.backward()
        opt.step()
        shelf.offer(x, y, logits, loss)
        if it % 100 == 99:
            print(it + 1, f"{total.item():.3f}", shelf.report())


if __name__ == "__main__":
    main()
