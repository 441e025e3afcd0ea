# gradwatch-corpus: kind=none
"""Terrain tiles: the encoding of a tile is cached as long as the encoder's weights are the same."""
import functools

import torch
from torch import nn

torch.manual_seed(54)
torch.set_num_threads(1)


def cached_by_version(method):
    @functools.wraps(method)
    def wrapper(self, key):
        version = tuple(p._version for p in self.parameters())
        if version != self.cache_version:
            self.cache.clear()
            self.cache_version = version
        if key not in self.cache:
            self.cache[key] = method(self, key)
        return self.cache[key]
    return wrapper


class TileEncoder(nn.Module):
    def __init__(self, tiles, width=10):
        super().__init__()
        self.tiles = tiles
        self.conv = nn.Conv2d(1, 4, 3)
        self.lin = nn.Linear(4 * 16, width)
        self.cache, self.cache_version = {}, None

    @cached_by_version
    def encode(self, key):
        h = torch.relu(self.conv(self.tiles[key][None, None]))
        return self.lin(h.flatten(1))[0]


class Router(nn.Module):
    def __init__(self, width=10):
        super().__init__()
        self.edge = nn.Sequential(nn.Linear(2 * width, 20), nn.Tanh(), nn.Linear(20, 1))

    def forward(self, a, b):
        return self.edge(torch.cat([a, b])).squeeze()


def main():
    tiles = torch.randn(20, 6, 6)
    cost = tiles.mean((1, 2))
    enc, router = TileEncoder(tiles), Router()
    opt_router = torch.optim.Adam(router.parameters(), lr=5e-3)
    opt_enc = torch.optim.Adam(enc.parameters(), lr=5e-3)
    average = None
    for step in range(240):
        a, b = torch.randint(0, 20, (2,)).tolist()
        loss = (router(enc.encode(a), enc.encode(b)) - 3 * (cost[a] + cost[b])).square()
        opt_router.zero_grad()
        loss.backward(retain_graph=True)
        opt_router.step()
        if step % 24 == 23:
            opt_enc.step()
            opt_enc.zero_grad()
        average = loss.item() if average is None else 0.96 * average + 0.04 * loss.item()
        if step % 48 == 47:
            print(step, len(enc.cache), f"{average:.4f}")


main()
