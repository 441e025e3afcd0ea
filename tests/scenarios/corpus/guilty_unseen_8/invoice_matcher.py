# gradwatch-corpus: kind=second-backward
# holder: self._kept | self.net._kept | service.net._kept
# first-bad: 5
"""Matches scanned invoice lines to suppliers: character CNN on the line, supplier vectors from their template text."""
from __future__ import annotations

import asyncio
import functools
from collections.abc import AsyncIterator, Callable
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

REGIONS = ("north", "south", "east", "west", "overseas")


class Page(NamedTuple):
    region: str
    lines: Tensor
    supplier: Tensor


def kept(method: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Remembers what a method returned, per argument, on the instance."""

    @functools.wraps(method)
    def inner(self, key: str) -> Tensor:
        if key not in self._kept:
            self._kept[key] = method(self, key)  # <- culprit
        return self._kept[key]  # <- culprit

    return inner


class CharTower(nn.Module):
    def __init__(self, alphabet: int, dim: int) -> None:
        super().__init__()
        self.chars = nn.Embedding(alphabet, dim)
        self.conv = nn.Conv1d(dim, dim, 5, padding=2)
        self.proj = nn.Linear(dim, dim)

    def forward(self, ids: Tensor) -> Tensor:
        h = F.gelu(self.conv(self.chars(ids).transpose(1, 2)))
        return F.normalize(self.proj(h.amax(-1)), dim=-1)


class SupplierMatcher(nn.Module):
    def __init__(self, templates: dict[str, Tensor], alphabet: int = 64, dim: int = 48) -> None:
        super().__init__()
        self.lines = CharTower(alphabet, dim)
        self.suppliers = CharTower(alphabet, dim)
        self.heat = nn.Parameter(torch.tensor(2.0))
        self.templates = templates
        self._kept: dict[str, Tensor] = {}

    @kept  # <- culprit
    def supplier_vectors(self, region: str) -> Tensor:
        return self.suppliers(self.templates[region])

    def forward(self, page: Page) -> Tensor:
        return self.heat.exp() * self.lines(page.lines) @ self.supplier_vectors(page.region).T


async def scanner(templates: dict[str, Tensor], pages: int) -> AsyncIterator[Page]:
    for n in range(pages):
        region = REGIONS[n % len(REGIONS)]
        who = torch.randint(templates[region].shape[0], (32,))
        noisy = templates[region][who].clone()
        hit = torch.rand(noisy.shape) < 0.25
        noisy[hit] = torch.randint(64, (int(hit.sum()),))
        await asyncio.sleep(0)
        yield Page(region, noisy, who)


class MatchService:
    def __init__(self, net: SupplierMatcher) -> None:
        self.net = net
        self.opt = torch.optim.AdamW(net.parameters(), lr=2e-3)

    async def train(self, pages: AsyncIterator[Page]) -> None:
        n = 0
        async for page in pages:
            wrong = F.cross_entropy(self.net(page), page.supplier)
            self.opt.zero_grad()
            wrong.backward()
            self.opt.step()
            if n % 50 < 2:
                print(f"page {n:3d} {page.region:9s} {wrong.item():.4f}")
            n += 1


if __name__ == "__main__":
    torch.manual_seed(12)
    templates = {r: torch.randint(64, (20, 24)) for r in REGIONS}
    service = MatchService(SupplierMatcher(templates))
    asyncio.run(service.train(scanner(templates, 300)))
