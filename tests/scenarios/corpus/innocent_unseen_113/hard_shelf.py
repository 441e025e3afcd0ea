# gradwatch-corpus: kind=none
"""Metric learning on synthetic shapes; the hardest batches of each shape are run once more.

The shelf ranks the batches of a round by their loss, and at the round's end the ones on it
are embedded anew with the weights of now.
"""
import bisect
from dataclasses import dataclass, field
from operator import attrgetter

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(70)

SHAPES = ("disc", "ring", "cross")
ROUND = 24


@dataclass(eq=False)
class Case:
    triple: tuple
    loss: torch.Tensor
    rank: float = field(init=False)

    def __post_init__(self):
        self.rank = -self.loss.item()


class Shelf:
    def __init__(self, k):
        self.k = k
        self.rows = {}

    def offer(self, shape, case):
        row = self.rows.setdefault(shape, [])
        bisect.insort(row, case, key=attrgetter("rank"))
        row[self.k:] = []

    def taken(self):
        while self.rows:
            shape, row = self.rows.popitem()
            for case in row:
                yield shape, case


def images(shape, n=12, side=12):
    g = torch.linspace(-1, 1, side)
    yy, xx = torch.meshgrid(g, g, indexing="ij")
    dx, dy = 0.3 * torch.randn(2, n, 1, 1)
    r = ((xx - dx) ** 2 + (yy - dy) ** 2).sqrt()
    if shape == "disc":
        img = (r < 0.5).float()
    elif shape == "ring":
        img = ((r > 0.35) & (r < 0.6)).float()
    else:
        img = (((xx - dx).abs() < 0.15) | ((yy - dy).abs() < 0.15)).float()
    return (img + 0.6 * torch.randn(n, side, side)).flatten(1)


class Embed(nn.Module):
    def __init__(self, d=144, out=8):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(d, 48), nn.ReLU(), nn.Linear(48, out))

    def forward(self, x):
        return F.normalize(self.f(x), dim=1)


def triplet(net, triple):
    a, p, n = map(net, triple)
    return F.triplet_margin_loss(a, p, n, margin=0.4)


def train_on(net, opt, triple):
    loss = triplet(net, triple)
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss


def main():
    net = Embed()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    shelf = Shelf(k=3)
    gains = {s: [] for s in SHAPES}
    for step in range(360):
        shape = SHAPES[step % 3]
        other = SHAPES[(step + 1 + step // 3 % 2) % 3]
        triple = images(shape), images(shape), images(other)
        loss = train_on(net, opt, triple)
        shelf.offer(shape, Case(triple, loss))
        if step % ROUND == ROUND - 1:
            for shape, case in shelf.taken():
                again = train_on(net, opt, case.triple)
                gains[shape].append(case.loss.detach() - again.detach())
        if step % 120 == 119:
            print(step + 1, {s: round(torch.stack(g).mean().item(), 4) for s, g in gains.items()})


if __name__ == "__main__":
    main()
