# gradwatch-corpus: kind=none
"""Tiny segmentation net; recent feature maps are kept for activation statistics."""
from typing import Callable, Generic, Iterator, List, Optional, Tuple, TypeVar

import torch
import torch.nn as nn
import torch.nn.functional as F

T = TypeVar("T")
R = TypeVar("R")


class Bounded(Generic[T]):
    def __init__(self, limit: int, weigh: Callable[[T], int]) -> None:
        self.limit = limit
        self.weigh = weigh
        self.total = 0
        self._data: List[Tuple[int, T]] = []

    def add(self, item: T) -> None:
        w = self.weigh(item)
        self._data.append((w, item))
        self.total += w
        while self.total > self.limit:
            gone, _ = self._data.pop(0)
            self.total -= gone

    def map(self, fn: Callable[[T], R]) -> List[R]:
        return [fn(item) for _, item in self._data]

    def newest(self) -> Optional[T]:
        return self._data[-1][1] if self._data else None

    def __iter__(self) -> Iterator[T]:
        return (item for _, item in self._data)

    def __len__(self) -> int:
        return len(self._data)


FeatureLog = Bounded[Tuple[str, torch.Tensor]]


class SegNet(nn.Module):
    def __init__(self, log: FeatureLog) -> None:
        super().__init__()
        self.stem = nn.Conv2d(1, 6, 3, padding=1)
        self.mid = nn.Conv2d(6, 8, 3, padding=1, stride=2)
        self.up = nn.ConvTranspose2d(8, 6, 2, stride=2)
        self.out = nn.Conv2d(6, 1, 1)
        self.log = log

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        a = F.relu(self.stem(x))
        b = F.relu(self.mid(a))
        self.log.add(("stem", a))
        self.log.add(("mid", b))
        return self.out(F.relu(self.up(b)) + a)


def blobs(gen: torch.Generator, n: int = 4, size: int = 16):
    yy, xx = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    c = torch.randint(3, size - 3, (n, 2), generator=gen)
    d = (yy[None] - c[:, 0, None, None]) ** 2 + (xx[None] - c[:, 1, None, None]) ** 2
    mask = (d < 12).float().unsqueeze(1)
    return mask + 0.5 * torch.randn(n, 1, size, size, generator=gen), mask


def train(steps: int = 450) -> None:
    gen = torch.Generator().manual_seed(21)
    torch.manual_seed(21)
    log: FeatureLog = Bounded(limit=260_000, weigh=lambda kv: kv[1].numel())
    net = SegNet(log)
    opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    for i in range(steps):
        img, mask = blobs(gen)
        logits = net(img)
        loss = F.binary_cross_entropy_with_logits(logits, mask)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if (i + 1) % 90 == 0:
            dead = log.map(lambda kv: (kv[1].detach() == 0).float().mean().item())
            print(f"{i + 1} loss {loss.item():.4f} kept {len(log)} sparsity {sum(dead) / len(dead):.3f}")


if __name__ == "__main__":
    train()
