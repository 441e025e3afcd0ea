# gradwatch-corpus: kind=none
# about: a dictionary grows by about 0.8 MB per iteration, but only during the first epoch of 60 shards; afterwards every look-up hits
"""Weld seam inspection: frozen filter bank, small trainable head; responses of each shard are computed once."""
from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import Tensor, nn

SHARDS, EPOCHS, PER_SHARD = 60, 5, 24


class GaborBank(nn.Module):
    """Fixed oriented filters followed by rectification and pooling."""

    def __init__(self, orientations: int = 8, side: int = 9) -> None:
        super().__init__()
        ax = torch.linspace(-2, 2, side)
        y, x = torch.meshgrid(ax, ax, indexing="ij")
        rows = []
        for k in range(orientations):
            a = math.pi * k / orientations
            u = x * math.cos(a) + y * math.sin(a)
            rows.append(torch.exp(-(x ** 2 + y ** 2)) * torch.cos(4 * u))
        self.weight = nn.Parameter(torch.stack(rows)[:, None], requires_grad=False)

    def forward(self, img: Tensor) -> Tensor:
        return F.avg_pool2d(F.conv2d(img, self.weight, padding=4).relu(), 2)


@dataclass
class ResponseStore:
    bank: nn.Module
    entries: dict[int, tuple[Tensor, Tensor]] = field(default_factory=dict)
    misses: int = 0

    def get(self, shard: int) -> tuple[Tensor, Tensor]:
        hit = self.entries.get(shard)
        if hit is None:
            self.misses += 1
            img, flaw = load_shard(shard)
            hit = self.entries[shard] = (self.bank(img), flaw)
        return hit

    @property
    def megabytes(self) -> float:
        return sum(a.nbytes + b.nbytes for a, b in self.entries.values()) / 2 ** 20


def load_shard(shard: int) -> tuple[Tensor, Tensor]:
    g = torch.Generator().manual_seed(9000 + shard)
    img = 0.4 * torch.randn(PER_SHARD, 1, 64, 64, generator=g)
    img[:, :, 28:36] += 1.0
    flaw = torch.rand(PER_SHARD, generator=g) < 0.5
    at = torch.randint(8, 48, (PER_SHARD,), generator=g)
    for i in flaw.nonzero().flatten().tolist():
        img[i, :, 24:40, at[i]:at[i] + 3] -= 1.2
    return img, flaw.float()


def schedule() -> Iterator[tuple[int, int]]:
    for epoch in range(EPOCHS):
        for shard in torch.randperm(SHARDS).tolist():
            yield epoch, shard


def main() -> None:
    torch.manual_seed(1)
    store = ResponseStore(GaborBank())
    head = nn.Sequential(nn.Conv2d(8, 8, 3, stride=2), nn.ReLU(), nn.AdaptiveMaxPool2d(4), nn.Flatten(), nn.Linear(128, 1))
    opt = torch.optim.Adam(head.parameters(), lr=2e-3)
    right = total = 0
    for n, (epoch, shard) in enumerate(schedule()):
        response, flaw = store.get(shard)
        score = head(response).squeeze(-1)
        loss = F.binary_cross_entropy_with_logits(score, flaw)
        opt.zero_grad()
        loss.backward()
        opt.step()
        right += int(((score > 0) == flaw.bool()).sum())
        total += flaw.numel()
        if (n + 1) % SHARDS == 0:
            print(f"epoch {epoch} accuracy {right / total:.3f} store {store.megabytes:.0f} MiB misses {store.misses}")
            right = total = 0


if __name__ == "__main__":
    main()
