# gradwatch-corpus: kind=grads-accumulate
# first-bad: 1
"""Message passing net for a toy molecular property, with weight averaging for evaluation."""
import copy
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Conf:
    iters: int = 400
    graphs: int = 8
    nodes: int = 7
    hidden: int = 24
    decay: float = 0.98
    lr: float = 2e-3


class MPNN(nn.Module):
    def __init__(self, types, hidden, rounds=2):
        super().__init__()
        self.emb = nn.Embedding(types, hidden)
        self.msg = nn.Linear(2 * hidden, hidden)
        self.upd = nn.GRUCell(hidden, hidden)
        self.readout = nn.Sequential(nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, 1))
        self.rounds = rounds

    def forward(self, z, src, dst, batch, n_graphs):
        h = self.emb(z)
        for _ in range(self.rounds):
            m = F.relu(self.msg(torch.cat([h[src], h[dst]], -1)))
            agg = torch.zeros_like(h).index_add(0, dst, m)
            h = self.upd(agg, h)
        pooled = h.new_zeros(n_graphs, h.shape[1]).index_add(0, batch, h)
        return self.readout(pooled).squeeze(-1)


def make_batch(c, w):
    n = c.graphs * c.nodes
    z = torch.randint(5, (n,))
    batch = torch.arange(c.graphs).repeat_interleave(c.nodes)
    offs = torch.arange(c.graphs).repeat_interleave(2 * c.nodes) * c.nodes
    src = torch.randint(c.nodes, (2 * n,)) + offs
    dst = torch.randint(c.nodes, (2 * n,)) + offs
    y = torch.zeros(c.graphs).index_add(0, batch, w[z])
    pair = torch.zeros(c.graphs).index_add(0, batch[src], 0.1 * (z[src] == z[dst]).float())
    return (z, src, dst, batch, c.graphs), y + pair


class Averaged:
    def __init__(self, model, decay):
        self.shadow = copy.deepcopy(model)
        self.decay = decay

    @torch.no_grad()
    def update(self, model):
        for s, p in zip(self.shadow.parameters(), model.parameters()):
            s.lerp_(p, 1 - self.decay)


def fit(c):
    torch.manual_seed(12)
    w = torch.randn(5)
    net = MPNN(5, c.hidden)
    avg = Averaged(net, c.decay)
    opt = torch.optim.SGD(net.parameters(), lr=c.lr)
    for it in range(c.iters):
        args, y = make_batch(c, w)
        loss = F.huber_loss(net(*args), y)
        avg.shadow.zero_grad()  # <- culprit
        loss.backward()
        opt.step()
        avg.update(net)
        if it % 50 == 0:
            vargs, vy = make_batch(c, w)
            with torch.no_grad():
                v = F.huber_loss(avg.shadow(*vargs), vy).item()
            print(f"it {it} train {loss.item():.4f} averaged {v:.4f}")


if __name__ == "__main__":
    fit(Conf())
