# gradwatch-corpus: kind=none
"""Neighbour-sampled GraphSAGE with historical embeddings that fill in as nodes are visited."""
import torch
import torch.nn.functional as F
from torch import nn

from .history import LazyHistory


class Sage(nn.Module):
    def __init__(self, d_in, d, n_cls):
        super().__init__()
        self.l1 = nn.Linear(2 * d_in, d)
        self.l2 = nn.Linear(2 * d, d)
        self.cls = nn.Linear(d, n_cls)
        self.history = LazyHistory(d)

    def forward(self, g, nodes):
        nb = g.neighbours(nodes)
        h = F.relu(self.l1(torch.cat([g.x[nodes], g.x[nb].mean(1)], -1)))
        far = self.history.lookup(nb)
        self.history.store(nodes, h)
        z = F.relu(self.l2(torch.cat([h, far], -1)))
        return self.cls(z), z


class SynthGraph:
    def __init__(self, n=1200, d=16, n_cls=5, deg=6):
        self.y = torch.randint(0, n_cls, (n,))
        self.x = torch.randn(n_cls, d)[self.y] + 1.2 * torch.randn(n, d)
        order = self.y.argsort()
        start = torch.searchsorted(self.y[order], torch.arange(n_cls))
        count = torch.bincount(self.y, minlength=n_cls)
        mates = order[start[self.y][:, None] + (torch.rand(n, deg) * count[self.y][:, None]).long()]
        rand = torch.randint(0, n, (n, deg))
        self.adj = torch.where(torch.rand(n, deg) < 0.7, mates, rand)
        self.n = n

    def neighbours(self, nodes):
        return self.adj[nodes]


def main(iters=150, batch=48):
    g = SynthGraph()
    net = Sage(16, 32, 5)
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    proto = torch.zeros(5, 32)
    for it in range(iters):
        nodes = torch.randperm(g.n)[:batch]
        logits, z = net(g, nodes)
        loss = F.cross_entropy(logits, g.y[nodes])
        if it > 10:
            loss = loss + 0.01 * F.mse_loss(z, proto[g.y[nodes]])
        opt.zero_grad()
        loss.backward()
        opt.step()
        with torch.no_grad():
            for c in g.y[nodes].unique():
                proto[c] = 0.9 * proto[c] + 0.1 * z[g.y[nodes] == c].mean(0)
        if it % 30 == 0:
            print(f"it {it} loss {loss.item():.3f} known nodes {len(net.history)}")


if __name__ == "__main__":
    torch.manual_seed(19)
    torch.set_num_threads(1)
    main()
