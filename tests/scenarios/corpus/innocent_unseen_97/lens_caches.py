# gradwatch-corpus: kind=none
"""Lens-distortion fit from calibration boards.  Recent fits stay at hand for the residual plots."""
import functools
from collections import OrderedDict
from types import MappingProxyType

import torch
from torch import nn


class RecentFits(OrderedDict):
    """The last `room` fits by board id; the oldest one makes place."""

    def __init__(self, room):
        super().__init__()
        self.room = room

    def __setitem__(self, board, fit):
        super().__setitem__(board, fit)
        self.move_to_end(board)
        while len(self) > self.room:
            self.popitem(last=False)


class Distortion(nn.Module):
    def __init__(self):
        super().__init__()
        self.radial = nn.Parameter(torch.zeros(3))
        self.tangential = nn.Parameter(torch.zeros(2))
        self.shift = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 2))

    def forward(self, xy):
        r2 = xy.pow(2).sum(-1, keepdim=True)
        scale = 1 + sum(k * r2 ** (i + 1) for i, k in enumerate(self.radial))
        return xy * scale + self.tangential * r2 + 0.01 * self.shift(xy)


@functools.lru_cache(maxsize=16)
def board_points(kind):
    """Corner grid of one board kind (rows, cols, spacing)."""
    rows, cols, gap = kind
    y, x = torch.meshgrid(torch.arange(rows) - rows / 2, torch.arange(cols) - cols / 2, indexing="ij")
    return torch.stack([x, y], -1).reshape(-1, 2) * gap


def shots(gen, count):
    k, p = torch.tensor([-0.2, 0.05, 0.0]), torch.tensor([0.01, -0.02])
    for board in range(count):
        kind = (4 + board % 3, 5 + board % 4, 0.1 + 0.01 * (board % 7))
        xy = board_points(kind) + 0.1 * torch.randn(2, generator=gen)
        r2 = xy.pow(2).sum(-1, keepdim=True)
        seen = xy * (1 + k[0] * r2 + k[1] * r2**2) + p * r2 + 1e-3 * torch.randn(xy.shape, generator=gen)
        yield board, xy, seen


def main():
    torch.set_num_threads(1)
    torch.manual_seed(101)
    gen = torch.Generator().manual_seed(102)
    lens = Distortion()
    opt = torch.optim.Adam(lens.parameters(), lr=4e-3)
    fits, residuals = RecentFits(64), RecentFits(20)
    view = MappingProxyType(fits)
    for board, xy, seen in shots(gen, 420):
        out = lens(xy)
        residuals[board] = out - seen
        fits[board] = loss = residuals[board].pow(2).sum(-1).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if board % 70 == 69:
            recent = torch.stack(list(view.values())).mean().item()
            bias = torch.cat(list(residuals.values())).mean(0).tolist()
            print(f"board {board + 1:4d}  mean of {len(view)}: {recent:.6f}  bias {bias}")


if __name__ == "__main__":
    main()
