from typing import NamedTuple

import torch


class Batch(NamedTuple):
    boards: torch.Tensor
    moves: torch.Tensor


class Positions:
    """Planes: own men, enemy men, the piece to move.  A rook-like piece takes the nearest
    enemy man on its file or rank, if any; else it goes to its own corner."""

    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)

    def sample(self, n):
        own = (torch.rand(n, 8, 8, generator=self.g) < 0.12).float()
        foe = (torch.rand(n, 8, 8, generator=self.g) < 0.15).float() * (1 - own)
        sq = torch.randint(64, (n,), generator=self.g)
        rook = torch.zeros(n, 64).scatter_(1, sq[:, None], 1).view(n, 8, 8)
        rank = torch.arange(8).view(8, 1).expand(8, 8)
        file = rank.T
        r, f = (sq // 8).view(-1, 1, 1), (sq % 8).view(-1, 1, 1)
        dist = (rank - r).abs() + (file - f).abs()
        line = ((rank == r) | (file == f)) & (dist > 0)
        cost = torch.where((foe > 0) & line, dist, 99).flatten(1)
        best, move = cost.min(1)
        return Batch(torch.stack([own, foe, rook], 1), torch.where(best < 99, move, 0))

    def stream(self, steps, n=32):
        for _ in range(steps):
            yield self.sample(n)
