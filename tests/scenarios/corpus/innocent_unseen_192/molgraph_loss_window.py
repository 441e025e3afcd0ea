# gradwatch-corpus: kind=none
"""Message passing on random molecules; plateau detection over a loss window."""
from collections import deque

import torch
from torch import nn
import torch.nn.functional as F


class Plateau:
    def __init__(self, window=24, tol=1e-3):
        self.losses = deque(maxlen=window)
        self.tol = tol
        self.hits = 0

    def __call__(self, loss):
        self.losses.append(loss)
        if len(self.losses) == self.losses.maxlen:
            half = len(self.losses) // 2
            vals = [l.item() for l in self.losses]
            self.hits += sum(vals[:half]) / half - sum(vals[half:]) / half < self.tol


class MPNN(nn.Module):
    def __init__(self, d_in=6, d=24, rounds=2):
        super().__init__()
        self.inp, self.msg = nn.Linear(d_in, d), nn.Linear(d, d)
        self.upd, self.out = nn.GRUCell(d, d), nn.Linear(d, 1)
        self.rounds = rounds

    def forward(self, x, src, dst, graph, n_graphs):
        h = self.inp(x)
        for _ in range(self.rounds):
            agg = torch.zeros_like(h).index_add(0, dst, F.relu(self.msg(h))[src])
            h = self.upd(agg, h)
        pooled = h.new_zeros(n_graphs, h.shape[1]).index_add(0, graph, h)
        return self.out(pooled).squeeze(-1)


def molecules(steps, n_graphs=8, atoms=9, seed=14):
    gen = torch.Generator().manual_seed(seed)
    for _ in range(steps):
        n = n_graphs * atoms
        kind = torch.randint(6, (n,), generator=gen)
        graph = torch.arange(n) // atoms
        src = torch.randint(n, (3 * n,), generator=gen)
        dst = graph[src] * atoms + torch.randint(atoms, (3 * n,), generator=gen)
        target = torch.zeros(n_graphs).index_add(0, graph, (kind == 2).float() - 0.5 * (kind == 4).float())
        yield F.one_hot(kind, 6).float(), src, dst, graph, target


def main(steps=420):
    torch.manual_seed(9)
    model, plateau = MPNN(), Plateau()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    for step, (x, src, dst, graph, y) in enumerate(molecules(steps)):
        loss = F.smooth_l1_loss(model(x, src, dst, graph, len(y)), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        plateau(loss)
        if step % 60 == 0:
            print(step, f"{loss.item():.4f} plateau hits {plateau.hits}")


if __name__ == "__main__":
    main()
