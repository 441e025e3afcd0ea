# gradwatch-corpus: kind=none
import heapq
import itertools
from collections import deque
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import nn


class Hard(NamedTuple):
    loss: float
    ticket: int
    x: torch.Tensor
    y: torch.Tensor


class HardPool:
    """The hardest examples met so far, some of which join each batch."""

    def __init__(self, size=64):
        self.heap = []
        self.size = size
        self.tickets = itertools.count()

    def offer(self, losses, xs, ys):
        for value, x, y in zip(losses.tolist(), xs, ys):
            entry = Hard(value, next(self.tickets), x.clone(), y)
            if len(self.heap) < self.size:
                heapq.heappush(self.heap, entry)
            else:
                heapq.heappushpop(self.heap, entry)

    def cool(self, factor=0.9):
        self.heap = [h._replace(loss=h.loss * factor) for h in self.heap]
        heapq.heapify(self.heap)

    def sample(self, k):
        hardest = heapq.nlargest(k, self.heap)
        return torch.stack([h.x for h in hardest]), torch.stack([h.y for h in hardest])

    def __len__(self):
        return len(self.heap)


def rings(n, g):
    y = torch.randint(0, 3, (n,), generator=g)
    r = 1 + y + 0.35 * torch.randn(n, generator=g)
    a = torch.rand(n, generator=g) * 6.283
    return torch.stack([r * torch.cos(a), r * torch.sin(a)], 1), y


def main(steps=130, batch=24, extra=8):
    torch.manual_seed(0)
    g = torch.Generator().manual_seed(19)
    net = nn.Sequential(nn.Linear(2, 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU(), nn.Linear(48, 3))
    opt = torch.optim.AdamW(net.parameters(), lr=4e-3)
    pool = HardPool()
    last = deque(maxlen=20)
    curve = []
    for step in range(steps):
        x, y = rings(batch, g)
        if len(pool) >= extra:
            hx, hy = pool.sample(extra)
            x, y = torch.cat([x, hx]), torch.cat([y, hy])
        each = F.cross_entropy(net(x), y, reduction="none")
        loss = each.mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        pool.cool()
        pool.offer(each.detach()[:batch], x[:batch], y[:batch])
        last.append(loss.detach())
        curve.append(torch.stack(list(last)).mean().item())
        if step % 26 == 0:
            print(f"{step:3d}  {curve[-1]:.4f}  pool {len(pool)} floor {pool.heap[0].loss:.3f}")
    print(f"end {curve[-1]:.4f}")


if __name__ == "__main__":
    main()
